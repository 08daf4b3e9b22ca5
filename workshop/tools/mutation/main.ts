// Changes the sources, one place at a time, and checks whether a spec fails:
//
//   npm run mutation                               every target of targets.ts
//   npm run mutation -- operators applier          some of them
//   npm run mutation -- reflector --only step.ts   the files whose paths contain that
//   npm run mutation -- cache --seed 7             another sample
//   npm run mutation -- --write                    the same, and writes workshop/reports/mutation.md
//
// A survivor that is not a defect has its reason in a comment beside the code (reasonsIn.ts). One build contains all mutants, each behind a
// call of `__mutant`. The specs are loaded once, without Jest, and a mutant is tried with the tests that reach it.
import { parseArgs } from 'node:util';
import { percentKilled } from './percentKilled.js';
import { runTarget } from './runTarget.js';
import { targets } from './targets.js';
import { writePage } from './writePage.js';

const least = 85;

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, seed: { type: 'string', default: '1' }, write: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknown = positionals.find((name) => !targets.some((target) => target.name === name));
if (unknown !== undefined) throw new TypeError(`Expected names of ${targets.map(({ name }) => name).join(', ')}, got ${unknown}`);
if (!/^\d+$/.test(values.seed)) throw new TypeError(`Expected \`--seed\` to be a number, got ${values.seed}`);
if (values.write && values.only !== '') throw new TypeError('Expected no `--only` with `--write`: the page has whole targets');

for (const target of targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const from = performance.now();
  const result = await runTarget(target, {
    only: values.only,
    seed: values.seed,
    onSurvivor: ({ file, line, original, replacement, isReached }) =>
      console.log(`${file}:${String(line)}${isReached ? '' : ' (not reached)'}\n    ${original}\n    ${replacement}`),
  });
  const percent = percentKilled(result);
  const minutes = ((performance.now() - from) / 60_000).toFixed(1);
  console.log(
    `${result.name}: ${percent.toFixed(1)} % of ${String(result.tried)} mutants killed by ${String(result.tests)} tests in ${minutes} minutes, ${String(result.hanging)} of them did not end`,
  );
  for (const reason of result.stale) console.error(`This comment speaks of no mutant: ${reason}`);
  if (percent < least || result.stale.length > 0) process.exitCode = 1;
  if (values.write) writePage(result);
}
