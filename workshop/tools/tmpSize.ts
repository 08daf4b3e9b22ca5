import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
const root = fileURLToPath(new URL('../..', import.meta.url));
const oneInformer = `
  import { createClient, createInformer, resources } from './src/index.js';
  createInformer(createClient({ server: 'http://localhost' }), resources.core.v1.pods).resource$.subscribe(console.log);
`;
const pages = (skip: RegExp): Plugin => ({ name: 'for-pages', setup: (building) => {
    building.initialOptions.conditions = ['@rx-informer/source', ...(building.initialOptions.conditions ?? ['module'])];
    building.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir, kind }) => {
      if (kind === 'dynamic-import') return { path, external: true };
      const page = join(resolveDir, path.replace(/\.js$/, '.page.ts'));
      return page !== importer && existsSync(page) && !skip.test(page) ? { path: page, sideEffects: false } : undefined;
    });
  } });
for (const skip of [/none/, /consumers/]) {
  const { outputFiles = [], metafile } = await build({ stdin: { contents: oneInformer, resolveDir: root, loader: 'ts' }, bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error', platform: 'browser', external: ['rxjs', 'react'], plugins: [pages(skip)], metafile: true });
  console.log(String(skip), gzipSync(Buffer.concat(outputFiles.map(({ contents }) => contents)), { level: 9 }).length, Buffer.concat(outputFiles.map(({ contents }) => contents)).length);
  if (process.argv[2]) { const out = Object.values(metafile.outputs)[0]!; for (const [f, { bytesInOutput }] of Object.entries(out.inputs).sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput)) console.log(String(bytesInOutput).padStart(7), f); break; }
}
