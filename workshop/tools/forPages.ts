import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Resolves modules for pages, and the packages of this repository to their sources: `x.page.ts` replaces `x.ts`, except in `x.page.ts` itself. */
export const forPages: Plugin = {
  name: 'for-pages',
  setup: (building) => {
    building.initialOptions.conditions = ['@rx-informer/source', ...(building.initialOptions.conditions ?? ['module'])];
    building.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) => {
      const page = join(resolveDir, path.replace(/\.js$/, '.page.ts'));
      return page !== importer && existsSync(page) ? { path: page, sideEffects: false } : undefined;
    });
  },
};
