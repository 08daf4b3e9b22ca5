/**
 * `npm run bench -- recovery [--times=20] [--faults=500,403] [--atOnce=10]`: how long it takes after a fault until a cache is right again.
 *
 * An API server stands behind a proxy that has the faults, one at a time, and informers of rx-informer and of client-go in front of it, each in a process of its
 * own that has just synced. Most faults last 8 to 12 s, at random; an object changes meanwhile. The time counts from the end of the fault until the informer
 * has told of that change.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildClientGo, hasGo } from '../spec/peers/clientGo.js';
import { type Fault, FaultProxy } from './recovery/faultProxy.js';
import { Follower } from './recovery/follower.js';
import { median } from './rounds.js';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const typescript = ['--import', './workshop/tools/register-ts-node.mjs'];
const fileOf = (name: string): string => fileURLToPath(new URL(`recovery/${name}.ts`, import.meta.url));

/** How long a cache may take to be right again. */
const longestMs = 120_000;
/** How long the informers watch before a fault. */
const quietMs = 2_500;

/** Faults that last, by name. */
const lasting: Readonly<Record<string, Fault>> = {
  refused: { do: 'refuse' },
  'cut at connect': { do: 'cutAtConnect' },
  hanging: { do: 'hang' },
  '500': { do: 'answer', code: 500, reason: 'InternalError' },
  '503 with Retry-After': { do: 'answer', code: 503, reason: 'ServiceUnavailable', retryAfterSeconds: 3 },
  '429 with Retry-After': { do: 'answer', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
  '403 that is granted': { do: 'answer', code: 403, reason: 'Forbidden' },
};
const names = ['cut', ...Object.keys(lasting), '410'];

const { values } = parseArgs({
  options: { times: { type: 'string', default: '20' }, faults: { type: 'string' }, atOnce: { type: 'string', default: '10' } },
});
const times = Number(values.times);
const chosen = values.faults?.split(',') ?? names;
const unknown = chosen.find((name) => !names.includes(name));
if (unknown !== undefined) throw new TypeError(`Expected faults of ${names.join(', ')}, got ${unknown}`);

const api = fork(fileOf('server'), { execArgv: typescript });
const [apiUrl] = (await once(api, 'message')) as [string];
const proxy = new FaultProxy(apiUrl);
await proxy.listen();
let changes = 0;
async function change(): Promise<number> {
  changes += 1;
  api.send(`change ${changes}`);
  const [version] = (await once(api, 'message')) as [string];
  return Number(version);
}

const clientGo = hasGo ? buildClientGo() : undefined;
if (clientGo === undefined) console.log('Go is not installed: client-go is left out');
const sides: Readonly<Record<string, () => Follower>> = {
  'rx-informer': () => new Follower(process.execPath, [...typescript, fileOf('informer'), proxy.url]),
  ...(clientGo !== undefined && { 'client-go': () => new Follower(clientGo.program, ['informer', proxy.url, 'default']) }),
};

/** Has the fault once. Returns when it was over, and the version that everybody must reach. */
async function have(name: string): Promise<{ readonly overAt: number; readonly version: number }> {
  const fault = lasting[name];
  if (fault !== undefined) {
    proxy.begin(fault);
    const version = await change();
    await pause(8_000 + 4_000 * Math.random());
    await proxy.end();
    return { overAt: performance.now(), version };
  }
  await change();
  if (name === 'cut') {
    await pause(500);
    proxy.cut();
    return { overAt: performance.now(), version: await change() };
  }
  proxy.begin({ do: 'expire', below: (await change()) + 1 });
  return { overAt: performance.now(), version: await change() };
}

async function round(name: string, count: number): Promise<Readonly<Record<string, readonly number[]>>> {
  const all = Object.entries(sides).flatMap(([side, start]) => Array.from({ length: count }, () => ({ side, follower: start() })));
  try {
    await Promise.all(all.map(({ follower }) => follower.synced));
    await pause(quietMs);
    const { overAt, version } = await have(name);
    const isLate = (): boolean => performance.now() - overAt > longestMs;
    while (!isLate() && all.some(({ follower }) => follower.reached(version) === undefined)) await pause(50);
    await proxy.end();
    const took = ({ follower }: { readonly follower: Follower }): number =>
      Math.max(0, (follower.reached(version) ?? overAt + longestMs) - overAt);
    return Object.fromEntries(Object.keys(sides).map((side) => [side, all.filter((one) => one.side === side).map(took)]));
  } finally {
    for (const { follower } of all) follower.stop();
  }
}

const seconds = (ms: number): string => (ms / 1000).toFixed(2);

console.log('| fault | rx-informer, median | worst | client-go, median | worst | ratio of medians | of worsts |');
console.log('|---|---|---|---|---|---|---|');
try {
  for (const name of chosen) {
    const taken: Record<string, number[]> = {};
    for (let left = times; left > 0; left -= Number(values.atOnce)) {
      for (const [side, more] of Object.entries(await round(name, Math.min(left, Number(values.atOnce)))))
        (taken[side] ??= []).push(...more);
    }
    const figures = Object.keys(sides).map((side) => ({ median: median(taken[side] ?? []), worst: Math.max(...(taken[side] ?? [])) }));
    const [ours, theirs] = figures;
    const ratio = (of: 'median' | 'worst'): string =>
      ours === undefined || theirs === undefined ? '' : (ours[of] / theirs[of]).toFixed(2);
    const shown = figures.flatMap((one) => [`${seconds(one.median)} s`, `${seconds(one.worst)} s`]);
    console.log(`| ${[name, ...shown, ...(theirs === undefined ? ['', ''] : []), ratio('median'), ratio('worst')].join(' | ')} |`);
  }
} finally {
  proxy.close();
  api.disconnect();
  clientGo?.remove();
}
