import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelFiles, modelPages } from './modelPages.js';
import { paths } from './paths.js';
import type { SidebarItem } from './writeGuides.js';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => escapes[character] ?? character);
}

/** The code of a model, with its types as links. */
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

/** Writes the pages of Kubernetes' models, which are not part of the search, and returns their sidebar. */
export async function writeModels(): Promise<readonly SidebarItem[]> {
  const places = modelPages();
  const folder = join(paths.pages, 'models');
  await mkdir(folder, { recursive: true });
  const groups = new Map<string, SidebarItem[]>();
  const index = [
    '# Models of Kubernetes',
    '',
    'The JSON of the built-in resources as interfaces. All of them are exported from `rx-informer`.',
    '',
  ];
  for (const { page, group, kinds, models } of modelFiles()) {
    const parts = models.map(({ name, about, code }) => {
      const shown = linked(code.replace(/^\/\*\*.*\n/, '').replace(/^export /, ''), places, name);
      return `## ${name} {#${name.toLowerCase()}}\n\n${about}\n\n<pre class="model" v-pre>${shown}</pre>\n`;
    });
    const whole = titleOf(group);
    const title =
      page === group
        ? whole
        : `${whole}: ${page.endsWith('-others') ? 'other types' : (models[0]?.name ?? page).replace(/^V\d\w*?(?=[A-Z])/, '')}`;
    await writeFile(
      join(folder, `${page}.md`),
      `---\nsearch: false\noutline: 2\ndescription: ${JSON.stringify(`${title} of Kubernetes as TypeScript interfaces.`)}\n---\n\n# ${title}\n\n${parts.join('\n')}`,
    );
    if (!groups.has(group)) index.push(`- ${whole}`);
    const links = kinds.map((name) => `[${name}](${places.get(name) ?? ''})`).join(', ');
    if (links !== '') index.push(`${index.pop() ?? ''}${groups.has(group) ? ', ' : ': '}${links}`);
    else if (page === group) index[index.length - 1] = `- [${whole}](/models/${page})`;
    const items = groups.get(group) ?? [];
    groups.set(group, [...items, { text: title, link: `/models/${page}` }]);
  }
  await writeFile(join(folder, 'index.md'), `---\nsearch: false\n---\n\n${index.join('\n')}\n`);
  const items = [...groups].map(([group, pages]): SidebarItem => {
    const [only] = pages;
    return pages.length === 1 && only !== undefined ? only : { text: titleOf(group), collapsed: true, items: pages };
  });
  return [{ text: 'Models of Kubernetes', link: '/models/', items }];
}
