import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, Subject } from 'rxjs';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import type { Indexer } from '../../../src/cache/store/store.js';
import type { StoreOptions } from '../../../src/cache/store/memoryStore.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { play, steps } from '../histories.js';
import { added, brief, deleted, list, modified, page, init, type Pod, pod } from '../pods.js';
import { flattenChanges } from '../share/flattenChanges.js';
import { runs } from '../../tier.js';

const indexers = { value: ({ value }: Pod) => (value === undefined ? [] : [value]) };

/** A store of a user's own: whatever wraps one of this package is written by its public methods. */
function withoutStaging(options: StoreOptions<Pod>): Indexer<Pod> {
  return Object.create(createIndexer<Pod>({ indexers, ...options })) as Indexer<Pod>;
}

function follow(store: Indexer<Pod>, events: readonly SourceEvent<Pod>[], transform?: (object: Pod) => Pod) {
  const seen: string[] = [];
  const errors: string[] = [];
  const onError = ({ code, key }: InformerError) => errors.push(`${code} ${key ?? ''}`);
  from(events)
    .pipe(scanToIndex(store, { onError, transform }), flattenChanges())
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

/** Leaves nothing that tells one object, or one version of it, from another. */
function anonymous({ metadata: { namespace, name }, value }: Pod): Pod {
  return { metadata: { namespace, name }, ...(value !== undefined && { value }) };
}

const moodyAndAnonymous = (object: Pod): Pod => anonymous(moody(object));

const transforms = fc.constantFrom(undefined, moody, anonymous, moodyAndAnonymous);
const storeTransforms = fc.constantFrom(undefined, anonymous);

describe('scanToIndex with a store that takes lists in while they arrive', () => {
  it('does the same as with one that gets them whole, whatever happens', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), transforms, storeTransforms, (history, scoped, transform, ofStore) => {
        const { events } = play(history, scoped);
        const options = { transform: ofStore };
        const staging = createIndexer<Pod>({ indexers, ...options });
        expect(follow(staging, events, transform)).toEqual(follow(withoutStaging(options), events, transform));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each([
    ['update', [added(pod('b', '2'))]],
    ['delete', [deleted(pod('a', '2'))]],
    ['replace', list('2', [])],
  ])('ends with the error of a store whose %s throws', (method, events) => {
    const store = Object.create(createIndexer<Pod>()) as Indexer<Pod>;
    const seen: unknown[] = [];
    const end = new Error('the disk is full');
    const source = new Subject<SourceEvent<Pod>>();
    source.pipe(scanToIndex(store)).subscribe({ next: ({ cause }) => seen.push(cause), error: (error: unknown) => seen.push(error) });
    for (const event of list('1', [pod('a', '1')])) source.next(event);
    Object.assign(store, {
      [method]: () => {
        throw end;
      },
    });
    for (const event of [...events, added(pod('c', '3'))]) source.next(event);
    expect(seen).toEqual(['list', end]);
  });

  it('hands its keys to a store that goes by the same key function, which need not make them again', () => {
    let calls = 0;
    const keyFunc = ({ metadata }: Pod): string => {
      calls += 1;
      return `key of ${metadata.name}`;
    };
    const store = createIndexer<Pod>({ keyFunc });
    const changes = [modified(pod('a', '2')), added(pod('c', '3')), deleted(pod('b', '4'))];
    from([...list('1', [pod('a', '1'), pod('b', '1')]), ...changes])
      .pipe(scanToIndex(store, { keyFunc }))
      .subscribe();
    expect(store.listKeys()).toEqual(['key of a', 'key of c']);
    expect(calls).toBe(5);
  });

  it('has a store go by the keys that are told, whatever its own key function', () => {
    const store = createIndexer<Pod>({ keyFunc: ({ metadata }) => metadata.name });
    const events = [...list('1', [pod('a', '1'), pod('b', '1')]), added(pod('c', '2'))];
    from(events).pipe(scanToIndex(store)).subscribe();
    expect(store.listKeys()).toEqual(['default/a', 'default/b', 'default/c']);
  });

  it('writes by the methods of a store that takes no keys', () => {
    const written: string[] = [];
    const inner = createIndexer<Pod>();
    const store = Object.create(inner) as Indexer<Pod>;
    const events = [...list('1', [pod('a', '1')]), added(pod('b', '2')), deleted(pod('a', '3'))];
    Object.assign(store, {
      replace: inner.replace.bind(inner),
      update: (object: Pod) => {
        written.push(`+${object.metadata.name}`);
        inner.update(object);
      },
      delete: (object: Pod) => {
        written.push(`-${object.metadata.name}`);
        inner.delete(object);
      },
    });
    from(events).pipe(scanToIndex(store)).subscribe();
    expect(written).toEqual(['+b', '-a']);
    expect(store.listKeys()).toEqual(['default/b']);
  });

  it('still knows which object it is that a list brings in a version without a good value', () => {
    const recreated = modified(pod('a', '4', { uid: 'another' }));
    const events = [...list('1', [pod('a', '1')]), ...list('3', [pod('a', '3')]), recreated];
    const { seen, errors } = follow(createIndexer<Pod>({ indexers }), events, moodyAndAnonymous);
    expect(errors).toEqual(['ERR_TRANSFORM default/a']);
    expect(seen.slice(-2)).toEqual(['-default/a@ finalStateUnknown inferred of default/a', '+default/a@ of default/a']);
  });

  it('lets an abandoned list leave no trace', () => {
    const events = [...list('1', [pod('a', '1', { value: 'x' })]), init(), page([pod('b', '2', { value: 'y' })]), ...list('3', [])];
    const { seen, filed } = follow(createIndexer<Pod>({ indexers }), events);
    expect(seen.at(-1)).toBe('synced@3 of ');
    expect(filed.size).toBe(0);
  });
});
