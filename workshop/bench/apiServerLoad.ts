// A client in a process of its own, for apiServer.ts: node apiServerLoad.js <job> <port> <options as JSON>
import { once } from 'node:events';
import { openStream, RawConnection } from './rawHttp.js';

/** The result of `ping`, which runs until it is told to stop. */
export interface PingFigures {
  readonly pings: number;
  readonly longestMs: number;
}

/** The result of `write`. */
export interface WriteFigures {
  readonly writesPerSecond: number;
  /** The number of events of the watcher that got the fewest. */
  readonly eventsPerWatcher: number;
  readonly writes: number;
  /** From the last answer to a write to the last event at the slowest watcher. */
  readonly lagMs: number;
}

export interface WriteOptions {
  /** When to end: after this time, or after this number of writes. */
  readonly seconds?: number;
  readonly writes?: number;
  readonly connections: number;
  readonly watchers: number;
}

const path = '/api/v1/namespaces/default/configmaps';
const objects = 1_000;
const json = 'application/json';
const filling = 'x'.repeat(300);
const eventStart = Buffer.from('{"type":"');
const [, , job = '', portText = '', optionsText = '{}'] = process.argv;
const port = Number(portText);

function countOf(part: Buffer): number {
  let count = 0;
  for (let at = part.indexOf(eventStart); at !== -1; at = part.indexOf(eventStart, at + eventStart.length)) count += 1;
  return count;
}

async function ping(): Promise<void> {
  const connection = new RawConnection(port);
  let pings = 0;
  let longestMs = 0;
  const told = { over: false };
  process.once('message', () => (told.over = true));
  await connection.request('GET', '/api/v1/namespaces/default');
  process.send?.('ready');
  while (!told.over) {
    const begun = performance.now();
    await connection.request('GET', '/api/v1/namespaces/default');
    longestMs = Math.max(longestMs, performance.now() - begun);
    pings += 1;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  process.send?.({ pings, longestMs } satisfies PingFigures);
}

async function write({ seconds = Infinity, writes: most = Infinity, connections, watchers }: WriteOptions): Promise<void> {
  const all = Array.from({ length: connections }, () => new RawConnection(port));
  await Promise.all(
    all.map(async (connection, at) => {
      for (let number = at; number < objects; number += connections) {
        const metadata = { name: `c-${String(number)}` };
        await connection.request('POST', path, json, JSON.stringify({ metadata, data: { filling } }));
      }
    }),
  );
  let lastEventAt = 0;
  const counts = new Array<number>(watchers).fill(0);
  for (let at = 0; at < watchers; at += 1) {
    openStream(port, `${path}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`, '', (part) => {
      counts[at] = (counts[at] ?? 0) + countOf(part);
      lastEventAt = performance.now();
    });
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  counts.fill(0);
  process.send?.('ready');
  await once(process, 'message');
  let writes = 0;
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  await Promise.all(
    all.map(async (connection, at) => {
      for (let number = at; performance.now() < end && writes < most; number += connections) {
        writes += 1;
        const patch = JSON.stringify({ data: { count: String(writes) } });
        const code = await connection.request('PATCH', `${path}/c-${String(number % objects)}`, 'application/merge-patch+json', patch);
        if (code !== 200) throw new Error(`A write was answered with ${String(code)}`);
      }
    }),
  );
  const written = performance.now();
  while (Math.min(...counts) < writes && performance.now() < written + 5_000) await new Promise((resolve) => setTimeout(resolve, 1));
  const figures: WriteFigures = {
    writes,
    writesPerSecond: (writes / (written - begun)) * 1_000,
    eventsPerWatcher: Math.min(...counts),
    lagMs: Math.max(0, lastEventAt - written),
  };
  process.send?.(figures);
}

if (job === 'ping') await ping();
else await write(JSON.parse(optionsText) as WriteOptions);
process.disconnect();
process.exit();
