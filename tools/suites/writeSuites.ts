import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { replaceBetween } from '../docs/replaceBetween.js';
import type { SuiteCount } from './countSpecs.js';

interface SuiteRun {
  readonly date: string;
  readonly counts: readonly SuiteCount[];
}

/** Writes the table of other people's suites on docs/server-versions.md, from docs/runs/suites. */
export function writeSuites(root: string): void {
  mkdirSync(`${root}docs/runs/suites`, { recursive: true });
  const files = readdirSync(`${root}docs/runs/suites`).filter((name) => name.endsWith('.json'));
  const runs = files.map((name) => JSON.parse(readFileSync(`${root}docs/runs/suites/${name}`, 'utf8')) as SuiteRun);
  const rows = runs.flatMap(({ date, counts }) =>
    counts.map(({ suite, passed, failed }) => `| ${suite} | ${date} | ${String(passed)} of ${String(passed + failed.length)} |`),
  );
  const failing = runs.flatMap(({ counts }) => counts.flatMap(({ failed }) => failed.map((title) => `- ${title}`)));
  const text = [
    '| suite | date | passed |',
    '| --- | --- | --- |',
    ...rows,
    ...(failing.length > 0 ? ['', 'Those that do not pass:', '', ...failing.sort()] : []),
  ].join('\n');
  const page = `${root}docs/server-versions.md`;
  writeFileSync(page, replaceBetween(readFileSync(page, 'utf8'), 'suites', text));
}
