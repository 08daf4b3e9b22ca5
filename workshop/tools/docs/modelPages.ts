import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { paths } from './paths.js';

/** An interface or type of Kubernetes' models. */
export interface Model {
  readonly name: string;
  readonly about: string;
  readonly code: string;
}

/** A page of models: of a group and version or, if that would be long, of one kind with its parts. */
export interface ModelPage {
  /** `apps-v1`, `core-v1-pod`. */
  readonly page: string;
  readonly group: string;
  /** The kinds of the page: models with a list. */
  readonly kinds: readonly string[];
  readonly models: readonly Model[];
}

/** A group with more characters than this has one page per kind. */
const longest = 20_000;
/** Parts with pages of their own, because they have many parts. */
const partsWithPages = ['V1Volume', 'V1Container', 'V1Affinity', 'V1PersistentVolumeSpec', 'V1PodSpec', 'V1PodStatus'];

function modelsIn(text: string): Model[] {
  const found = text.matchAll(/^(?:\/\*\* (.*) \*\/\n)?export (?:interface (\w+)[^]*?^\}|type (\w+)[^]*?;)$/gm);
  return [...found].map(([code, about = '', anInterface, aType]) => ({ name: anInterface ?? aType ?? '', about, code }));
}

/** Takes a kind and its parts, except parts that another page already has. */
function takeParts(root: string, models: ReadonlyMap<string, Model>, roots: ReadonlySet<string>, taken: Set<string>): Model[] {
  const parts: Model[] = [];
  const waiting = [root];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const model = models.get(name);
    if (model === undefined || taken.has(name) || (name !== root && roots.has(name))) continue;
    taken.add(name);
    parts.push(model);
    // Without the comment, which names the models that contain the type.
    waiting.push(...[...model.code.replace(/^\/\*\*.*\n/, '').matchAll(/\b[A-Z]\w+\b/g)].map(([part]) => part));
  }
  return parts;
}

function pagesOfGroup(group: string, text: string): ModelPage[] {
  const models = modelsIn(text);
  const kinds = models.map(({ name }) => name).filter((name) => text.includes(`type ${name}List `));
  if (text.length <= longest) return [{ page: group, group, kinds, models }];
  const byName = new Map(models.map((model) => [model.name, model]));
  const roots = new Set([...kinds, ...partsWithPages.filter((name) => byName.has(name))]);
  const taken = new Set<string>();
  // The order in which kinds claim shared parts: parts with pages first, then pods, then all others.
  const rank = (name: string): number => (partsWithPages.includes(name) ? 0 : name === 'V1Pod' ? 1 : 2);
  const order = [...roots].sort((a, b) => rank(a) - rank(b));
  const pages = order.map((root): ModelPage => {
    const own = [root, `${root}List`].flatMap((name) => takeParts(name, byName, roots, taken));
    const name = root.replace(/^V\d\w*?(?=[A-Z])/, '').toLowerCase();
    return { page: `${group}-${name}`, group, kinds: kinds.includes(root) ? [root] : [], models: own };
  });
  const left = models.filter(({ name }) => !taken.has(name));
  const others: ModelPage[] = left.length === 0 ? [] : [{ page: `${group}-others`, group, kinds: [], models: left }];
  return [...pages.sort((a, b) => (a.page < b.page ? -1 : 1)), ...others];
}

/** The pages of the models, group by group. */
export function modelFiles(): readonly ModelPage[] {
  const folder = join(paths.root, 'src/api/kubernetes');
  const files = readdirSync(folder).filter((file) => /V\d\w*\.ts$/.test(file));
  return files.flatMap((file) => {
    const group = basename(file, '.ts')
      .replace(/(?=V\d)/, '-')
      .toLowerCase();
    return pagesOfGroup(group, readFileSync(join(folder, file), 'utf8'));
  });
}

/** The page of each model: `/models/core-v1-pod#v1pod`. */
export function modelPages(): ReadonlyMap<string, string> {
  return new Map(
    modelFiles().flatMap(({ page, models }) => models.map(({ name }): [string, string] => [name, `/models/${page}#${name.toLowerCase()}`])),
  );
}
