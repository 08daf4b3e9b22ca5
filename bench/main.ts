/**
 * `npm run bench`: every benchmark in turn, each in a process of its own. Each prints ratios against a baseline of the same run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const benchmarks = ['workqueue', 'indexSnapshot'];

for (const name of benchmarks) {
  console.log(`\n== ${name}`);
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { status } = spawnSync(process.execPath, [...process.execArgv, file], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  });
  if (status !== 0) process.exitCode = 1;
}
