import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { paths } from './paths.js';

/** The target of a link. */
interface Target {
  readonly file: string;
  readonly anchor: string;
}

function targetOf(href: string, page: string): Target {
  const [address = '', anchor = ''] = href.split('#');
  const path = address.replace(/\?.*/, '');
  const file = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
  return { file: path.endsWith('/') ? join(file, 'index.html') : file, anchor: decodeURIComponent(anchor) };
}

/** Replaces links from the root of the site by relative ones, so that the site can be in any folder, and works without a server. */
function relativeLinks(html: string, page: string): string {
  const up = relative(dirname(page), paths.out).split(sep).join('/') || '.';
  return html.replace(/( (?:href|src)=")\/(?!\/)([^"]*)"/g, (_, start: string, path: string) => {
    const [, file = '', query = '', hash] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(path) ?? [];
    const whole = file === '' || file.endsWith('/') ? `${file}index.html` : /\.\w+$/.test(file) ? file : `${file}.html`;
    return `${start}${up}/${whole}${query}${hash === undefined ? '' : `#${hash}`}"`;
  });
}

function anchorsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
}

/** Makes every link of the site relative. Fails at a dead link. */
export async function finishSite(): Promise<void> {
  const names = await readdir(paths.out, { recursive: true });
  const pages = new Map<string, string>();
  for (const name of names.filter((each) => each.endsWith('.html'))) {
    const file = join(paths.out, name);
    const html = await readFile(file, 'utf8');
    const finished = relativeLinks(html, file);
    if (finished !== html) await writeFile(file, finished);
    pages.set(file, finished);
  }
  const anchors = new Map([...pages].map(([file, html]) => [file, anchorsOf(html)]));
  const problems = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^[a-z]+:/.test(href)) return [];
      const { file, anchor } = targetOf(href, page);
      if (!existsSync(file)) return [`${relative(paths.out, page)} links to ${href}, which does not exist`];
      const isThere = anchor === '' || file.includes('/playground/') || anchors.get(file)?.has(anchor) !== false;
      return isThere ? [] : [`${relative(paths.out, page)} links to ${href}, where there is no such heading`];
    }),
  );
  if (problems.length > 0) throw new Error([...new Set(problems)].join('\n'));
  console.log(`${String(pages.size)} pages, and every link leads somewhere`);
}
