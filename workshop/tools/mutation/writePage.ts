import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { percentKilled } from './percentKilled.js';
import { type Target, targets } from './targets.js';
import type { Survivor, TargetResult } from './targetResult.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const runs = join(root, 'workshop/reports/runs/mutation');

const pathOf = (name: string): string => join(runs, `${name}.json`);

function resultOf({ name }: Target): readonly TargetResult[] {
  return existsSync(pathOf(name)) ? [JSON.parse(readFileSync(pathOf(name), 'utf8')) as TargetResult] : [];
}

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function survivorLine({ file, line, original, replacement, isReached, ...rest }: Survivor): string {
  const reason = rest.reason ?? (isReached ? 'not looked into yet' : 'no test of this run reaches it');
  return `- ${file.replace('src/', '')}:${String(line)}: ${code(original)} as ${code(replacement)}: ${reason}`;
}

function rowOf(result: TargetResult): string {
  const { name, build, all, tried, untried, hanging, tests, seed } = result;
  const drawn = tried + untried < all ? `, drawn with seed ${seed}` : '';
  const counts = `${String(tried)} of ${String(all)}${drawn} | ${String(untried)}`;
  return `| ${name} | ${build} | ${counts} | ${percentKilled(result).toFixed(1)} % | ${String(hanging)} | ${String(tests)} |`;
}

function listOf({ name, survivors }: TargetResult): string {
  return [`## ${name}`, '', ...survivors.map(survivorLine)].join('\n');
}

/** Stores a result in workshop/reports/runs/mutation, and writes workshop/reports/mutation.md from all stored results. */
export function writePage(result: TargetResult): void {
  mkdirSync(runs, { recursive: true });
  writeFileSync(pathOf(result.name), `${JSON.stringify(result, null, 1)}\n`);
  const results = targets.flatMap(resultOf);
  const page = [
    '# Mutation testing',
    '',
    'How well the specs watch the code: `npm run -s --prefix workshop mutation` changes the sources a little, one place at a time (a comparison, a condition, a literal, a',
    'statement that is left out), and looks whether a spec fails. What decides, what applies changes, and the operators are changed in every place; elsewhere a sample is',
    'drawn. Left out is what is looked at only while modules are loaded (tables). A mutant is tried with the tests of its room that reach it, but for those that take more',
    'than 400 ms of processor time; properties run fifty cases at most, the same ones each time. A mutant that asks three times as much as the sources do has no end, and is',
    'killed by that. Below 85 % it fails. Why a survivor is no defect stands in a comment above the code (`// mutation text: ...`). This page is written by `npm run -s --prefix workshop mutation -- --write`.',
    "The build is the commit of a target's last run: files and lines are those of that build, and a file may have another name today (`git show BUILD:FILE` shows it).",
    '',
    '| target | build | mutants tried | left out | killed | of them, did not end | tests |',
    '|---|---|---|---|---|---|---|',
    ...results.map(rowOf),
    '',
    ...results.flatMap((one) => [listOf(one), '']),
  ].join('\n');
  writeFileSync(join(root, 'workshop/reports/mutation.md'), page);
}
