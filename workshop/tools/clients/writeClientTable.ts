import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { replaceBetween } from '../docs/replaceBetween.js';
import type { ClientRun } from './clientRun.js';

const shortened = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 200);

function runsIn(folder: string): ClientRun[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as ClientRun);
}

function rowOf({ client, version, what, server, date, passed, skipped, failed }: ClientRun): string {
  const why = failed.map(({ case: name, why: reason }) => `${shortened(name)}: ${shortened(reason)}`);
  if (skipped > 0) why.push(`${String(skipped)} left out by the suite itself`);
  const cases = passed + failed.length;
  return `| ${[client, version, what, server, date, String(cases), String(passed), why.join('; ')].join(' | ')} |`;
}

/** Writes the table of clients in workshop/reports/clients.md from the results in workshop/reports/runs/clients. */
export function writeClientTable(root: string): void {
  const rows = runsIn(`${root}workshop/reports/runs/clients`)
    .sort(
      (a, b) =>
        a.client.localeCompare(b.client, 'en') ||
        a.version.localeCompare(b.version, 'en', { numeric: true }) ||
        a.what.localeCompare(b.what, 'en') ||
        a.server.localeCompare(b.server, 'en'),
    )
    .map(rowOf);
  const table = [
    '| client | version | what | server | date | cases | passed | why not |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
  const path = `${root}workshop/reports/clients.md`;
  writeFileSync(path, replaceBetween(readFileSync(path, 'utf8'), 'clients', table));
}
