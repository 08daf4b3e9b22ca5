import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { intents } from './intents.js';
import { paths } from './paths.js';

interface Engine {
  search(question: string): { readonly id: string }[];
}

/** The search of the browser, with the same index. */
async function loadSearch(): Promise<Engine> {
  const chunks = join(paths.out, 'assets/chunks');
  const [file = ''] = (await readdir(chunks)).filter((name) => name.startsWith('@localSearchIndexroot'));
  const load = async (path: string): Promise<Record<string, unknown>> =>
    (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  const index = (await load(join(chunks, file)))['default'] as string;
  const { default: config } = (await load(join(paths.site, '.vitepress/config.js'))) as unknown as {
    readonly default: { readonly themeConfig: { readonly search: { readonly options: { readonly miniSearch: MiniSearchOptions } } } };
  };
  const { options, searchOptions } = config.themeConfig.search.options.miniSearch;
  const { default: MiniSearch } = (await load(join(paths.site, 'node_modules/minisearch/dist/es/index.js'))) as unknown as {
    readonly default: { loadJSON(json: string, settings: object): Engine };
  };
  return MiniSearch.loadJSON(index, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], searchOptions, ...options });
}

interface MiniSearchOptions {
  readonly options: object;
  readonly searchOptions: object;
}

/** Fails if the first three results for a question in workshop/site/intents.json do not include its answer. */
export async function checkSearch(): Promise<void> {
  const engine = await loadSearch();
  const problems: string[] = [];
  for (const { ask, find } of intents) {
    const first = [...new Set(engine.search(ask).map(({ id }) => id))].slice(0, 3);
    const answers = first.some((id) => find.some((page) => id.replace(/#.*|\.html/g, '').endsWith(`/${page}`)));
    if (!answers) problems.push(`"${ask}" finds ${first.join(', ')}, and not ${find.join(' or ')}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  console.log(`${String(intents.length)} questions, and the search answers each`);
}
