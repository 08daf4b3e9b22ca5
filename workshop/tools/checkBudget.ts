// Checks heap per cached object and the sizes of bundles. Fails when a figure is more than a tenth above budget.json, or above the promises
// for pages in docs/numbers.md. Only figures that are the same in every run: times belong to `npm run bench`.
//
//   npm run -s --prefix workshop budget                  compares
//   npm run -s --prefix workshop budget -- --update      makes the present figures the budget
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { forPages } from './forPages.js';
import { type Figures, overBudget, tolerance } from './overBudget.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const baseline = fileURLToPath(new URL('budget.json', import.meta.url));
const run = promisify(execFile);

const promised: Figures = {
  'relaySource in a page, gzip': 9_000,
  'relaySource and the hooks of React, gzip': 13_000,
  'a direct informer in a page, gzip': 45_000,
};

/** The smallest program with one informer of pods. */
const oneInformer = `
  import { createClient, createInformer, resources } from './src/index.js';
  createInformer(createClient({ server: 'http://localhost' }), resources.core.v1.pods).resource$.subscribe(console.log);
`;

/** Leaves out modules that are loaded on demand. */
const notYet: Plugin = {
  name: 'not-yet',
  setup: (building) => {
    building.onResolve({ filter: /^\./ }, ({ path, kind }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};

/** Bundles and minifies, without the external packages. */
async function bundle(program: string, options: BuildOptions): Promise<Uint8Array> {
  const { outputFiles = [] } = await build({
    stdin: { contents: program, resolveDir: root, loader: 'ts' },
    ...{ bundle: true, minify: true, format: 'esm', write: false, logLevel: 'error', conditions: ['@rx-informer/source'] },
    ...options,
  });
  return Buffer.concat(outputFiles.map(({ contents }) => contents));
}

async function bundledBytes(program: string): Promise<number> {
  return (await bundle(program, { platform: 'node', external: ['rxjs', 'immer', 'yaml', 'socks', '@kubernetes/client-node'] })).length;
}

/** The size of a page's download without RxJS and React: at first, or including modules that are loaded later. */
async function pageBytes(program: string, plugins: Plugin[] = [notYet, forPages]): Promise<number> {
  return gzipSync(await bundle(program, { platform: 'browser', external: ['rxjs', 'react'], plugins }), { level: 9 }).length;
}

async function heapPerPod(): Promise<number> {
  const args = ['--expose-gc', '--import', './workshop/tools/register-ts-node.mjs', 'workshop/bench/heapPerPod.ts'];
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { ...process.env, NODE_ENV: 'production' } });
  return Number(stdout);
}

async function measured(): Promise<Figures> {
  return {
    'heap per cached pod': Math.round(await heapPerPod()),
    'core entry, bundled and minified': await bundledBytes("export * from './src/index.js';"),
    'one informer, bundled and minified': await bundledBytes(oneInformer),
    'relaySource in a page, gzip': await pageBytes("export { relaySource } from '@rx-informer/relay/client';"),
    'relaySource and the hooks of React, gzip': await pageBytes(
      "export { relaySource } from '@rx-informer/relay/client'; export { useRelay } from '@rx-informer/relay/react';",
    ),
    'a page with RelayProvider and useRelay, gzip': await pageBytes("export { RelayProvider, useRelay } from '@rx-informer/relay/react';"),
    'a direct informer in a page, gzip': await pageBytes(oneInformer),
    'and all that it may load later, gzip': await pageBytes(oneInformer, [forPages]),
  };
}

function compare(figures: Figures, budget: Figures): boolean {
  const over = overBudget(figures, budget, promised);
  for (const [what, figure] of Object.entries(figures)) {
    const change = figure / (budget[what] ?? NaN) - 1;
    const percent = `${change > 0 ? '+' : ''}${(change * 100).toFixed(1)} %`;
    const verdict = over.includes(what) ? 'OVER BUDGET' : 'ok';
    console.log(`${what.padEnd(42)} ${String(figure).padStart(8)} bytes  ${percent.padStart(9)}  ${verdict}`);
  }
  return over.length === 0;
}

const { update } = parseArgs({ options: { update: { type: 'boolean', default: false } } }).values;
const figures = await measured();
if (update) await writeFile(baseline, `${JSON.stringify(figures, undefined, 2)}\n`);
const within = compare(figures, JSON.parse(await readFile(baseline, 'utf8')) as Figures);
if (!within)
  console.log(
    `More than ${tolerance * 100} % above workshop/tools/budget.json, or above what is promised. If it is worth it: npm run -s --prefix workshop budget -- --update`,
  );
process.exitCode = within ? 0 : 1;
