// Opens every page of the site in Chromium: on a large and a small screen, with the dark theme, and 390 px wide. Fails for overflowing,
// illegible or empty elements, dead links, leftover markup, errors in the console, and pages that are in no sidebar.
//
//   npm run docs:look                                looks at docs-site, which `npm run docs` makes
//   npm run docs:look -- --pictures FOLDER --only guide/   takes pictures of the guides at a desk and on a telephone, too
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from '../../../spec/e2e/browsers.js';
import { ChromiumPage } from '../../../spec/e2e/chromiumPage.js';
import { paths } from './paths.js';
import { serveFolder } from './serveFolder.js';

interface Links {
  readonly links: readonly string[];
  readonly ids: readonly string[];
}

const { pictures, only } = parseArgs({ options: { pictures: { type: 'string' }, only: { type: 'string', default: '' } } }).values;

/** Checks pages one after the other, in a browser of its own. */
class Reader {
  readonly problems: string[] = [];
  readonly linksOf = new Map<string, Links>();
  private readonly page: ChromiumPage;
  private readonly origin: string;
  private readonly script: string;

  constructor(page: ChromiumPage, origin: string, script: string) {
    this.page = page;
    this.origin = origin;
    this.script = script;
  }

  async look(name: string): Promise<void> {
    await this.page.resize(1440, 900);
    await this.page.goTo(`${this.origin}/${name}`);
    await this.page.evaluate(this.script);
    await this.note(name, 'light');
    await this.take(name, 'desk');
    await this.page.resize(1280, 800);
    await this.note(name, 'dark');
    await this.take(name, 'dark');
    await this.note(name, 'small');
    await this.page.resize(390, 844);
    await this.note(name, 'narrow');
    await this.take(name, 'phone');
    this.linksOf.set(`/${name}`, (await this.page.evaluate('looking.linksOfPage()')) as Links);
    for (const complaint of this.page.takeComplaints()) this.problems.push(`${name}: console: ${complaint}`);
  }

  private async note(name: string, view: string): Promise<void> {
    const found = await this.page.evaluate(`looking.lookAtPage('${view}')`);
    if (!Array.isArray(found)) this.problems.push(`${name}: cannot be looked at`);
    else for (const problem of found as string[]) this.problems.push(`${name} (${view}): ${problem}`);
  }

  private async take(name: string, view: string): Promise<void> {
    if (pictures === undefined) return;
    await writeFile(join(pictures, `${name.replaceAll('/', '-').replace('.html', '')}.${view}.png`), await this.page.picture());
  }
}

/** The script workshop/site/lookAtPage.js as `looking`, run after the page has been hydrated. */
async function scriptOf(): Promise<string> {
  const code = (await readFile(join(paths.site, 'lookAtPage.js'), 'utf8')).replaceAll('export function', 'function');
  const ready =
    'for (let n = 0; n < 300 && document.querySelector("#app") && !document.querySelector("#app").__vue_app__; n += 1) await new Promise((resolve) => setTimeout(resolve, 10));';
  return `(async () => { ${code}\n ${ready} globalThis.looking = { lookAtPage, linksOfPage }; })()`;
}

/** Links to missing pages or missing anchors. */
function deadLinks(linksOf: ReadonlyMap<string, Links>): string[] {
  return [...linksOf].flatMap(([page, { links }]) =>
    links.flatMap((link) => {
      const [path = '', anchor = ''] = link.split('#');
      // The anchors of the playground are handled by its script.
      if (path.startsWith('/playground/')) return [];
      const target = linksOf.get(path.endsWith('/') ? `${path}index.html` : path) ?? linksOf.get(`${path}.html`);
      if (target === undefined) return [`${page}: leads to ${link}, which is no page`];
      return anchor === '' || target.ids.includes(anchor) ? [] : [`${page}: leads to ${link}, where there is no such place`];
    }),
  );
}

async function lookAt(names: readonly string[], command: string): Promise<string[]> {
  const { origin, close } = await serveFolder(paths.out);
  const script = await scriptOf();
  const left = [...names];
  const readers = await Promise.all(
    [1, 2].map(async () => {
      const page = await ChromiumPage.start(command);
      await page.open('about:blank');
      await page.listen();
      const reader = new Reader(page, origin, script);
      for (let name = left.shift(); name !== undefined; name = left.shift()) await reader.look(name);
      await page.close();
      return reader;
    }),
  );
  await close();
  const linksOf = new Map(readers.flatMap((reader) => [...reader.linksOf]));
  return [...readers.flatMap(({ problems }) => problems), ...(only === '' ? deadLinks(linksOf) : [])];
}

const chromium = findBrowser('Chromium');
if (chromium === undefined) throw new Error('Chromium is not installed. Debian has it in the package chromium.');
if (pictures !== undefined) await mkdir(pictures, { recursive: true });
const files = (await readdir(paths.out, { recursive: true })).map((name) => name.split(sep).join('/'));
const names = files.filter((name) => name.endsWith('.html') && name.startsWith(only) && name !== '404.html').sort();
const started = performance.now();
const problems = await lookAt(names, chromium.command);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  throw new Error(`${String(problems.length)} problems in ${pathToFileURL(paths.out).href}`);
}
console.log(`${String(names.length)} pages looked at in ${((performance.now() - started) / 1000).toFixed(1)} s, by ${chromium.version}`);
