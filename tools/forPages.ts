import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** What a page gets: where a module `x.ts` has an `x.page.ts` beside it, that one. Only `x.page.ts` itself reaches `x.ts`. */
export const forPages: Plugin = {
  name: 'for-pages',
  setup: (building) => {
    building.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) => {
      const page = join(resolveDir, path.replace(/\.js$/, '.page.ts'));
      return page !== importer && existsSync(page) ? { path: page, sideEffects: false } : undefined;
    });
  },
};
