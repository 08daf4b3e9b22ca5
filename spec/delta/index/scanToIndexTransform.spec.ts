import { describe, expect, it } from '@jest/globals';
import { Subject } from 'rxjs';
import type { InformerError } from '../../../src/api/errors/informerError.js';
import type { ResourceEvent, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import type { ScanToIndexOptions } from '../../../src/delta/index/cache.js';
import { added, deleted, init, list, modified, page, type Pod, pod, ready } from '../pods.js';
import { flattenChanges } from '../share/flattenChanges.js';

/** What a transform leaves that strips everything but one field. */
interface Lean {
  readonly value: string | undefined;
}

function play<U>(transform: (object: Pod) => U, options: Partial<ScanToIndexOptions<Pod, U>> = {}) {
  const store = createIndexer<U>();
  const source = new Subject<SourceEvent<Pod>>();
  const errors: InformerError[] = [];
  const degraded = new Set<string>();
  const seen: ResourceEvent<U>[] = [];
  source
    .pipe(scanToIndex<Pod, U>(store, { transform, degraded, onError: (error) => errors.push(error), ...options }), flattenChanges())
    .subscribe((event) => seen.push(event));
  const send = (...events: readonly SourceEvent<Pod>[]): unknown[] => {
    const from = seen.length;
    for (const event of events) source.next(event);
    return seen.slice(from).map((event) => (event.type === 'synced' ? 'synced' : [event.type, event.key, event.object]));
  };
  return { store, errors, degraded, send, seen };
}

const lean = ({ value }: Pod): Lean => ({ value });
const withValue = (name: string, version: string, value: string, uid?: string) =>
  pod(name, version, { value, ...(uid !== undefined && { uid }) });

describe('scanToIndex with a transform', () => {
  it('shows transformed objects to the store and everybody below (CT-15)', () => {
    const { store, send } = play(lean);
    expect(send(...list('2', [withValue('a', '1', 'x')]), deleted(withValue('a', '3', 'y')))).toEqual([
      ['added', 'default/a', { value: 'x' }],
      'synced',
      ['deleted', 'default/a', { value: 'y' }],
    ]);
    expect(store.list()).toEqual([]);
  });

  it('runs once per version, streamed lists included', () => {
    const calls: string[] = [];
    const { send } = play((object) => {
      calls.push(object.metadata.resourceVersion ?? '');
      return lean(object);
    });
    send(init(), added(withValue('a', '1', 'x')), page([withValue('b', '2', 'x')]), modified(withValue('a', '3', 'x')), ready('4'));
    send(modified(withValue('b', '5', 'y')));
    expect(calls).toEqual(['1', '2', '3', '5']);
  });

  it('runs once for a version that a later list brought, and the next one brings again', () => {
    const calls: string[] = [];
    const { send } = play((object) => {
      calls.push(object.metadata.resourceVersion ?? '');
      return lean(object);
    });
    send(...list('2', [withValue('a', '1', 'x')]), ...list('4', [withValue('a', '3', 'y')]), ...list('6', [withValue('a', '3', 'y')]));
    expect(calls).toEqual(['1', '3']);
  });

  it('takes key, uid and version from the object as sent, whatever the transform leaves', () => {
    const { store, send } = play(lean);
    send(...list('9', [withValue('a', '1', 'x'), withValue('b', '2', 'x')]));
    expect(store.listKeys().sort()).toEqual(['default/a', 'default/b']);
    expect(send(modified(withValue('a', '10', 'x', 'other')))).toEqual([
      ['deleted', 'default/a', { value: 'x' }],
      ['added', 'default/a', { value: 'x' }],
    ]);
    expect(store.lastStoreSyncResourceVersion()).toBe('10');
    // The same version, another content: not told, as no older list brings it.
    expect(send(...list('11', [withValue('a', '10', 'z', 'other'), withValue('b', '2', 'x')]))).toEqual(['synced']);
    expect(send(...list('12', [withValue('b', '2', 'x')]))).toEqual([['deleted', 'default/a', { value: 'x' }], 'synced']);
  });

  it('takes uid and version before a transform that changes the object in place', () => {
    const { send } = play((object) => {
      delete (object as { metadata?: object }).metadata;
      return object;
    });
    send(...list('2', []), added(withValue('a', '3', 'x', 'one')));
    expect(send(modified(withValue('a', '4', 'x', 'other')))).toEqual([
      ['deleted', 'default/a', { value: 'x' }],
      ['added', 'default/a', { value: 'x' }],
    ]);
  });

  it('does not tell a version in which nothing is different after the transform', () => {
    const { send, store } = play(lean);
    send(...list('2', [withValue('a', '1', 'x')]));
    expect(send(modified(withValue('a', '7', 'x')))).toEqual([]);
    expect(store.lastStoreSyncResourceVersion()).toBe('7');
    expect(send(modified(withValue('a', '8', 'y')))).toEqual([['updated', 'default/a', { value: 'y' }]]);
  });

  it('keeps apart objects of which a transform makes one and the same', () => {
    const same = Object.freeze({ value: 'same' });
    const { store, send } = play(() => same);
    send(...list('2', [withValue('a', '1', 'x'), withValue('b', '1', 'x')]));
    expect(store.listKeys().sort()).toEqual(['default/a', 'default/b']);
    expect(send(deleted(withValue('a', '3', 'x')))).toHaveLength(1);
    expect(store.listKeys()).toEqual(['default/b']);
  });

  it.each([
    ['first', 'a'],
    ['second', 'b'],
  ])('keeps them apart when what it makes has the name of the %s', (_, name) => {
    const same = { metadata: { namespace: 'default', name } };
    const { store, send } = play<object>(() => same);
    send(...list('2', [withValue('a', '1', 'x'), withValue('b', '2', 'x')]));
    expect(store.listKeys()).toEqual(['default/a', 'default/b']);
    expect(send(deleted(withValue('a', '3', 'x')))).toEqual([['deleted', 'default/a', same]]);
    expect(store.listKeys()).toEqual(['default/b']);
  });

  describe('that fails', () => {
    const picky = (object: Pod): Lean => {
      if (object.value === 'bad') throw new Error('bad value');
      return lean(object);
    };

    it('keeps the last good value, reports, and lists the key until a version succeeds (CT-16)', () => {
      const { store, errors, degraded, send } = play(picky);
      send(...list('2', [withValue('a', '1', 'x')]));
      expect(send(modified(withValue('a', '3', 'bad')))).toEqual([]);
      expect(store.getByKey('default/a')).toEqual({ value: 'x' });
      expect([...degraded]).toEqual(['default/a']);
      expect(errors.map(({ code, key }) => [code, key])).toEqual([['ERR_TRANSFORM', 'default/a']]);
      expect(send(modified(withValue('a', '4', 'y')))).toEqual([['updated', 'default/a', { value: 'y' }]]);
      expect([...degraded]).toEqual([]);
    });

    it('counts as present in a list, so that nothing is deleted', () => {
      const { store, degraded, send } = play(picky);
      send(...list('2', [withValue('a', '1', 'x')]));
      expect(send(...list('5', [withValue('a', '4', 'bad')]))).toEqual(['synced']);
      expect(store.listKeys()).toEqual(['default/a']);
      expect([...degraded]).toEqual(['default/a']);
      expect(send(...list('6', [withValue('a', '4', 'bad')]))).toEqual(['synced']);
      expect(send(...list('7', []))).toEqual([['deleted', 'default/a', { value: 'x' }], 'synced']);
      expect([...degraded]).toEqual([]);
    });

    it('forgets an object that never had a good value and that a list shows to be gone', () => {
      const { degraded, send } = play(picky);
      send(...list('2', [withValue('a', '1', 'bad'), withValue('b', '1', 'bad')]));
      expect([...degraded]).toEqual(['default/a', 'default/b']);
      expect(send(...list('5', [withValue('b', '1', 'bad')]))).toEqual(['synced']);
      expect([...degraded]).toEqual(['default/b']);
    });

    it('adds an object with its first version that succeeds', () => {
      const { store, degraded, send } = play(picky);
      expect(send(...list('2', [withValue('a', '1', 'bad')]))).toEqual(['synced']);
      expect(store.list()).toEqual([]);
      expect([...degraded]).toEqual(['default/a']);
      expect(send(modified(withValue('a', '3', 'x')))).toEqual([['added', 'default/a', { value: 'x' }]]);
    });

    it('tells a version whose transform succeeds later, although the version is the same', () => {
      let works = false;
      const { send } = play((object) => {
        if (object.value === 'bad' && !works) throw new Error('not yet');
        return lean(object);
      });
      send(...list('2', [withValue('a', '1', 'x')]), modified(withValue('a', '3', 'bad')));
      works = true;
      expect(send(...list('4', [withValue('a', '3', 'bad')]))).toEqual([['updated', 'default/a', { value: 'bad' }], 'synced']);
    });

    it('is not needed to delete: the cached value is told', () => {
      const { send, store } = play(picky);
      send(...list('2', [withValue('a', '1', 'x')]));
      expect(send(deleted(withValue('a', '3', 'bad')))).toEqual([['deleted', 'default/a', { value: 'x' }]]);
      expect(store.list()).toEqual([]);
    });

    it('keeps the good one of two versions in one list', () => {
      const { send, degraded } = play(picky);
      send(init(), added(withValue('a', '1', 'x')), modified(withValue('a', '2', 'bad')));
      expect(send(ready('3'))).toEqual([['added', 'default/a', { value: 'x' }], 'synced']);
      expect([...degraded]).toEqual(['default/a']);
    });

    it('shows a successor as one when it succeeds', () => {
      const { send } = play(picky);
      send(...list('2', [withValue('a', '1', 'x')]), modified(withValue('a', '3', 'bad', 'other')));
      expect(send(modified(withValue('a', '4', 'y', 'other')))).toEqual([
        ['deleted', 'default/a', { value: 'x' }],
        ['added', 'default/a', { value: 'y' }],
      ]);
    });

    it.each([
      ['nothing', undefined, 'undefined'],
      ['null', null, 'null'],
      ['text', 'text', 'string'],
      ['a promise, as an asynchronous function does', Promise.resolve({}), 'a promise'],
      ['a promise that rejects', (): Promise<never> => Promise.reject(new Error('nobody waits for it')), 'a promise'],
    ])('fails when it returns %s', async (_, result, got) => {
      const unhandled: unknown[] = [];
      const note = (error: unknown): void => void unhandled.push(error);
      process.on('unhandledRejection', note);
      const { errors, send, degraded } = play(() => (typeof result === 'function' ? result() : result) as unknown as Lean);
      expect(send(...list('2', [withValue('a', '1', 'x')]))).toEqual(['synced']);
      expect(errors[0]?.cause).toEqual(new TypeError(`Expected \`transform\` to return an object, got ${got}`));
      expect([...degraded]).toEqual(['default/a']);
      // A rejection is told after all that has been promised.
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', note);
      expect(unhandled).toEqual([]);
    });
  });

  it('is not run again for a version that is cached, whatever lists bring it', () => {
    const versions: string[] = [];
    const { send } = play((object: Pod) => {
      versions.push(object.metadata.resourceVersion ?? '');
      return { metadata: object.metadata };
    });
    send(...list('1', [pod('a', '1')]), ...list('5', [pod('a', '1')]), ...list('6', [pod('a', '1'), pod('b', '6')]));
    expect(versions).toEqual(['1', '6']);
  });

  it('is run again for a version that a list from an older history brings: its content may be another', () => {
    const { send } = play(({ metadata, value }: Pod) => ({ metadata, value }));
    send(...list('9', [pod('a', '5', { value: 'lost' })]));
    expect(send(...list('7', [pod('a', '5', { value: 'restored' })]))).toEqual([
      ['updated', 'default/a', { metadata: pod('a', '5').metadata, value: 'restored' }],
      'synced',
    ]);
  });
});
