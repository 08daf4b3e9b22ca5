// Runs specs: node workshop/tools/test.mjs [HOUSE ...] [PATH ...] [options of Jest]. A house is `root`, the folder of a package, `workshop`, or one of
// `built`, `e2e`, `real`, `peers`, `runtimes` and `installed` (needs the dependencies of the workshop), which run only when they are named.
// `--deep` tries forty times as many histories in properties, and all depths of the explorations.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { apart, everyDay } from '../jest/houses.js';

const root = join(import.meta.dirname, '../..');
const folders = { ...everyDay, ...apart };
const given = process.argv.slice(2);
const houses = given.filter((word) => Object.hasOwn(folders, word));
const isDeep = given.includes('--deep');
const others = given.filter((word) => !houses.includes(word) && word !== '--deep');
const selected = houses.length > 0 ? houses : Object.keys(everyDay);
const report = [houses.length > 0 ? houses.join('-') : 'test', ...(isDeep ? ['deep'] : [])].join('-');
/** For parts, Jest's own reporter, which names each test. */
const reporters = others.length > 0 && !isDeep ? [] : ['--reporters=./workshop/jest/progressReporter.js'];
const { status } = spawnSync(
  process.execPath,
  [
    ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
    // Specs make much that is soon garbage: larger halves of the young heap save a twentieth of the time.
    ...['--max-semi-space-size=64', join(root, 'node_modules/jest/bin/jest.js')],
    // The paths come first: Jest takes all that follows these options for theirs.
    ...others,
    ...reporters,
    ...['--roots', ...selected.map((house) => folders[house])],
    ...[
      '--testPathIgnorePatterns',
      '/node_modules/',
      ...Object.keys(apart)
        .filter((house) => !selected.includes(house))
        .map((house) => apart[house]),
    ],
    ...['--json', `--outputFile=reports/${report}.json`, '--passWithNoTests'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(isDeep && { TEST_DEPTH: process.env.TEST_DEPTH ?? '10' }) } },
);
process.exitCode = status ?? 1;
