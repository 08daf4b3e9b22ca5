// Runs after `npm install` in a clone, before `npm pack` and `npm publish`, and when the package is installed from git: builds dist, unless it is there
// already and no package is being made of it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '');
const hasTools = existsSync(`${root}node_modules/typescript`) && existsSync(`${root}node_modules/esbuild`);

if (!hasTools) {
  console.log('dist is not built: the development dependencies are not installed');
} else if (isPacking || !existsSync(`${root}dist/esm/index.js`)) {
  const register = `${root}tools/register-ts-node.mjs`;
  process.exitCode =
    spawnSync(process.execPath, ['--import', register, `${root}tools/build.ts`], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
      .status ?? 1;
}
