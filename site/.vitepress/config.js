import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { indexedHtml, searchOptions, termsOf } from './search.js';

const sidebar = JSON.parse(readFileSync(new URL('../.pages/sidebars.json', import.meta.url), 'utf8'));
const entries = Object.values(sidebar)
  .map(([first]) => first)
  .filter(({ link }) => link?.startsWith('/api/'));

export default defineConfig({
  title: 'rx-informer',
  description: 'A live, indexed copy of Kubernetes resources in your program, and every change to it as an RxJS stream.',
  base: process.env.DOCS_BASE ?? '/',
  srcDir: '.pages',
  outDir: '../docs-site',
  cacheDir: 'node_modules/.cache',
  metaChunk: true,
  // Every link, to whatever file, is looked up when the site is finished.
  ignoreDeadLinks: true,
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 10_000 } },
  markdown: {
    // As GitHub makes anchors: the guides are read there, too.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
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
      { text: 'API', items: [...entries.map(({ text, link }) => ({ text, link })), { text: 'Models of Kubernetes', link: '/models/' }] },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: indexedHtml,
        miniSearch: {
          options: { processTerm: termsOf },
          searchOptions,
        },
      },
    },
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
