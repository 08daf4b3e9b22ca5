import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { breakable } from './breakable.js';
import { descriptionOf } from './descriptionOf.js';
import { indexedHtml, searchOptions, termsOf, wordsOf } from './search.js';

const sidebar = JSON.parse(readFileSync(new URL('../.pages/sidebars.json', import.meta.url), 'utf8'));
const entries = Object.values(sidebar)
  .map(([first]) => first)
  .filter(({ link }) => link?.startsWith('/api/'));

/** A marble on a line. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M0 16h32" stroke="#0969da" stroke-width="3"/><circle cx="16" cy="16" r="9" fill="#ddf4ff" stroke="#0969da" stroke-width="3"/></svg>';

export default defineConfig({
  title: 'rx-informer',
  description: 'A live, indexed copy of Kubernetes resources in your program, and every change to it as an RxJS stream.',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '.pages',
  outDir: '../../docs-site',
  cacheDir: 'node_modules/.cache',
  metaChunk: true,
  // workshop/tools/docs checks all links after the build.
  ignoreDeadLinks: true,
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 10_000 } },
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  transformPageData: (page) => {
    const text = readFileSync(new URL(`../.pages/${page.filePath}`, import.meta.url), 'utf8');
    return { description: page.description || descriptionOf(text, page.title) };
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Anchors as on GitHub, since the guides are also read there.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: ({ renderer: { rules } }) => {
      const inlineCode = rules.code_inline;
      rules.code_inline = (...args) => breakable(inlineCode(...args));
    },
  },
  themeConfig: {
    nav: [
      { text: 'Begin', link: '/guide/getting-started' },
      { text: 'Recipes', link: '/guide/recipes' },
      {
        text: 'Operators',
        items: [
          { text: 'In pictures', link: '/guide/operators' },
          { text: 'Choose an operator', link: '/guide/choose' },
          { text: 'Playground', link: '/playground/index.html', target: '_self' },
        ],
      },
      { text: 'Project', link: '/project/contributing' },
      { text: 'API', items: [...entries.map(({ text, link }) => ({ text, link })), { text: 'Models of Kubernetes', link: '/models/' }] },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: indexedHtml,
        miniSearch: {
          options: { processTerm: termsOf, tokenize: wordsOf },
          searchOptions,
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
