// `npm run demo`: the demonstration from the current sources. Bundling them takes a quarter of the time that compiling each would.
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const outdir = join(root, 'node_modules/.cache/rx-informer-cli');
await build({
  entryPoints: [join(root, 'packages/cli/src/main.ts')],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  conditions: ['@rx-informer/source'],
  external: ['rxjs', 'immer', 'yaml', 'commander', '@marcbachmann/cel-js', 're2js', '@kubernetes/client-node', 'create-rx-informer'],
  sourcemap: true,
  logLevel: 'error',
});
// The demonstration starts its server under this path.
process.argv.splice(1, 1, join(outdir, 'main.js'), 'demo');
await import(join(outdir, 'main.js'));
