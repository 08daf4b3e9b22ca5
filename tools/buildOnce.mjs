// Runs after `npm install` and `npm ci` in a clone: builds dist if it is missing. Run by npm's script `dependencies`, because npm does not
// run that for users of the package, unlike `prepare`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const hasTools = existsSync(`${root}node_modules/typescript`) && existsSync(`${root}node_modules/esbuild`);

if (!hasTools) {
  console.log('dist is not built: the development dependencies are not installed');
} else if (!existsSync(`${root}dist/esm/index.js`)) {
  const args = ['--import', `${root}tools/register-ts-node.mjs`, `${root}tools/build.ts`];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
}
