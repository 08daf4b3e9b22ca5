import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { createStore } from '../../../src/cache/store/memoryStore.js';
import type { Store } from '../../../src/cache/store/store.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { reflect } from '../../../src/source/reflector/reflect.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { record } from '../recording/record.js';
import { flattenChanges } from '../../delta/share/flattenChanges.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });

function served() {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler });
  for (const name of ['c', 'a', 'b']) server.add(pod(name));
  return { scheduler, server };
}

/** A user's own store: it keeps the list of versions passed to it, and reads none from objects. */
function notingStore(versions: string[]): Store<KubernetesObject> {
  const store = createStore<KubernetesObject>();
  return {
    add: (object) => store.add(object),
    update: (object) => store.update(object),
    delete: (object) => store.delete(object),
    replace: (objects, version) => store.replace(objects, version),
    list: () => store.list(),
    listKeys: () => store.listKeys(),
    get: (object) => store.get(object),
    getByKey: (key) => store.getByKey(key),
    resync: () => undefined,
    lastStoreSyncResourceVersion: () => versions.at(-1) ?? '',
    bookmark: (version) => versions.push(version),
  };
}

describe('reflect into a store', () => {
  it('tells a store of every version that a watch reaches (RX-11)', () => {
    const { scheduler, server } = served();
    const versions: string[] = [];
    record(reflect(server, { scheduler }).pipe(scanToIndex(notingStore(versions))));
    server.modify(pod('a'));
    server.add(pod('d'));
    server.delete('default/b');
    advanceBy(scheduler, 60_000);
    expect(versions).toEqual(['4', '5', '6', '7', '7']);
  });

  it('takes the objects of a streamed list in the order in which they came (WL-05)', () => {
    const { scheduler, server } = served();
    const indexer = createIndexer<KubernetesObject>();
    const { values } = record(reflect(server, { scheduler }).pipe(scanToIndex(indexer), flattenChanges()));
    const came = server.objects().map(({ metadata }) => `default/${metadata?.name}`);
    expect(values.map((event) => (event.type === 'synced' ? 'synced' : event.key))).toEqual([...came, 'synced']);
    expect(indexer.listKeys()).toEqual(came);
  });

  it('leaves a store alone when it ends before the marker (WL-11)', () => {
    const { scheduler, server } = served();
    const slow = new FakeListerWatcher({ scheduler, latencyMs: 5 });
    slow.add(pod('a'));
    const indexer = createIndexer<KubernetesObject>();
    indexer.replace([pod('old')], '1');
    const { values, errors, subscription } = record(reflect(slow, { scheduler }).pipe(scanToIndex(indexer), flattenChanges()));
    advanceBy(scheduler, 4);
    subscription.unsubscribe();
    advanceBy(scheduler, 100);
    expect([values, errors]).toEqual([[], []]);
    expect(indexer.listKeys()).toEqual(['default/old']);
    expect([slow.openWatches, server.openWatches]).toEqual([0, 0]);
  });

  it('ends with the error of a store that refuses a streamed list, and leaves no stream behind (WL-13)', () => {
    const { scheduler, server } = served();
    const refusal = new Error('the disk is full');
    const picky: Store<KubernetesObject> = {
      ...notingStore([]),
      replace: () => {
        throw refusal;
      },
    };
    const { values, errors } = record(reflect(server, { scheduler }).pipe(scanToIndex(picky), flattenChanges()));
    advanceBy(scheduler, 10_000);
    expect([values, errors]).toEqual([[], [refusal]]);
    expect([server.openWatches, server.requests.length]).toEqual([0, 1]);
  });
});
