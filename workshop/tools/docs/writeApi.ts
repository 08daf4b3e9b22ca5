import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import {
  Application,
  Converter,
  type DeclarationReflection,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
  TSConfigReader,
  TypeDocReader,
} from 'typedoc';
import { MemberRouter } from 'typedoc-plugin-markdown';
import { entries, published } from '../houses.js';
import { wordsFor } from './intents.js';
import { layOutApi } from './layOutApi.js';
import { modelPages } from './modelPages.js';
import { paths } from './paths.js';
import { themesOf } from './themes.js';
import { pictureOf, type SidebarItem } from './writeGuides.js';

/** The most common overload is last in the source, because the compiler's messages refer to the last one; on the page it comes first. */
const commonOverloadLast = ['createInformer'];

/** `api/rx-informer-views/derive.md`: one folder per entry, one page per name. */
class EntryRouter extends MemberRouter {
  override getIdealBaseName(reflection: Reflection): string {
    const isModule = reflection.kindOf(ReflectionKind.Module);
    const entry = folderOf((isModule ? reflection : reflection.parent)?.name ?? '');
    return isModule ? `${entry}/index` : `${entry}/${pageOf(reflection)}`;
  }
}

function folderOf(entry: string): string {
  return entry.replace(/^@/, '').replaceAll('/', '-');
}

/** Some file systems treat `fakeCollection` and `FakeCollection` as equal: the capitalized name is changed. */
function pageOf(reflection: Reflection): string {
  const { name, parent } = reflection;
  const siblings = (parent as DeclarationReflection | undefined)?.children ?? [];
  const isTaken = siblings.some((other) => other.name !== name && other.name.toLowerCase() === name.toLowerCase());
  return isTaken && /^[A-Z]/.test(name) ? `${name}-type` : name;
}

function isType(reflection: Reflection): boolean {
  return reflection.kindOf([ReflectionKind.Interface, ReflectionKind.TypeAlias]);
}

/** Names entries like in imports, not like their files. */
function nameModules(project: ProjectReflection): void {
  const names = new Map(entries.map(({ name, source }) => [relative(paths.root, source).replace(/(?:\/index)?\.ts$/, ''), name]));
  for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name;
}

function putCommonOverloadsFirst(project: ProjectReflection): void {
  for (const name of commonOverloadLast) {
    const reflection = project.children?.flatMap(({ children = [] }) => children).find((child) => child.name === name);
    reflection?.signatures?.reverse();
  }
}

/** The names that an entry exports one by one. */
const exportedBy = (entry: string): readonly string[] => [...themesOf(entry).values()].flat();

/** Removes the types that nobody can import, unless a public signature mentions them and a comment describes them: options are of such types. */
function removeUnseen({ serializer }: Application, project: ProjectReflection): void {
  const all = project.children?.flatMap(({ children = [] }) => children) ?? [];
  const models = modelPages();
  const isPublic = ({ name, parent }: DeclarationReflection): boolean => exportedBy(parent?.name ?? '').includes(name) || models.has(name);
  const byId = new Map<number, DeclarationReflection>(all.map((child) => [child.id, child]));
  const seen = new Set(all.filter(isPublic));
  for (const child of seen) {
    // What a class that nobody can make consists of is its own affair.
    if (child.kindOf(ReflectionKind.Class) && !isPublic(child)) continue;
    for (const [, id] of JSON.stringify(serializer.toObject(child)).matchAll(/"target":(\d+)/g)) {
      const mentioned = byId.get(Number(id));
      if (mentioned?.hasComment() === true) seen.add(mentioned);
    }
  }
  for (const child of all) if (!seen.has(child)) project.removeReflection(child);
}

/** Links the models of Kubernetes to their own pages. */
function linkModels(text: string, models: ReadonlyMap<string, string>): string {
  return text.replace(/\]\((?:[\w./-]+\/)?(\w+)\.md(#[\w-]+)?\)/g, (link, name: string) => {
    const page = models.get(name);
    return page === undefined ? link : `](${page})`;
  });
}

/** Removes the default `undefined` of required parameters. */
function withoutDefaults(text: string): string {
  return text.replace(/^(\| `\w+` \| .* \|) `undefined` \|/gm, '$1 - |');
}

/** The first sentence of the comment. */
function summaryOf(reflection: DeclarationReflection): string {
  const comment = reflection.comment ?? reflection.signatures?.find(({ comment: own }) => own !== undefined)?.comment;
  const text = (comment?.summary ?? []).map((part) => (part.kind === 'inline-tag' ? `\`${part.text.trim()}\`` : part.text)).join('');
  const [first = ''] = text.split(/\n\n|\n```/);
  return first.replaceAll('\n', ' ').replaceAll('|', '\\|');
}

interface Entry {
  readonly name: string;
  readonly folder: string;
  readonly module: DeclarationReflection;
  readonly themes: ReadonlyMap<string, readonly string[]>;
}

/** The themes of an entry's file, followed by types that have a page without being exported: the parts of `V1Status`. */
function themesWithRest(module: DeclarationReflection, models: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const themes = themesOf(module.name);
  const named = new Set([...themes.values()].flat());
  const rest = (module.children ?? []).filter((child) => !named.has(child.name) && !models.has(child.name) && !child.isReference());
  return rest.length === 0 ? themes : new Map([...themes, ['Further types', rest.map(({ name }) => name)]]);
}

/** Values before types, each in the order of the entry's file. */
function membersOf(entry: Entry, names: readonly string[]): DeclarationReflection[] {
  const members = names.flatMap((name) => entry.module.children?.filter((child) => child.name === name) ?? []);
  return [...members.filter((member) => !isType(member)), ...members.filter(isType)];
}

/** A member exported by two entries has its page under the first one. */
function linkTo(member: DeclarationReflection): string {
  const shown = member.isReference() ? member.getTargetReflectionDeep() : member;
  return `/api/${folderOf(shown.parent?.name ?? '')}/${pageOf(shown)}`;
}

/** What an entry has, from the table of a README. */
async function aboutOf(entry: string): Promise<string> {
  const readmes = await Promise.all(published.map((folder) => readFile(join(paths.root, folder, 'README.md'), 'utf8')));
  const [, about] = new RegExp(`^\\| \`${entry}\` \\| (.+) \\|$`, 'm').exec(readmes.join('\n')) ?? [];
  if (about === undefined) throw new Error(`Expected README.md to say what ${entry} has`);
  return `${about.replace(/^[a-z]/, (letter) => letter.toUpperCase())}.`;
}

async function indexPage(entry: Entry): Promise<string> {
  const lines = [
    '---',
    `description: What ${entry.name} exports, by theme.`,
    '---',
    '',
    `# ${entry.name}`,
    '',
    await aboutOf(entry.name),
    '',
  ];
  for (const [theme, names] of entry.themes) {
    const members = membersOf(entry, names);
    if (members.length === 0) continue;
    lines.push(`## ${theme}`, '', '| name | what it is |', '|---|---|');
    for (const member of members) lines.push(`| [\`${member.name}\`](${linkTo(member)}) | ${summaryOf(member)} |`);
    lines.push('');
  }
  if (entry.name === 'rx-informer')
    lines.push('## Models of Kubernetes', '', 'Each has its interface: [by group and version](/models/).', '');
  return lines.join('\n');
}

function sidebarOf(entry: Entry): SidebarItem[] {
  const themes = [...entry.themes].map(([text, names]): SidebarItem => {
    const items = membersOf(entry, names).map((member) => ({ text: member.name, link: linkTo(member) }));
    return { text, collapsed: false, items };
  });
  return [{ text: entry.name, link: `/api/${entry.folder}/` }, ...themes.filter(({ items = [] }) => items.length > 0)];
}

/** Pictures with other names than the functions that they show. */
const pictured: Readonly<Record<string, string>> = { createInformer: 'informer', derive: 'deriveJoin' };

/** The marbles of a name; empty without any. */
async function marblesOf(name: string): Promise<string> {
  const file = join(paths.root, 'docs/assets/marbles', `${pictured[name] ?? name}.svg`);
  return existsSync(file) ? pictureOf(file, `Marbles of ${name}`) : '';
}

/** Adds front matter for the search and VitePress to a page. */
async function finishPage(file: string, entry: string, models: ReadonlyMap<string, string>): Promise<void> {
  const name = basename(file, '.md').replace(/-type$/, '');
  const whole = withoutDefaults(linkModels(await readFile(file, 'utf8'), models));
  const keyword = /^# (?:Interface|Type Alias): /m.test(whole) ? 'import type' : 'import';
  const text = whole.replace(
    /^# (?:Function|Class|Interface|Type Alias|Variable|Abstract Class|Enumeration): (.+)$/m,
    (_, named: string) => `# ${named.replaceAll('`', '')}`,
  );
  const [title = name] = /(?<=^# ).+$/m.exec(text) ?? [];
  const words = `${wordsFor(name)} ${name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')}`.trim();
  const plain = title.replace(/[\\`]|\(\)|<.*/g, '');
  const isExported = exportedBy(entry).includes(plain);
  const how = isExported ? `<code v-pre>${keyword} { ${plain} } from '${entry}'</code>` : 'not exported: written where it is used';
  const import_ = `\n\n<p class="import">${how}</p>\n`;
  const front = `---\ntitle: ${JSON.stringify(plain)}\nwords: ${JSON.stringify(words)}\n---\n\n`;
  const [heading = '', rest = ''] = text.split(/(?<=^# .+$)/m);
  await writeFile(file, `${front}${heading}${import_}\n${await layOutApi(rest.trim(), await marblesOf(name))}`);
}

async function convert(): Promise<{ readonly app: Application; readonly project: ProjectReflection }> {
  const plugin = ['typedoc-plugin-markdown', 'typedoc-plugin-missing-exports'];
  const options = { options: 'workshop/typedoc.json', plugin, placeInternalsInOwningModule: true };
  const app = await Application.bootstrapWithPlugins(options, [new TypeDocReader(), new TSConfigReader()]);
  app.renderer.defineRouter('entry', EntryRouter);
  app.options.setValue('router', 'entry');
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: { readonly project: ProjectReflection }) => {
    nameModules(project);
    putCommonOverloadsFirst(project);
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the sources');
  removeUnseen(app, project);
  app.validate(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc has warnings: see above');
  return { app, project };
}

/** Writes a page for each exported name, and returns the sidebars. */
export async function writeApi(): Promise<Record<string, readonly SidebarItem[]>> {
  const { app, project } = await convert();
  const named = new Set(entries.flatMap(({ name }) => [...themesOf(name).values()].flat()));
  const models = new Map([...modelPages()].filter(([name]) => !named.has(name)));
  const out = join(paths.pages, 'api');
  await mkdir(out, { recursive: true });
  await app.generateOutputs(project);
  await rm(join(out, 'index.md'), { force: true });
  const sidebars: Record<string, readonly SidebarItem[]> = {};
  for (const module of project.children ?? []) {
    const folder = folderOf(module.name);
    const files = (await readdir(join(out, folder))).filter((name) => name !== 'index.md');
    const entry: Entry = { name: module.name, folder, module, themes: themesWithRest(module, models) };
    for (const file of files) {
      if (models.has(basename(file, '.md'))) await rm(join(out, folder, file));
      else await finishPage(join(out, folder, file), module.name, models);
    }
    await writeFile(join(out, folder, 'index.md'), await indexPage(entry));
    sidebars[`/api/${folder}/`] = sidebarOf(entry);
  }
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error(`TypeDoc has warnings: ${relative(paths.root, dirname(out))}`);
  return sidebars;
}
