import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';
import * as operatorPictures from '../../../spec/docs/operatorPictures.js';
import { playgroundSnippets } from '../../site/playground/snippets.js';
import { chooseOperators, type PicturedOperator } from './chooseOperators.js';
import { wordsFor } from './intents.js';
import { paths } from './paths.js';
import type { SourcePages } from './sourcePages.js';

/** A link of the sidebar, or a group of them. */
export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

interface Guide {
  readonly page: string;
  readonly source: string;
  readonly keywords?: string;
}

interface Section {
  readonly text: string;
  /** The folder of its pages; the pages of one folder share a sidebar. @defaultValue `'guide'` */
  readonly folder?: string;
  readonly items: readonly Guide[];
}

const folderOf = ({ folder = 'guide' }: Section): string => folder;

/** The site paths of the files in the repository that are pages. */
function pagesOf(sections: readonly Section[]): Map<string, string> {
  const pages = new Map(
    sections.flatMap((section) => section.items.map(({ page, source }): [string, string] => [source, `/${folderOf(section)}/${page}`])),
  );
  return pages.set('README.md', '/');
}

/** Fails if a document has no page. */
async function checkComplete(pages: ReadonlyMap<string, string>): Promise<void> {
  const files = (await readdir(join(paths.root, 'docs'))).filter((name) => name.endsWith('.md'));
  const missing = files.map((name) => `docs/${name}`).find((file) => !pages.has(file));
  if (missing !== undefined) throw new Error(`${missing} is not in workshop/site/guides.json`);
}

/** Applies `change` to a page's text outside of code. */
function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(/(^ *```[^]*?^ *```$|`[^`\n]+`)/m)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');
}

/** An SVG picture inlined into its page, so that it follows the theme of the page instead of the system's. */
export async function pictureOf(file: string, alt: string): Promise<string> {
  const svg = await readFile(file, 'utf8');
  const inlined = svg
    .replace(/<style>[^]*?<\/style>\n?/, '')
    .replace(/ width="\d+" height="\d+"/, '')
    .replace(/\n/g, '');
  const name = /([\w-]+)\.svg$/.exec(file)?.[1] ?? '';
  const tries = playgroundSnippets.some((snippet) => snippet.name === name);
  const link = tries
    ? `<figcaption><a href="/playground/index.html#${name}" target="_self">Try ${name} in the playground</a></figcaption>`
    : '';
  return `<figure class="marbles" role="group" aria-label=${JSON.stringify(alt)} v-pre>${inlined}${link}</figure>`;
}

/** Whether all tables of a page have at least five columns: then they use the space of the outline beside the page. */
function hasWideTables(text: string): boolean {
  const columns = [...text.matchAll(/^\|(?:[-: ]+\|)+$/gm)].map(([line]) => line.split('|').length - 2);
  return columns.length > 0 && Math.min(...columns) >= 5;
}

/** Makes the pages of the site from the guides of the repository. */
class GuideWriter {
  private readonly pages: ReadonlyMap<string, string>;
  private readonly sources: SourcePages;

  constructor(pages: ReadonlyMap<string, string>, sources: SourcePages) {
    this.pages = pages;
    this.sources = sources;
  }

  async write(source: string, page: string, words: string, keep: (text: string) => string = (text) => text): Promise<void> {
    const text = keep(await readFile(join(paths.root, source), 'utf8'));
    const withPictures = await this.placePictures(await this.placePhotographs(text, source), source);
    const linked = outsideCode(withPictures, (prose) => this.placeLinks(prose, source));
    const file = join(paths.pages, `${page}.md`);
    await mkdir(dirname(file), { recursive: true });
    const aside = /^## /m.test(linked) && !hasWideTables(linked) ? '' : 'aside: false\n';
    const front = linked.startsWith('---\n') ? '' : `---\nwords: ${JSON.stringify(words)}\n${aside}---\n\n`;
    await writeFile(file, front + linked);
  }

  private async placePictures(text: string, source: string): Promise<string> {
    let placed = text;
    for (const [whole, alt = '', target = ''] of text.matchAll(/^!\[([^\]]*)\]\(([^)]+\.svg)\)$/gm)) {
      placed = placed.replace(whole, await pictureOf(resolve(paths.root, dirname(source), target), alt));
    }
    return placed;
  }

  /** Sets the sizes of bitmap pictures. */
  private async placePhotographs(text: string, source: string): Promise<string> {
    let placed = text;
    for (const [whole, alt = '', target = ''] of text.matchAll(/^!\[([^\]]*)\]\(([^)]+\.png)\)$/gm)) {
      const file = resolve(paths.root, dirname(source), target);
      const content = await readFile(file);
      await mkdir(join(paths.files, 'pictures'), { recursive: true });
      await copyFile(file, join(paths.files, 'pictures', basename(file)));
      // A PNG has its size in its first chunk.
      const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
      const size = `width="${String(width)}" height="${String(height)}"`;
      placed = placed.replace(whole, `<img src="/pictures/${basename(file)}" alt=${JSON.stringify(alt)} ${size}>`);
    }
    return placed;
  }

  private placeLinks(prose: string, source: string): string {
    // Paths are shortened to their last part: the linked page shows the whole path.
    const short = prose.replace(/\[(?:spec|src)\/[\w./-]*\/([\w.-]+\.ts)\]/g, '[$1]');
    return short.replace(/\]\(([^)\s]+)\)/g, (whole, target: string) => {
      if (/^([a-z]+:|#|\/)/.test(target)) return whole;
      const [path = '', anchor] = target.split('#');
      const file = posix.normalize(relative(paths.root, resolve(paths.root, dirname(source), decodeURIComponent(path))));
      const page = this.pages.get(file);
      const hash = anchor === undefined ? '' : `#${anchor}`;
      if (page !== undefined) return `](${page}${hash})`;
      if (!existsSync(join(paths.root, file))) throw new Error(`${source} links to ${target}, which does not exist`);
      return `](${this.sources.linkTo(file)}${hash}){target="_self"}`;
    });
  }
}

/** The operators that have a picture, with their comments. */
async function picturedOperators(): Promise<readonly PicturedOperator[]> {
  const folder = join(paths.root, 'src/operators');
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const source = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
  return Object.keys(operatorPictures).flatMap((name) => {
    const [, comment] = new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/)\\nexport function ${name}\\b`).exec(source) ?? [];
    return comment === undefined ? [] : [{ name, comment }];
  });
}

/** Writes the guides and the home page, and returns their sidebars. */
export async function writeGuides(sources: SourcePages): Promise<Readonly<Record<string, readonly SidebarItem[]>>> {
  const sections = JSON.parse(await readFile(join(paths.site, 'guides.json'), 'utf8')) as readonly Section[];
  const pages = pagesOf(sections);
  await checkComplete(pages);
  const writer = new GuideWriter(pages, sources);
  const operators = await picturedOperators();
  const sidebars: Record<string, SidebarItem[]> = {};
  for (const section of sections) {
    const folder = folderOf(section);
    const links: SidebarItem[] = [];
    for (const { page, source, keywords = '' } of section.items) {
      const path = `${folder}/${page}`;
      const keep = (text: string): string => (page === 'choose' ? chooseOperators(text, operators) : text);
      await writer.write(source, path, `${keywords} ${wordsFor(path)}`.trim(), keep);
      const [, title = page] = /^# (.+)$/m.exec(await readFile(join(paths.root, source), 'utf8')) ?? [];
      links.push({ text: title, link: `/${path}` });
    }
    (sidebars[`/${folder}/`] ??= []).push({ text: section.text, collapsed: false, items: links });
  }
  const home = await readFile(join(paths.site, 'home.md'), 'utf8');
  await writer.write(
    'README.md',
    'index',
    '',
    (text) => home + text.slice(text.indexOf('## Get it')).replace(/<!-- not on the site[^]*?<!-- \/not on the site -->\n/g, ''),
  );
  return sidebars;
}
