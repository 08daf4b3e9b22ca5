// `npm run demo`: the demonstration from the current sources. Bundling them takes a quarter of the time that compiling each would.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = `${root}node_modules/.cache/rx-informer-cli`;
await build({
  entryPoints: [`${root}src/cli/main.ts`],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'es2022',
  packages: 'external',
  sourcemap: true,
  logLevel: 'error',
});
// The demonstration starts its server under this path.
process.argv.splice(1, 1, `${outdir}/main.js`, 'demo');
await import(`${outdir}/main.js`);
