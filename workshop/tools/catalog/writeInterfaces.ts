import { apiVersionOf, resourceName } from '../../../src/api/resource.js';
import type { Entry } from './catalog.js';
import { handWritten } from './modelFacts.js';
import type { Model } from './models.js';
import type { Placement } from './placement.js';

/** The type of the items of an ordinary list. */
function itemOfList({ fields }: Model): string | undefined {
  const types = fields.map(({ name, type }) => (name === 'items' ? 'items' : `${name} ${type}`));
  if (types.sort().join() !== 'apiVersion string,items,kind string,metadata V1ListMeta') return undefined;
  return /^readonly (\w+)\[\]$/.exec(fields.find(({ name }) => name === 'items')?.type ?? '')?.[1];
}

function propertyName(name: string): string {
  return /^[\w$]+$/.test(name) ? name : `'${name}'`;
}

function interfaceText(model: Model, doc: string): string {
  const item = itemOfList(model);
  if (item !== undefined) return `/** A list of \`${item}\`. */\nexport type ${model.name} = KubernetesList<${item}>;\n`;
  const fields = model.fields.map(({ name, optional, type }) => `  readonly ${propertyName(name)}${optional ? '?' : ''}: ${type};\n`);
  return `${doc}export interface ${model.name} {\n${fields.join('')}}\n`;
}

/** The import lines of a file. */
function importsOf(file: string, models: readonly Model[], homes: ReadonlyMap<string, string>): string {
  const wanted = new Map<string, Set<string>>();
  const want = (source: string, name: string): void => void wanted.set(source, (wanted.get(source) ?? new Set()).add(name));
  for (const model of models) {
    if (itemOfList(model) !== undefined) want('../kubernetesObject.js', 'KubernetesList');
    for (const name of itemOfList(model) === undefined ? model.references : []) {
      const home = homes.get(name) ?? '';
      if (home !== file) want(`./${home}.js`, name);
    }
  }
  const lines = [...wanted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([source, names]) => `import type { ${[...names].sort().join(', ')} } from '${source}';\n`);
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

/** The models that src/api has under another name: one line per file. */
function aliases(names: readonly string[]): string {
  const lines = new Map<string, string[]>();
  for (const alias of names) {
    const { name, file } = handWritten[alias] ?? { name: '', file: '' };
    lines.set(file, [...(lines.get(file) ?? []), `${name} as ${alias}`]);
  }
  return [...lines].map(([file, exports]) => `export type { ${exports.join(', ')} } from '../${file}.js';\n`).join('');
}

/** The models that have each model in a field. */
function usersOf(models: Iterable<Model>): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const model of models) {
    for (const reference of model.references) {
      if (itemOfList(model) === undefined) users.set(reference, [...(users.get(reference) ?? []), model.name]);
    }
  }
  return users;
}

function partDoc(users: readonly string[]): string {
  const shown = users.filter((_, at) => at < 3).map((name) => `\`${name}\``);
  if (shown.length === 0) return '/** The body of a request or of an answer. */\n';
  return `/** Part of ${shown.join(', ')}${users.length > shown.length ? ' and others' : ''}. */\n`;
}

/** A sentence for every interface: its resource, or the interfaces that contain it. */
function docsOf(models: readonly Model[], entries: readonly Entry[]): ReadonlyMap<string, string> {
  const users = usersOf(models);
  const docs = new Map(models.map(({ name }) => [name, partDoc(users.get(name)?.filter((user) => user !== name) ?? [])]));
  for (const entry of entries) docs.set(entry.model, `/** An object of \`${resourceName(entry)}\` in \`${apiVersionOf(entry)}\`. */\n`);
  return docs;
}

/** The text of the files of interfaces, and of their index. */
export function writeInterfaces(
  placement: Placement,
  models: ReadonlyMap<string, Model>,
  entries: readonly Entry[],
): ReadonlyMap<string, string> {
  const homes = new Map([...placement].flatMap(([file, names]) => names.map((name) => [name, file] as const)));
  const placed = [...homes.keys()].sort().flatMap((name) => models.get(name) ?? []);
  const docs = docsOf(placed, entries);
  const files = new Map<string, string>();
  for (const [file, names] of placement) {
    const own = names.filter((name) => handWritten[name] === undefined).flatMap((name) => models.get(name) ?? []);
    const imports = importsOf(file, own, homes);
    const reexports = aliases(names.filter((name) => handWritten[name] !== undefined));
    const interfaces = own.map((model) => interfaceText(model, docs.get(model.name) ?? ''));
    files.set(file, [imports, ...(reexports === '' ? [] : [`${reexports}\n`]), interfaces.join('\n')].join(''));
  }
  const index = [...placement].map(
    ([file, names]) => `export type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${file}.js';\n`,
  );
  return files.set('index', index.join(''));
}
