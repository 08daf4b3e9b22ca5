import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from } from 'rxjs';
import type { InformerError } from '../../src/api/informerError.js';
import type { SourceEvent } from '../../src/api/sourceEvent.js';
import { createIndexer } from '../../src/cache/createIndexer.js';
import type { Indexer } from '../../src/cache/indexer.js';
import { scanToIndex } from '../../src/delta/scanToIndex.js';
import { play, steps } from './histories.js';
import { brief, list, page, init, type Pod, pod, ready } from './pods.js';

const indexers = { value: ({ value }: Pod) => (value === undefined ? [] : [value]) };

/** An indexer that gets every list in one piece, as a store of a user's own does. */
function withoutStaging(): Indexer<Pod> {
  const indexer = createIndexer<Pod>({ indexers });
  const replace = indexer.replace.bind(indexer);
  return Object.assign(indexer, { replace });
}

function follow(store: Indexer<Pod>, events: readonly SourceEvent<Pod>[], transform?: (object: Pod) => Pod) {
  const seen: string[] = [];
  const errors: string[] = [];
  const onError = ({ code, key }: InformerError) => errors.push(`${code} ${key ?? ''}`);
  from(events)
    .pipe(scanToIndex(store, { onError, transform }))
    .subscribe((event) => {
      // What readers see with each event counts as much as the event.
      seen.push(`${brief(event)} of ${store.listKeys().sort().join()}`);
    });
  const filed = store.listIndexFuncValues('value').map((value) => [value, store.indexKeys('value', value)] as const);
  return { seen, errors, content: new Map(store.listKeys().map((key) => [key, store.getByKey(key)])), filed: new Map(filed) };
}

/** Fails for every third version of an object. */
function moody(object: Pod): Pod {
  if (Number(object.metadata.resourceVersion) % 3 === 0) throw new Error('not this one');
  return { ...object, value: `${object.value ?? ''}!` };
}

describe('scanToIndex with a store that takes lists in while they arrive', () => {
  it('does the same as with one that gets them whole, whatever happens', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), fc.boolean(), (history, scoped, transformed) => {
        const { events } = play(history, scoped);
        const transform = transformed ? moody : undefined;
        expect(follow(createIndexer<Pod>({ indexers }), events, transform)).toEqual(follow(withoutStaging(), events, transform));
      }),
      { numRuns: 300 },
    );
  });

  it('refuses a list as a whole, and says so, when the store refuses one of its objects', () => {
    const store = createIndexer<Pod>({
      indexers,
      keyFunc: ({ metadata }) => {
        if (metadata.name === 'bad') throw new Error('bad name');
        return metadata.name;
      },
    });
    const events = [...list('1', [pod('a', '1')]), init(), page([pod('b', '2'), pod('bad', '2')]), page([pod('c', '2')]), ready('2')];
    const { seen, errors } = follow(store, events);
    expect(seen).toEqual(['+default/a@1 initial of a', 'synced@1 of a']);
    expect(errors).toEqual(['ERR_KEY ']);
  });

  it('lets an abandoned list leave no trace', () => {
    const events = [...list('1', [pod('a', '1', { value: 'x' })]), init(), page([pod('b', '2', { value: 'y' })]), ...list('3', [])];
    const { seen, filed } = follow(createIndexer<Pod>({ indexers }), events);
    expect(seen.at(-1)).toBe('synced@3 of ');
    expect(filed.size).toBe(0);
  });
});
