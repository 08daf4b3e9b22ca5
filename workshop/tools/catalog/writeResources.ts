import { pluralOf, verbLetters } from '../../../src/api/resource.js';
import type { Verb } from 'rx-informer';
import { everyVerb, type Entry } from './catalog.js';
import { fileOf, groupKey } from './placement.js';

type Tree = ReadonlyMap<string, ReadonlyMap<string, readonly Entry[]>>;

/** The entries by the keys of `resources`: group, then version. */
function treeOf(entries: readonly Entry[]): Tree {
  const tree = new Map<string, Map<string, Entry[]>>();
  const groups = new Map<string, string>();
  for (const entry of entries) {
    const key = groupKey(entry.group);
    if ((groups.get(key) ?? entry.group) !== entry.group)
      throw new Error(`Both ${groups.get(key) ?? ''} and ${entry.group} would be called ${key}`);
    groups.set(key, entry.group);
    const versions = tree.get(key) ?? new Map<string, Entry[]>();
    tree.set(key, versions);
    versions.set(entry.version, [...(versions.get(entry.version) ?? []), entry]);
  }
  return tree;
}

function nested(tree: Tree, readonly: string, end: string, line: (entry: Entry) => string): string {
  const groups = [...tree].map(([group, versions]) => {
    const inner = [...versions].map(([version, entries]) => {
      const lines = entries.map((entry) => `      ${line(entry)}${end}\n`);
      return `    ${readonly}${version}: {\n${lines.join('')}    }${end}\n`;
    });
    return `  ${readonly}${group}: {\n${inner.join('')}  }${end}\n`;
  });
  return groups.join('');
}

function typeOf({ plural, model, verbs }: Entry): string {
  const union = verbs.length === everyVerb.length ? '' : `, ${verbs.map((verb) => `'${verb}'`).join(' | ')}`;
  return `readonly ${plural}: Resource<${model}${union}>`;
}

/** The letters of the verbs in a row; empty for all verbs. */
function lettersOf(verbs: readonly Verb[]): string {
  const letters = Object.entries(verbLetters).filter(([, verb]) => verbs.includes(verb));
  return verbs.length === everyVerb.length ? '' : letters.map(([letter]) => letter).join('');
}

/** One row of the catalog, for `catalogOf`. Empty cells at the end are omitted. */
function rowOf({ plural, kind, namespaced, shortNames, categories, subresources, verbs }: Entry): string {
  const cells = [
    kind,
    plural === pluralOf(kind) ? '' : plural,
    namespaced ? '' : 'c',
    shortNames.join(','),
    categories.join(','),
    subresources.join(','),
    lettersOf(verbs),
  ];
  return cells.join(' ').trimEnd();
}

function rows(tree: Tree): string {
  const groups = [...tree].map(([group, versions]) => {
    const inner = [...versions].map(
      ([version, entries]) => `    ${version}: \`\n${entries.map((entry) => `${rowOf(entry)}\n`).join('')}\`,\n`,
    );
    const name = [...versions.values()][0]?.[0]?.group ?? '';
    return `  ${group}: ['${name}', {\n${inner.join('')}  }],\n`;
  });
  return groups.join('');
}

/**
 * The text of src/api/resources.ts: the type of the catalog, and the catalog.
 */
export function writeResources(entries: readonly Entry[]): string {
  const tree = treeOf(entries);
  const models = new Map<string, Set<string>>();
  for (const entry of entries) models.set(fileOf(entry), (models.get(fileOf(entry)) ?? new Set()).add(entry.model));
  const imports = [...models]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `import type { ${[...names].sort().join(', ')} } from './kubernetes/${file}.js';\n`);
  return `${imports.join('')}import { catalogOf, type Resource } from './resource.js';

/**
 * The shape of \`resources\`: \`<group>.<version>.<plural>\`, the group by the first label of its name, \`core\` for the group without a name.
 */
export interface Resources {
${nested(tree, 'readonly ', ';', typeOf)}}

/**
 * Every built-in resource, with the type of its objects and the verbs that API servers offer for it.
 *
 * The versions of a group are in the order in which API servers prefer them. Discovery tells which of them a given server serves.
 *
 * @example
 * \`\`\`ts
 * import { createClient, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const pods = await client.list(resources.core.v1.pods, { namespace: 'default' });
 * for (const pod of pods.items) console.log(pod.metadata?.name, pod.status?.phase);
 * \`\`\`
 */
export const resources: Resources = /* @__PURE__ */ catalogOf<Resources>({
${rows(tree)}});
`;
}
