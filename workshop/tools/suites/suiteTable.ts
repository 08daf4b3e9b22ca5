import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ClientRun } from '../clients/clientRun.js';
import type { SuiteCount } from './suiteCount.js';

interface SuiteRun {
  readonly date: string;
  readonly counts: readonly SuiteCount[];
}

interface Row {
  readonly suite: string;
  readonly version: string;
  readonly server: string;
  readonly date: string;
  readonly passed: number;
  readonly runs?: number;
  readonly failed: readonly string[];
}

function readAll(folder: string): readonly unknown[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as unknown);
}

const own = 'its own tests';
/** Clients that are used as they are, by cases of this repository. */
const others = new Set(['Helm', 'kube-rs']);

/** The table of third-party tests and their results: those of `npm run test:suites`, and the own tests of clients. */
export function suiteTable(root: string): string {
  const suites = (readAll(`${root}workshop/reports/runs/suites`) as readonly SuiteRun[]).flatMap(({ date, counts }): Row[] =>
    counts.map((count) => ({ ...count, server: 'embedded', date })),
  );
  const clients = (readAll(`${root}workshop/reports/runs/clients`) as readonly ClientRun[])
    .filter(({ client, what }) => what.startsWith(own) || (others.has(client) && !what.startsWith('the example')))
    .map(({ client, what, failed, ...run }): Row => ({
      ...run,
      suite: `${client}, ${what.startsWith(own) ? own : what}`,
      failed: failed.map((one) => one.case),
    }));
  const rows = [...suites, ...clients];
  const failing = rows.flatMap(({ suite, server, failed }) => failed.map((title) => `- ${suite}, ${server}: ${title}`));
  return [
    '| suite | version | server | date | passed |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ suite, version, server, date, passed, failed, runs = 1 }) =>
        `| ${suite} | ${version} | ${server} | ${date} | ${String(passed)} of ${String(passed + failed.length)}${runs === 1 ? '' : `, in each of ${String(runs)} runs`} |`,
    ),
    ...(failing.length > 0 ? ['', 'Those that do not pass:', '', ...failing] : []),
  ].join('\n');
}
