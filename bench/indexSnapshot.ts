// What a snapshot costs: snapshotWith, which copies buckets by hand, next to the same buckets drafted by immer.
//
//   NODE_ENV=production node --import ./tools/register-ts-node.mjs bench/indexSnapshot.ts [objects]
import { enableMapSet, Immer } from 'immer';
import { bucketCount, bucketOf } from '../src/cache/bucketOf.js';
import { deepFreeze } from '../src/cache/deepFreeze.js';
import type { IndexSnapshot } from '../src/cache/indexSnapshot.js';
import { emptySnapshot, snapshotWith } from '../src/cache/snapshotWith.js';

interface Pod {
  readonly metadata: object;
  readonly spec: object;
  readonly status: object;
}

/** About 6 kB of JSON: a pod without its managedFields. */
function podOf(at: number, version: number): Pod {
  const containers = [1, 2, 3].map((container) => ({
    name: `container-${container}`,
    image: `registry.example.com/team/app-${container}:1.2.3`,
    args: ['--verbose', '--listen=:8080', '--log=json'],
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: Array.from({ length: 12 }, (_, variable) => ({ name: `VARIABLE_${variable}`, value: `the value of variable ${variable}` })),
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [1, 2, 3].map((volume) => ({ name: `volume-${volume}`, readOnly: true, mountPath: `/var/run/volumes/${volume}` })),
    livenessProbe: { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10, failureThreshold: 3 },
  }));
  const statuses = [1, 2, 3].map((container) => ({
    name: `container-${container}`,
    ready: true,
    restartCount: version,
    state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
  }));
  return {
    metadata: {
      name: `pod-${at}`,
      namespace: `namespace-${at % 50}`,
      uid: `uid-${at}`,
      resourceVersion: String(version),
      labels: { app: 'web' },
    },
    spec: { containers, nodeName: `node-${at % 100}`, tolerations: [1, 2].map((key) => ({ key: `key-${key}`, operator: 'Exists' })) },
    status: { phase: 'Running', podIP: `10.0.${at % 256}.1`, conditions: [{ type: 'Ready', status: 'True' }], containerStatuses: statuses },
  };
}

const shared = podOf(0, 0);

function keyOf(at: number): string {
  return `namespace-${at % 50}/deployment-${Math.floor(at / 7)}-5d4f8c7b9d-${at.toString(36).padStart(5, '0')}`;
}

enableMapSet();
const immer = new Immer({ autoFreeze: false });

/** Hides an object from immer, which otherwise looks for drafts in all that is new and not frozen. */
class Cell {
  readonly object: Pod;

  constructor(object: Pod) {
    this.object = object;
  }
}

type Change<V> = readonly [key: string, value: V];
type Buckets<V> = readonly Map<string, V>[];

function withImmer<V>(buckets: Buckets<V>, changes: readonly Change<V>[]): Buckets<V> {
  return immer.produce(buckets, (draft) => {
    for (const [key, value] of changes) (draft as Buckets<V>)[bucketOf(key)]?.set(key, value);
  });
}

function bucketsOf<V>(entries: readonly Change<V>[]): Buckets<V> {
  const buckets = Array.from({ length: bucketCount }, () => new Map<string, V>());
  for (const [key, value] of entries) buckets[bucketOf(key)]?.set(key, value);
  return buckets;
}

function medianMicros(runs: number, work: (run: number) => void): number {
  for (let run = 0; run < runs / 5; run += 1) work(run);
  const times = Array.from({ length: runs }, (_, run) => {
    const start = performance.now();
    work(run);
    return (performance.now() - start) * 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? NaN;
}

function print(what: string, micros: number, base: number): void {
  const time = micros < 10_000 ? `${micros.toFixed(1)} us` : `${(micros / 1000).toFixed(1)} ms`;
  console.log(`${what.padEnd(56)} ${time.padStart(10)}   ${(micros / base).toFixed(2)} x snapshotWith`);
}

/** Batches of changes, such that the same key gets another object whenever the batches are gone through again. */
function batchesOf(objects: readonly Change<Pod>[], batch: number): readonly Change<Pod>[][] {
  const keys = Array.from({ length: batch === 1 ? 2000 : batch }, (_, at) => keyOf((at * 104_729) % objects.length));
  const isWhole = batch === objects.length;
  return [1, 2].flatMap((version) => {
    const changes = keys.map((key, at): Change<Pod> => [key, isWhole ? { ...shared, metadata: {} } : podOf(at, version)]);
    return batch === 1 ? changes.map((change) => [change]) : [changes];
  });
}

/** `batch` changes at a time: one is what an event costs, all of them a relist. */
function compare(objects: readonly Change<Pod>[], batch: number, runs: number): void {
  const batches = batchesOf(objects, batch);
  const pick = <C>(all: readonly C[], run: number): C => all[run % all.length] as C;

  let snapshot: IndexSnapshot<Pod> = snapshotWith(emptySnapshot<Pod>(), objects, '1');
  const base = medianMicros(runs, (run) => (snapshot = snapshotWith(snapshot, pick(batches, run), String(run))));
  print(`${batch} at a time: snapshotWith`, base, base);

  let buckets = bucketsOf(objects);
  const measure = (): number => medianMicros(runs, (run) => (buckets = withImmer(buckets, pick(batches, run))));
  print(`${batch} at a time: immer`, measure(), base);

  let cells = bucketsOf(objects.map(([key, pod]): Change<Cell> => [key, new Cell(pod)]));
  const inCells = batches.map((changes) => changes.map(([key, pod]): Change<Cell> => [key, new Cell(pod)]));
  const celled = medianMicros(runs, (run) => (cells = withImmer(cells, pick(inCells, run))));
  print(`${batch} at a time: immer, objects hidden from it in cells`, celled, base);

  for (const [, pod] of batches.flat()) deepFreeze(pod);
  print(`${batch} at a time: immer, objects frozen`, measure(), base);
}

function readAndCopy(objects: readonly Change<Pod>[]): void {
  const snapshot = snapshotWith(emptySnapshot<Pod>(), objects, '1');
  const keys = Array.from({ length: 1000 }, (_, at) => keyOf((at * 7919) % objects.length));
  console.log(`get: ${medianMicros(200, () => keys.forEach((key) => snapshot.get(key))).toFixed(0)} ns`);
  const flat = new Map(objects);
  console.log(`one flat Map, copied: ${(medianMicros(20, () => new Map(flat)) / 1000).toFixed(1)} ms`);
}

const count = Number(process.argv[2] ?? 100_000);
console.log(`${count} objects, a new one has ${JSON.stringify(podOf(1, 1)).length} bytes of JSON, Node ${process.version}`);
const objects = Array.from({ length: count }, (_, at): Change<Pod> => [keyOf(at), { ...shared, metadata: { name: `pod-${at}` } }]);
compare(objects, 1, 6000);
compare(objects, 1000, 30);
compare(objects, count, 5);
readAndCopy(objects);
