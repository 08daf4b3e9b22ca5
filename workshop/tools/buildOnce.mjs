// Runs after `npm install` and `npm ci` in a clone: builds the packages if dist is missing. Run by npm's script `dependencies`, because npm does not
// run that for users of the package, unlike `prepare`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const hasTools = ['typescript', 'esbuild'].every((name) => existsSync(join(root, 'node_modules', name)));

if (!hasTools) {
  console.log('dist is not built: the development dependencies are not installed');
} else if (!existsSync(join(root, 'packages/cli/dist/esm/main.js'))) {
  const args = [join(root, 'workshop/tools/run.mjs'), 'build'];
  process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status ?? 1;
}
