// Follows a server in another process under churn, with users of every part of the library, and fails if memory or descriptors keep
// growing:
//
//   npm run -s --prefix workshop soak -- --minutes 60
//   npm run -s --prefix workshop soak -- --minutes 60 --rate 100     100 writes per second; by default as many as possible
//   npm run -s --prefix workshop soak -- --rooms views,leases        some of the users, to find the cause of a leak
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServerProcess } from '../../../spec/e2e/serverProcess.js';
import { createClient, createInformer, resources } from 'rx-informer';
import { verifyInformer } from 'rx-informer/pipeline';
import { churn, prepare } from './churn.js';
import { Consumers } from './rooms/consumers.js';
import { InspectorRoom } from './rooms/inspectorRoom.js';
import { LeaseRoom } from './rooms/leaseRoom.js';
import { RelayRoom } from './rooms/relayRoom.js';
import type { Room } from './rooms/room.js';
import { ViewRoom } from './rooms/viewRoom.js';
import { slopeOf } from './slopeOf.js';
import { type Sample, takeSample } from './takeSample.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    rate: { type: 'string', default: 'Infinity' },
    rooms: { type: 'string', default: 'consumers,views,leases,relay,inspector' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new TypeError(`Expected \`--minutes\` to be a number > 0, got ${values.minutes}`);
const rate = Number(values.rate);
if (!(rate > 0)) throw new TypeError(`Expected \`--rate\` to be a number > 0, got ${values.rate}`);
const durationMs = minutes * 60_000;
const sampleCount = 60;

/** The growth allowed per write, in bytes, and for all writes together, in descriptors. A leaked object or event takes more. */
const bounds = { heap: 40, outside: 40, descriptors: 1 };

const server = await startServerProcess();
// Ends the server when the soak fails.
process.once('exit', () => server.child.kill());
const client = createClient({ server: server.url });
await prepare(client);
const informer = createInformer(client, resources.core.v1.configmaps, { namespace: 'default' });
const openers: Readonly<Record<string, () => Promise<Room> | Room>> = {
  consumers: () => new Consumers(informer),
  views: () => new ViewRoom(informer),
  leases: () => new LeaseRoom(client, informer),
  relay: () => RelayRoom.open(client, informer),
  inspector: () => InspectorRoom.open(),
};
const rooms: Room[] = [];
for (const name of values.rooms.split(',')) {
  const open = openers[name];
  if (open === undefined) throw new TypeError(`Expected \`--rooms\` to be of ${Object.keys(openers).join(', ')}, got ${name}`);
  rooms.push(await open());
}
await informer.whenSynced();

const samples: Sample[] = [];
const start = performance.now();
let writes = 0;
for (let round = 0; performance.now() - start < durationMs; round += 1) {
  writes += await churn(client, round);
  for (const room of rooms) await room.pass(round);
  const aheadMs = (writes / rate) * 1000 - (performance.now() - start);
  if (aheadMs > 0) await delay(aheadMs);
  if (performance.now() - start < ((samples.length + 1) * durationMs) / sampleCount) continue;
  const sample = await takeSample(writes);
  samples.push(sample);
  console.error(`${String(samples.length)} of ${String(sampleCount)}: ${JSON.stringify(sample)}`);
}
const { isConsistent } = await verifyInformer(informer, { contents: true });
for (const room of rooms) await room.leave();
await informer.stop();
client.close();
await server.end();

const steady = samples.slice(Math.ceil(samples.length / 3));
const first = steady[0]?.writes ?? 0;
const slope = (what: 'heap' | 'outside' | 'descriptors'): number =>
  slopeOf(steady.map((sample) => ({ x: sample.writes, y: sample[what] })));
const rise = { heap: slope('heap'), outside: slope('outside'), descriptors: slope('descriptors') * (writes - first) };
const problems = (['heap', 'outside', 'descriptors'] as const).filter((what) => rise[what] > bounds[what]);

const megabytes = (bytes = 0): string => (bytes / 1024 / 1024).toFixed(2);
const line = (what: string, of: (sample: Sample) => string): string =>
  `${what}: ${[samples[0], steady[0], steady[steady.length >> 1], steady.at(-1)].map((sample) => (sample === undefined ? '-' : of(sample))).join(', ')}`;
console.log(
  `${String(minutes)} minutes, ${String(writes)} writes, ${String(samples.length)} samples; at first, after warm-up, in the middle, at the end:`,
);
console.log(line('heap (MB)', ({ heap }) => megabytes(heap)));
console.log(line('outside (MB)', ({ outside }) => megabytes(outside)));
console.log(line('descriptors', ({ descriptors }) => String(descriptors)));
console.log(`heap of each sample (KB): ${samples.map(({ heap }) => Math.round(heap / 1024)).join(' ')}`);
console.log(
  `rise after warm-up: heap ${rise.heap.toFixed(1)} and outside ${rise.outside.toFixed(1)} bytes a write, descriptors ${rise.descriptors.toFixed(1)}`,
);
const told = Object.assign({}, ...rooms.map((room) => room.told)) as Record<string, number>;
const idle = Object.keys(told).filter((name) => told[name] === 0);
console.log(`told: ${JSON.stringify(told)}; the cache ${isConsistent ? 'agrees' : 'does not agree'} with the server`);
for (const what of problems) console.error(`${what} keeps growing: ${String(rise[what])}, at most ${String(bounds[what])} is expected`);
const heaps = steady.map(({ heap }) => heap);
const spread = Math.max(...heaps) - Math.min(...heaps);
// A page or a replica that is open during one sample and not during the next one.
if (spread > bounds.heap * (writes - first))
  console.error(
    `The heaps differ by ${megabytes(spread)} MB from sample to sample: to tell a rise takes ${String(Math.ceil(spread / bounds.heap))} writes after the warm-up, not ${String(writes - first)}`,
  );
if (idle.length > 0) console.error(`Nobody was told anything as ${idle.join(', ')}`);
if (steady.length < 10) console.error('Too few samples to tell anything');
if (problems.length > 0 || !isConsistent || idle.length > 0 || steady.length < 10) process.exitCode = 1;
