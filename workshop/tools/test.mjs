// Runs specs: node workshop/tools/test.mjs [HOUSE ...] [PATH ...] [options of Jest]. A house is `root`, the folder of a package, `workshop`, or one of
// `built`, `e2e`, `real`, `peers`, `runtimes` and `installed` (needs the dependencies of the workshop), which run only when they are named.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const everyDay = ['root', 'views', 'controller', 'relay', 'inspector', 'api-server', 'cli', 'workshop'];
const apart = ['built', 'e2e', 'real', 'peers', 'runtimes', 'installed'];
const given = process.argv.slice(2);
const houses = given.filter((word) => [...everyDay, ...apart].includes(word));
const others = given.filter((word) => !houses.includes(word));
const selected = houses.length > 0 ? houses : everyDay;
const report = houses.length > 0 ? houses.join('-') : 'test';
const { status } = spawnSync(
  process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')],
    // The paths come first: Jest takes all that follows this option for names of projects.
    ...others,
    ...['--selectProjects', ...selected, '--json', `--outputFile=reports/${report}.json`, '--passWithNoTests'],
  ],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
