import { createIndexer } from 'rx-informer/pipeline';

interface Item {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly small: string;
  readonly large: string;
}

const found = { small: 10, large: 1_000 };
const repetitions = 200_000;

/** The median of several runs of `read`, in nanoseconds per object; each call of it reads `count` objects. */
function nanosPer(count: number, calls: number, read: (at: number) => unknown): number {
  // The results are used, so that the optimizer does not remove the loop.
  let missing = 0;
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    for (let at = 0; at < calls; at += 1) if (read(at) === undefined) missing += 1;
    return ((performance.now() - start) * 1e6) / (calls * count);
  });
  if (missing > 0) throw new Error(`${missing} reads found nothing`);
  return times.sort((a, b) => a - b)[3] ?? NaN;
}

/**
 * Reads by key and by index, in nanoseconds per object.
 */
export function run({ objects }: { readonly objects: number }): Promise<object> {
  const indexer = createIndexer<Item>({ indexers: { small: ({ small }) => [small], large: ({ large }) => [large] } });
  const items = Array.from({ length: objects }, (_, at) => ({
    metadata: { name: `deployment-${Math.floor(at / 7)}-5d4f8c7b9d-${at}`, namespace: `namespace-${at % 40}` },
    small: `small-${Math.floor(at / found.small)}`,
    large: `large-${Math.floor(at / found.large)}`,
  }));
  indexer.replace(items, '1');
  const keys = indexer.listKeys();
  const map = new Map(keys.map((key) => [key, indexer.getByKey(key)]));
  // Scattered, so that a large cache is not read in the order in which it was written; the same number of keys at every size.
  const some = Array.from({ length: 1_000 }, (_, at) => keys[(at * 104_729) % objects] ?? '');
  const values = Array.from({ length: 100 }, (_, at) => `small-${(at * 7919) % (objects / found.small)}`);
  return Promise.resolve({
    map: nanosPer(1, repetitions, (at) => map.get(some[at % some.length] ?? '')),
    getByKey: nanosPer(1, repetitions, (at) => indexer.getByKey(some[at % some.length] ?? '')),
    byIndex: nanosPer(found.small, repetitions / 10, (at) => indexer.byIndex('small', values[at % values.length] ?? '')),
    // The same number of objects at every size, as above.
    perResult: nanosPer(found.large, 200, () => indexer.byIndex('large', 'large-0')),
  });
}
