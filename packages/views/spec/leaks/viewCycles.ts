// A program of its own: cycles of everything that comes and goes in a graph of views. It prints the heap after each thousand, in bytes.
//
//   node --expose-gc --import ./workshop/tools/register-ts-node.mjs packages/views/spec/leaks/viewCycles.ts [cycles]
import { BehaviorSubject } from 'rxjs';
import type { Collection, KubernetesObject } from 'rx-informer';
import { fakeCollection } from '../../src/testing/fakeCollection.js';
import { derive } from '../../src/derive.js';
import { deriveMany } from '../../src/deriveMany.js';
import { groupObjects } from '../../src/groupObjects.js';
import { mergeViews } from '../../src/mergeViews.js';
import { objectsByIndex } from '../../src/objectsByIndex.js';
import { reduceObjects } from '../../src/reduceObjects.js';
import { toSignal } from '../../src/toSignal.js';
import { topObjects } from '../../src/topObjects.js';

const cycles = Number(process.argv[2] ?? 10_000);
const samples = 10;
const pod = (name: string, app: string): KubernetesObject => ({
  metadata: { namespace: 'n', name, labels: { app, unique: `label-${name}` } },
});
const nameOf = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';

const pods = fakeCollection([pod('keep', 'web')], { name: 'pods', indexers: { name: (object: KubernetesObject) => [nameOf(object)] } });
const owners = fakeCollection([pod('web', 'web')], { name: 'owners' });
const joined = derive(owners, (owner, read) => ({
  byLabels: read(pods, { namespace: 'n', labelSelector: { unique: `label-${nameOf(owner)}`, app: 'web' } }).length,
  byKey: read.get(pods, `n/${nameOf(owner)}`) !== undefined,
  byIndex: read.byIndex(pods, 'name', nameOf(owner)).length,
  byFilter: read(pods, { filter: (object) => nameOf(object) === nameOf(owner) }).length,
}));
const failing = derive(
  owners,
  (owner) => {
    if (nameOf(owner).endsWith('7')) throw new Error('unlucky');
    return nameOf(owner);
  },
  { logger: { warn: () => undefined } },
);
const many = deriveMany(pods, (object) => [{ key: `${nameOf(object)}:1` }, { key: `${nameOf(object)}:2` }], { key: ({ key }) => key });
const groups = groupObjects(pods, nameOf);
const totals = reduceObjects(pods, { initial: 0, add: (sum) => sum + 1, remove: (sum) => sum - 1, groupBy: nameOf });
const first = topObjects(many, (a, b) => (a.key < b.key ? -1 : 1), { limit: 3 });
const lists = new BehaviorSubject<readonly Collection<KubernetesObject>[]>([pods]);
const merged = mergeViews(lists);
const sometimes = derive(groupObjects(pods, nameOf), ({ objects }, read) => [
  objects.length,
  read(pods, { labelSelector: 'app=web' }).length,
]);
for (const view of [joined, failing, many, groups, totals, first, merged] as Collection<unknown>[]) view.change$.subscribe();

/** Objects with names that never repeat, subscribers, views, signals, and collections that come and go. */
function cycle(at: number): void {
  const name = `object-${at}`;
  owners.put(pod(name, 'web'));
  pods.put(pod(name, 'web'));
  const extra = fakeCollection([pod(`extra-${at}`, 'web')], { name: `extra-${at}` });
  lists.next([pods, extra]);
  const passing = objectsByIndex(pods, 'name', name);
  const above = derive(passing, (_, read) => read(joined, { namespace: 'n' }).length);
  const subscription = above.change$.subscribe();
  const stop = toSignal(groups, name).subscribe(() => undefined);
  pods.put(pod(name, 'db'));
  stop();
  subscription.unsubscribe();
  lists.next([pods]);
  pods.remove(`n/${name}`);
  owners.remove(`n/${name}`);
  // A graph that starts afresh, and loses all its subscribers.
  if (at % 10 === 0) sometimes.change$.subscribe().unsubscribe();
}

async function heapNow(): Promise<number> {
  globalThis.gc?.();
  await new Promise((resolve) => setImmediate(resolve));
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const heap: number[] = [];
// What is compiled and grown once belongs to no cycle.
for (let at = -cycles / 5; at < 0; at += 1) cycle(at);
heap.push(await heapNow());
for (let sample = 0; sample < samples; sample += 1) {
  for (let at = 0; at < cycles / samples; at += 1) cycle((sample * cycles) / samples + at);
  heap.push(await heapNow());
}
if (pods.subscriptions() !== 1) throw new Error(`Expected one connection to the pods, got ${pods.subscriptions()}`);
console.log(JSON.stringify(heap));
