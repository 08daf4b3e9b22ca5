import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { highlight } from '../../site/playground/highlight.js';
import { paths } from './paths.js';

const style = `:root{color-scheme:light dark;--ground:#fff;--text:#1f2328;--soft:#59636e;--line:#d0d7de;--link:#0550ae;--c:#59636e;--s:#0a3069;--k:#cf222e}
@media(prefers-color-scheme:dark){:root:not(.light){--ground:#1b1b1f;--text:#e6edf3;--soft:#9198a1;--line:#3d444d;--link:#79c0ff;--c:#9198a1;--s:#a5d6ff;--k:#ff7b72}}
:root.dark{--ground:#1b1b1f;--text:#e6edf3;--soft:#9198a1;--line:#3d444d;--link:#79c0ff;--c:#9198a1;--s:#a5d6ff;--k:#ff7b72}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.55 ui-sans-serif,system-ui,sans-serif}
header{padding:14px 20px;border-bottom:1px solid var(--line);display:flex;gap:16px;flex-wrap:wrap;align-items:baseline}
h1{font:600 15px ui-monospace,Menlo,Consolas,monospace;margin:0;overflow-wrap:anywhere}a{color:var(--link)}
pre{margin:0;padding:16px 20px;overflow-x:auto;font:13px/1.55 ui-monospace,Menlo,Consolas,monospace;tab-size:2}
ul{padding:12px 40px;font:13px/1.8 ui-monospace,Menlo,Consolas,monospace}
.c{color:var(--c)}.s{color:var(--s)}.k{color:var(--k)}`;

function page(path: string, content: string): string {
  const home = '../'.repeat(path.split('/').length);
  const theme = `try{var t=localStorage.getItem('vitepress-theme-appearance');if(t==='dark'||t==='light')document.documentElement.className=t}catch{}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${path}</title><meta name="description" content="${path} of rx-informer"><link rel="icon" href="data:,"><style>${style}</style><script>${theme}</script></head><body><header><a href="${home}index.html">rx-informer</a><h1>${path}</h1></header>${content}</body></html>\n`;
}

/** Files that guides link to and that are not pages: specs, examples, sources. Each gets a page that shows it. */
export class SourcePages {
  private readonly wanted = new Set<string>();

  /** The link to the page of a file or folder. */
  linkTo(path: string): string {
    this.wanted.add(path);
    return `/source/${path}.html`;
  }

  async write(): Promise<void> {
    for (const path of this.wanted) {
      const file = join(paths.root, path);
      const content = (await stat(file)).isDirectory() ? await this.listing(path) : `<pre>${highlight(await readFile(file, 'utf8'))}</pre>`;
      const out = join(paths.files, 'source', `${path}.html`);
      await mkdir(dirname(out), { recursive: true });
      await writeFile(out, page(path, content));
    }
  }

  /** Files added to the set during the iteration are visited as well. */
  private async listing(folder: string): Promise<string> {
    const names = (await readdir(join(paths.root, folder))).sort();
    const items = names.map((name) => {
      this.wanted.add(posix.join(folder, name));
      return `<li><a href="${posix.basename(folder)}/${name}.html">${name}</a></li>`;
    });
    return `<ul>${items.join('')}</ul>`;
  }
}
