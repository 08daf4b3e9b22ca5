// Simulates every fault in docs/reliability.md, concurrently and in real time, with default options and servers in other processes:
//
//   npm run faults                       measures each fault, prints the table, and fails for broken promises
//   npm run faults -- cutWatch restored  some of them
//   npm run faults -- --write            the same, and writes the tables of docs/reliability.md and workshop/reports/replicas.md
//
//   npm run faults -- replicas           nine replicas of a program, which are killed, stopped and cut off, with default timing
//
// It takes about eight minutes, mostly waiting.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ServerProcess } from '../../../spec/e2e/serverProcess.js';
import { replaceBetween } from '../docs/replaceBetween.js';
import type { FaultCase } from './faultCase.js';
import { faultCases } from './faultCases.js';
import { brokenPromises, faultTable } from './faultTable.js';
import { measure, type Measurement } from './measure.js';
import { measureReplicas } from './nineReplicas.js';
import { Scene } from './scene.js';

const pageOf = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const write = (page: string, name: string, table: string): void =>
  writeFileSync(pageOf(page), replaceBetween(readFileSync(pageOf(page), 'utf8'), name, table));
/** Nine replicas with default timing, which are killed, stopped and cut off: not a fault of an informer, but measured in the same run. */
const replicas = 'replicas';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const names = [...faultCases.map(({ id }) => id), replicas];
const unknown = positionals.find((id) => !names.includes(id));
if (unknown !== undefined) throw new TypeError(`Expected names of ${names.join(', ')}, got ${unknown}`);
if (values.write && positionals.length > 0) throw new TypeError('Expected no names with `--write`: the table has all faults');
const chosen = faultCases.filter(({ id }) => positionals.length === 0 || positionals.includes(id));

async function inScene(fault: FaultCase, shared: ServerProcess): Promise<Measurement> {
  const scene = await Scene.open(fault.id, fault.ownServer ?? shared);
  try {
    return await measure(fault, scene);
  } finally {
    await scene.close();
  }
}

/** Runs this program for one fault. */
async function inProcess({ id }: FaultCase): Promise<Measurement> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), '--json', id], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await text(child.stdout);
  const [seen] = JSON.parse(printed, (key, value: unknown) => (key === 'noticedMs' && value === null ? Infinity : value)) as Measurement[];
  if (seen === undefined) throw new Error(`${id}: nothing was measured`);
  return seen;
}

async function measureFaults(): Promise<readonly (readonly [FaultCase, Measurement])[]> {
  const shared = await Scene.startServer([]);
  return Promise.all(
    chosen.map(async (fault, position): Promise<readonly [FaultCase, Measurement]> => {
      // Started one after the other, so that the starts do not delay each other.
      await sleep(position * 1_000);
      return [fault, await (fault.ownProcess === true && !values.json ? inProcess(fault) : inScene(fault, shared))];
    }),
  ).finally(() => shared.end('SIGKILL'));
}

const measured = chosen.length === 0 ? [] : await measureFaults();
const nine = positionals.length === 0 || positionals.includes(replicas) ? await measureReplicas() : undefined;

if (values.json) console.log(JSON.stringify(measured.map(([, seen]) => seen)));
else {
  const table = faultTable(measured);
  if (measured.length > 0) console.log(table);
  if (nine !== undefined) console.log(nine.table);
  const broken = [
    ...measured.flatMap(([fault, seen]) => brokenPromises(fault, seen).map((what) => `${fault.id}: ${what}`)),
    ...(nine?.broken ?? []),
  ];
  for (const what of broken) console.error(what);
  if (broken.length > 0) process.exitCode = 1;
  else if (values.write && nine !== undefined) {
    write('docs/reliability.md', 'faults', table);
    write('workshop/reports/replicas.md', replicas, nine.table);
  }
}
