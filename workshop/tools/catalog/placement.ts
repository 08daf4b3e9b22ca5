import type { Entry } from './catalog.js';
import { homesOfSubresourceKinds, metaModels } from './modelFacts.js';
import type { Model } from './models.js';
import type { Operation } from './operations.js';

/**
 * The generated files, each with the names of its models; a file imports only files before it.
 */
export type Placement = ReadonlyMap<string, readonly string[]>;

/** The first label of a group's name, as in `resources`. */
export function groupKey(group: string): string {
  return group === '' ? 'core' : group.replace(/\..*/, '');
}

/**
 * The file of a group's version, without its extension: `appsV1`.
 */
export function fileOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return groupKey(group) + version.replace('v', 'V');
}

const metaFile = 'metaV1';

/** The root kinds of each file. */
function rootsOf(entries: readonly Entry[]): Map<string, string[]> {
  const roots = new Map<string, string[]>([[metaFile, [...metaModels]]]);
  for (const entry of entries) {
    const file = fileOf(entry);
    const names = roots.get(file) ?? [];
    names.push(entry.model, ...(entry.list === undefined ? [] : [entry.list]));
    roots.set(file, names);
  }
  for (const [model, home] of Object.entries(homesOfSubresourceKinds)) {
    const [group = '', version = ''] = home.split('/');
    const names = roots.get(fileOf({ group, version }));
    if (names === undefined) throw new Error(`There is no ${home} for ${model}`);
    names.push(model);
  }
  return roots;
}

function checkComplete(models: ReadonlyMap<string, Model>, operations: readonly Operation[], placed: ReadonlySet<string>): void {
  for (const { path, body, answer } of operations) {
    for (const type of [body, answer]) {
      if (type !== undefined && models.has(type) && !placed.has(type)) throw new Error(`${type} of ${path} has no place`);
    }
  }
}

/** Assigns every model of a request or an answer to a file: that of the first group that uses it, with meta and core first. */
export function placeModels(models: ReadonlyMap<string, Model>, entries: readonly Entry[], operations: readonly Operation[]): Placement {
  const placed = new Set<string>();
  const placement = new Map<string, string[]>();
  for (const [file, roots] of rootsOf(entries)) {
    const names: string[] = [];
    const waiting = [...roots];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (placed.has(name)) continue;
      const model = models.get(name);
      if (model === undefined) throw new Error(`There is no model ${name}`);
      placed.add(name);
      names.push(name);
      waiting.push(...model.references);
    }
    placement.set(file, names.sort());
  }
  const meta = placement.get(metaFile) ?? [];
  if (meta.length !== metaModels.length)
    throw new Error(`meta/v1 needs more than its own: ${meta.filter((name) => !metaModels.includes(name)).join()}`);
  checkComplete(models, operations, placed);
  return placement;
}
