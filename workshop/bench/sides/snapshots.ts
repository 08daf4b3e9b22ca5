import { enableMapSet, Immer } from 'immer';
import { bucketCount, bucketOf, emptySnapshot, snapshotWith } from '../../../src/cache/snapshotWith.js';
import { podJson, podNames } from '../realisticPod.js';
import { median } from '../rounds.js';

type Change = readonly [key: string, pod: object];
type Buckets = readonly Map<string, object>[];

enableMapSet();
const immer = new Immer({ autoFreeze: false });

function withImmer(buckets: Buckets, [key, pod]: Change): Buckets {
  return immer.produce(buckets, (draft) => {
    (draft as Buckets)[bucketOf(key)]?.set(key, pod);
  });
}

function microsOf(runs: number, work: (run: number) => void): number {
  for (let run = 0; run < runs / 5; run += 1) work(run);
  const times = Array.from({ length: runs }, (_, run) => {
    const start = performance.now();
    work(run);
    return (performance.now() - start) * 1000;
  });
  return median(times);
}

/**
 * The cost of a snapshot, in microseconds: after one change, by hand, with immer over the same buckets and in a copied Map; and after a
 * whole list.
 */
export function run({ objects }: { readonly objects: number }): Promise<object> {
  const names = podNames(objects);
  const entries = names.map(({ namespace, name }): Change => [`${namespace}/${name}`, {}]);
  const changes = Array.from({ length: 2_000 }, (_, at): Change => {
    const name = names[(at * 104_729) % objects] ?? { at: 0, namespace: '', name: '' };
    return [`${name.namespace}/${name.name}`, JSON.parse(podJson(name, 1, at + 1, true)) as object];
  });
  const changeOf = (run: number): Change => changes[run % changes.length] ?? ['', {}];

  let snapshot = snapshotWith(emptySnapshot<object>(), entries, '1');
  const one = microsOf(4_000, (run) => (snapshot = snapshotWith(snapshot, [changeOf(run)], String(run))));
  const all = microsOf(5, () => snapshotWith(emptySnapshot<object>(), entries, '1'));

  let buckets: Buckets = Array.from({ length: bucketCount }, () => new Map<string, object>());
  for (const [key, pod] of entries) buckets[bucketOf(key)]?.set(key, pod);
  const byImmer = microsOf(2_000, (run) => (buckets = withImmer(buckets, changeOf(run))));
  const whole = new Map(entries);
  const flat = microsOf(9, () => new Map(whole));
  return Promise.resolve({ one, immer: byImmer, flat, all });
}
