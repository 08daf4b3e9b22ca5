/**
 * Measures the embedded API server: its start, the effect of a large list on other requests, writes fanned out to watchers, a watcher that does not
 * read, and the memory retained after CustomResourceDefinitions are deleted. Server and clients are separate processes. Prints the median of several
 * rounds, and each round.
 *
 * `node --import ./workshop/tools/register-ts-node.mjs workshop/bench/apiServer.ts [start] [lists] [writes] [slow-watcher] [definitions]`
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PingFigures, WriteFigures, WriteOptions } from './apiServerLoad.js';
import type { DefinitionFigures } from './apiServerDefinitions.js';
import type { ServerFigures } from './apiServerProcess.js';
import { compile, compiled } from './compile.js';
import { openStream } from './rawHttp.js';

const pods = 20_000;
const rounds = 3;
const writeRounds = 5;

function start(file: string, ...args: readonly string[]): ChildProcess {
  const env = { ...process.env, NODE_ENV: 'production' };
  return fork(join(compiled, file), args, { execArgv: ['--expose-gc', '--max-old-space-size=4096'], env });
}

async function message<T>(child: ChildProcess): Promise<T> {
  const [received] = (await once(child, 'message')) as [T];
  return received;
}

/** Asks a server process for one of its answers. */
async function ask(server: ChildProcess, question: string): Promise<ServerFigures> {
  server.send(question);
  return message(server);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

interface Target {
  readonly atMost?: number;
  readonly atLeast?: number;
}

function line(what: string, target: string, measured: string, verdict: string, each: string): void {
  console.log([what.padEnd(56), target.padEnd(16), measured.padStart(13), '', verdict.padEnd(7), each].join(' ').trimEnd());
}

function print(what: string, values: readonly number[], unit: string, { atMost, atLeast }: Target = {}): void {
  const middle = median(values);
  const digits = middle < 100 && !values.every((value) => Number.isInteger(value)) ? 1 : 0;
  const met = (atMost === undefined || middle <= atMost) && (atLeast === undefined || middle >= atLeast);
  const target = atMost !== undefined ? `<= ${String(atMost)} ${unit}` : atLeast !== undefined ? `>= ${String(atLeast)} ${unit}` : '';
  const each = values.map((value) => value.toFixed(digits)).join(' ');
  line(what, target, `${middle.toFixed(digits)} ${unit}`, target === '' ? '' : met ? 'met' : 'MISSED', each);
}

async function measureStart(): Promise<void> {
  const times: number[] = [];
  const first: number[] = [];
  const writes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = start('apiServerStart.js');
    const { firstMs, writeMs, laterMs } = await message<{ readonly firstMs: number; readonly writeMs: number; readonly laterMs: number }>(
      child,
    );
    first.push(firstMs);
    writes.push(writeMs);
    times.push(laterMs);
  }
  print('start, the first in a process, modules included', first, 'ms');
  print('the first write in a process, definitions unpacked', writes, 'ms', { atMost: 100 });
  print('start, each later one (median of 20)', times, 'ms', { atMost: 100 });
}

/** Reads an answer to its end. */
function drain(port: number, path: string, headers: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  return new Promise((resolve) => {
    const begun = performance.now();
    let bytes = 0;
    const socket = openStream(port, path, `connection: close\r\n${headers}`, (part) => (bytes += part.length));
    socket.on('close', () => resolve({ ms: performance.now() - begun, bytes }));
  });
}

interface ListFigures extends ServerFigures, PingFigures {
  readonly ms: number;
  readonly bytes: number;
}

/** One list, while another client asks for one object again and again. */
async function measureList(server: ChildProcess, port: number, path: string, headers: string): Promise<ListFigures> {
  const pinger = start('apiServerLoad.js', 'ping', String(port));
  await message(pinger);
  await ask(server, 'meter');
  const list = await drain(port, path, headers);
  const held = await ask(server, 'held');
  pinger.send('stop');
  return { ...list, ...held, ...(await message<PingFigures>(pinger)) };
}

function printLists(name: string, lists: readonly ListFigures[]): void {
  const of = (read: (one: ListFigures) => number): readonly number[] => lists.map(read);
  const megabytes = ((lists[0]?.bytes ?? 0) / 1e6).toFixed(0);
  print(
    `list of ${String(pods)} pods, ${name}: ${megabytes} MB in`,
    of(({ ms }) => ms),
    'ms',
  );
  print(
    '  longest answer to another client meanwhile',
    of(({ longestMs }) => longestMs),
    'ms',
    { atMost: 50 },
  );
  print(
    "  longest hold of the server's event loop",
    of(({ heldMs }) => heldMs),
    'ms',
    { atMost: 50 },
  );
  print(
    "  the same by its thread's own running time",
    of(({ heldCpuMs }) => heldCpuMs),
    'ms',
    { atMost: 50 },
  );
}

const table = 'accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n';
const streamed =
  '/api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1';
const lists: readonly (readonly [string, string, string, number])[] = [
  ['whole', '/api/v1/pods', '', rounds],
  ['gzip', '/api/v1/pods', 'accept-encoding: gzip\r\n', rounds],
  ['label selector', '/api/v1/pods?labelSelector=app%21%3Dnothing', '', rounds],
  ['field selector', '/api/v1/pods?fieldSelector=spec.nodeName%21%3Dx', '', rounds],
  ['table', '/api/v1/pods', table, rounds],
  ['pretty', '/api/v1/pods?pretty=true', '', rounds],
  ['watch (ends at 1 s)', streamed, '', rounds],
  // Half a minute per list.
  ['YAML', '/api/v1/pods', 'accept: application/yaml\r\n', 1],
];

async function measureLists(): Promise<void> {
  const firsts: ListFigures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = start('apiServerProcess.js', String(pods));
    firsts.push(await measureList(server, await message<number>(server), '/api/v1/pods', ''));
    server.disconnect();
  }
  printLists('first after the start', firsts);
  const server = start('apiServerProcess.js', String(pods));
  const port = await message<number>(server);
  for (const [name, path, headers, times] of lists) {
    const figures: ListFigures[] = [];
    for (let round = 0; round < times; round += 1) figures.push(await measureList(server, port, path, headers));
    printLists(name, figures);
  }
  server.disconnect();
}

interface RunFigures extends WriteFigures {
  readonly cpuPerWrite: number;
}

async function measureRuns(file: string, options: WriteOptions): Promise<readonly RunFigures[]> {
  const runs: RunFigures[] = [];
  for (let round = 0; round < writeRounds; round += 1) {
    const server = start(file);
    const port = await message<number>(server);
    const load = start('apiServerLoad.js', 'write', String(port), JSON.stringify(options));
    await message(load);
    await ask(server, 'reset');
    load.send('go');
    const figures = await message<WriteFigures>(load);
    const { cpuMs } = await ask(server, 'figures');
    runs.push({ ...figures, cpuPerWrite: (cpuMs * 1_000) / figures.writes });
    server.disconnect();
  }
  return runs;
}

function printRuns(name: string, runs: readonly RunFigures[], target: Target = {}): void {
  const of = (read: (one: RunFigures) => number): readonly number[] => runs.map(read);
  print(
    name,
    of(({ writesPerSecond }) => Math.round(writesPerSecond)),
    '/s',
    target,
  );
  print(
    "  the server's processor time per write",
    of(({ cpuPerWrite }) => Math.round(cpuPerWrite)),
    'us',
  );
}

async function measureWrites(): Promise<void> {
  const options: WriteOptions = { seconds: 5, connections: 32, watchers: 10 };
  const runs = await measureRuns('apiServerProcess.js', options);
  printRuns('writes over HTTP, each to 10 watchers', runs, { atLeast: 5_000 });
  const of = (read: (one: RunFigures) => number): readonly number[] => runs.map(read);
  print(
    '  events missing at the watcher that got the fewest',
    of(({ writes, eventsPerWatcher }) => writes - eventsPerWatcher),
    '',
    { atMost: 0 },
  );
  print(
    '  from the last answer to the last event',
    of(({ lagMs }) => lagMs),
    'ms',
  );
  printRuns('the same without watchers', await measureRuns('apiServerProcess.js', { ...options, watchers: 0 }));
  printRuns('the same load on node:http, which stores nothing', await measureRuns('apiServerFloor.js', options));
}

/** Enough writes to fill the histories of requests and writes, so that they have the same length before and after the measured writes. */
const slowWrites = 29_000;

async function measureSlowWatcher(): Promise<void> {
  const server = start('apiServerProcess.js');
  const port = await message<number>(server);
  const write = async (): Promise<WriteFigures> => {
    const options: WriteOptions = { writes: slowWrites, connections: 32, watchers: 1 };
    const load = start('apiServerLoad.js', 'write', String(port), JSON.stringify(options));
    await message(load);
    const gone = once(load, 'exit');
    load.send('go');
    const figures = await message<WriteFigures>(load);
    // The load process has a watcher, which ends when the process exits.
    await gone;
    return figures;
  };
  await write();
  const before = await ask(server, 'memory');
  const slow = openStream(port, '/api/v1/namespaces/default/configmaps?watch=true', '', () => undefined);
  slow.pause();
  const { writes, eventsPerWatcher } = await write();
  const after = await ask(server, 'memory');
  const { watches } = await ask(server, 'figures');
  print(`a watcher that does not read, ${String(writes)} writes: heap grows by`, [after.heapMb - before.heapMb], 'MB', { atMost: 5 });
  print('  watches left in the end', [watches], '', { atMost: 0 });
  print('  events missing at another watcher meanwhile', [writes - eventsPerWatcher], '', { atMost: 0 });
  slow.destroy();
  server.disconnect();
}

/** The memory retained after 2,000 definitions are deleted: the histories of changes and of writes, which are bounded. */
async function measureDefinitions(): Promise<void> {
  const { beforeMb, fullMb, afterMb, bytesEach } = await message<DefinitionFigures>(start('apiServerDefinitions.js', '2000'));
  print(`memory with 2000 definitions of ${String(bytesEach)} bytes more than before`, [fullMb - beforeMb], 'MB');
  print('  once they are deleted', [afterMb - beforeMb], 'MB', { atMost: 100 });
}

compile();
console.log(`node ${process.version}\n`);
line('what', 'target', 'measured', 'verdict', 'each round');
const wanted = process.argv.slice(2);
const parts: Readonly<Record<string, () => Promise<void>>> = {
  start: measureStart,
  lists: measureLists,
  writes: measureWrites,
  'slow-watcher': measureSlowWatcher,
  definitions: measureDefinitions,
};
for (const [name, measure] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(name)) await measure();
