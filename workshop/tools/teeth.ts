// Whether the properties find what they are there for, with the histories that `npm test` tries: npm run -s --prefix workshop teeth [-- SPEC ...]
//
// workshop/teeth.json has changes of the sources that each must find. A spec is run with one change after another, several times, since most histories
// are drawn anew. Those marked `deep` are looked for with `--deep`, in the histories of `npm run test:deep`. The explorations try theirs in each run of
// their specs ("would find it if"). Writes workshop/reports/teeth.md when all specs are tried.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Whether it is found so rarely that only a deep run looks for it. */
  readonly deep?: true;
}

interface Property {
  readonly spec: string;
  /** A part of the test's name; all of the spec's if empty. */
  readonly test: string;
  readonly mutants: readonly Mutant[];
}

const root = join(import.meta.dirname, '../..');
/** Far more than the slowest of them takes. */
const limitMs = 1_800_000;
const all = JSON.parse(readFileSync(join(root, 'workshop/teeth.json'), 'utf8')) as readonly Property[];
const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: { deep: { type: 'boolean', default: false }, times: { type: 'string', default: '3' } },
});
const times = values.deep ? 1 : Number(values.times);
const properties = all.filter(({ spec }) => asked.length === 0 || asked.some((name) => spec.includes(name)));

/** Whether a test of the property fails. @throws Error when the spec could not be run. */
function finds({ spec, test }: Property, mutant: Mutant): boolean {
  const report = join(root, 'reports/teeth.json');
  rmSync(report, { force: true });
  const { stderr, signal } = spawnSync(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', join(root, 'node_modules/jest/bin/jest.js')],
      ...['--config', join(root, 'workshop/jest/mutant.config.js'), '--runTestsByPath', spec, '-t', test],
      ...['--runInBand', '--bail', '--json', `--outputFile=${report}`],
    ],
    {
      ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: limitMs, killSignal: 'SIGKILL' },
      env: { ...process.env, MUTANT: JSON.stringify(mutant), ...(values.deep && { TEST_DEPTH: '10' }) },
    },
  );
  // It did not end: a loop that nothing ends is found, too.
  if (signal !== null) return true;
  const result = JSON.parse(readFileSync(report, 'utf8')) as {
    readonly numFailedTests: number;
    readonly numPassedTests: number;
    readonly numRuntimeErrorTestSuites: number;
  };
  if (result.numRuntimeErrorTestSuites > 0 || result.numFailedTests + result.numPassedTests === 0) throw new Error(stderr);
  return result.numFailedTests > 0;
}

function isFound(property: Property, mutant: Mutant): boolean {
  const source = readFileSync(join(root, mutant.file), 'utf8');
  if (source.split(mutant.from).length !== 2)
    throw new Error(`Expected the text of "${mutant.name}" once in ${mutant.file}: ${mutant.from}`);
  for (let time = 0; time < times; time += 1) if (!finds(property, mutant)) return false;
  return true;
}

const rows: string[] = [];
for (const property of properties)
  for (const mutant of property.mutants) {
    const isDeep = mutant.deep === true;
    if (isDeep === values.deep) {
      const found = isFound(property, mutant);
      console.log(`${found ? 'found    ' : 'NOT FOUND'} ${property.spec}: ${mutant.name}`);
      if (!found) process.exitCode = 1;
    }
    const name = property.spec.replace(/^.*\/|\.spec\.ts$/g, '');
    rows.push(`| [${name}](../../${property.spec}) | ${mutant.name} | ${mutant.file} | ${isDeep ? 'only deep' : 'by day'} |`);
  }
if (asked.length === 0 && process.exitCode === undefined)
  writeFileSync(
    join(root, 'workshop/reports/teeth.md'),
    `# Teeth of the properties

Each row is a change of a source that a property finds. *By day*: with the quarter of its histories that \`npm test\` tries, ${values.times === '1' ? 'in one run' : `in each of ${values.times} runs`}. *Only deep*: with
those of \`npm run test:deep\`. Written by \`npm run -s --prefix workshop teeth\`. The explorations try theirs in each run of their specs ("would find it if").

| property | what would be wrong | in | found |
|---|---|---|---|
${rows.join('\n')}
`,
  );
