import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelFiles, modelPages } from './modelPages.js';
import { paths } from './paths.js';
import type { SidebarItem } from './writeApi.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}

/** The code of a model, its types as links to theirs. */
function linked(code: string, pages: ReadonlyMap<string, string>, own: string): string {
  return escapeHtml(code).replace(/\b[A-Z]\w+\b/g, (name) => {
    const page = name === own ? undefined : pages.get(name);
    return page === undefined ? name : `<a href="${page.replace('#', '.html#')}">${name}</a>`;
  });
}

/** `apps-v1` as `apps/v1`; the core group has no name. */
function titleOf(page: string): string {
  const [group = '', version = ''] = page.split(/-(?=v\d)/);
  return group === 'core' ? version : `${group}/${version}`;
}

/** Writes a page for each group and version of Kubernetes' models, which the search leaves out, and returns their sidebar. */
export async function writeModels(): Promise<readonly SidebarItem[]> {
  const pages = modelPages();
  const folder = join(paths.pages, 'models');
  await mkdir(folder, { recursive: true });
  const items: SidebarItem[] = [];
  const index = [
    '# Models of Kubernetes',
    '',
    'The JSON of the built-in resources as interfaces. All of them are exported from `rx-informer`.',
    '',
  ];
  for (const [page, text] of modelFiles()) {
    const models = [...text.matchAll(/^(?:\/\*\* (.*) \*\/\n)?export (?:interface (\w+)[^]*?^\}|type (\w+)[^]*?;)$/gm)];
    const parts = models.map(([code, about = '', anInterface, aType]) => {
      const name = anInterface ?? aType ?? '';
      const shown = linked(code.replace(/^\/\*\*.*\n/, '').replace(/^export /, ''), pages, name);
      return `## ${name} {#${name.toLowerCase()}}\n\n${about}\n\n<pre class="model" v-pre>${shown}</pre>\n`;
    });
    await writeFile(
      join(folder, `${page}.md`),
      `---\nsearch: false\noutline: 2\ndescription: ${titleOf(page)} of Kubernetes as TypeScript interfaces.\n---\n\n# ${titleOf(page)}\n\n${parts.join('\n')}`,
    );
    const roots = models.map(([, , name = '']) => name).filter((name) => text.includes(`type ${name}List `));
    const links = roots.map((name) => `[${name}](/models/${page}#${name.toLowerCase()})`).join(', ');
    items.push({ text: titleOf(page), link: `/models/${page}` });
    index.push(`- [${titleOf(page)}](/models/${page})${links === '' ? '' : `: ${links}`}`);
  }
  await writeFile(join(folder, 'index.md'), `---\nsearch: false\n---\n\n${index.join('\n')}\n`);
  return [{ text: 'Models of Kubernetes', link: '/models/', items }];
}
