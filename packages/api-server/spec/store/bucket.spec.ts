import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { departureOf } from '../../src/store/bucket.js';
import { valuesBetween } from '../../src/store/orderedMap.js';
import { Store } from '../../src/store/store.js';
import type { StoredContent } from '../../src/store/storedObject.js';

function secret(name: string, value = ''): StoredContent {
  return { metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' }, value };
}

function namesAt(store: Store, resourceVersion: number): readonly string[] {
  return [...valuesBetween(store.bucket('/secrets').rootAt(resourceVersion))].map(
    ({ name, resourceVersion: version }) => `${name}@${String(version)}`,
  );
}

describe('Bucket', () => {
  it('knows all objects at every version of its history', () => {
    const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), remove: fc.boolean(), elsewhere: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (steps, historyLimit) => {
        const store = new Store({ historyLimit });
        const bucket = store.bucket('/secrets');
        const states = [namesAt(store, 0)];
        for (const { name, remove, elsewhere } of steps) {
          const exists = bucket.get(`n/${name}`) !== undefined;
          if (elsewhere) store.commit('/other', 'ADDED', secret(name));
          else if (remove && exists) store.commit('/secrets', 'DELETED', secret(name));
          else store.commit('/secrets', exists ? 'MODIFIED' : 'ADDED', secret(name));
          states.push([...valuesBetween(bucket.root)].map((object) => `${object.name}@${String(object.resourceVersion)}`));
        }
        for (let version = store.exactFloor(bucket); version < states.length; version += 1)
          expect(namesAt(store, version)).toEqual(states[version]);
      }),
    );
  });

  it('holds exactly as many changes as it may', () => {
    const store = new Store({ historyLimit: 100 });
    const bucket = store.bucket('/secrets');
    for (let at = 0; at < 1_000; at += 1) {
      store.commit('/secrets', 'ADDED', secret(`s${String(at)}`));
      const kept = Math.min(at + 1, 100);
      expect(bucket.holds(bucket.endPosition - kept)).toBe(true);
      expect(bucket.holds(bucket.endPosition - kept - 1)).toBe(false);
      expect(bucket.watchFloor).toBe(at + 1 - kept);
    }
    expect(bucket.changeAt(bucket.positionAfter(950))?.resourceVersion).toBe(951);
  });

  it('holds no more changes of all resources than take 64 MB with what was before them, the newest ones', () => {
    const store = new Store({ historyLimit: 1_000 });
    const [large, megabyte] = ['x'.repeat(1024 * 1024), 1024 * 1024];
    const ids = ['/secrets', '/configmaps'];
    store.commit('/leases', 'ADDED', secret('s'));
    for (let at = 0; at < 100; at += 1) store.commit(ids[at % 2] ?? '', 'MODIFIED', secret('s', large));
    const each = store.bucket('/secrets').get('n/s')?.body.length ?? 0;
    const kept = Math.floor((64 * megabyte) / (2 * each));
    expect(kept).toBe(31);
    // Every second version is of the one, and the others of the other: of both together the last 31 changes are left.
    const floors = ids.map((id) => store.bucket(id)).flatMap(({ watchFloor, exactFloor }) => [watchFloor, exactFloor]);
    expect(floors).toEqual([70, 70, 69, 69]);
    expect(store.bucket('/leases').watchFloor).toBe(0);
  });

  it('gives the room of a resource that is dropped to the others', () => {
    const store = new Store({ historyLimit: 1_000 });
    const large = 'x'.repeat(1024 * 1024);
    for (let at = 0; at < 31; at += 1) store.commit('/secrets', 'MODIFIED', secret('s', large));
    store.dropBucket('/secrets');
    for (let at = 0; at < 31; at += 1) store.commit('/configmaps', 'MODIFIED', secret('s', large));
    expect(store.bucket('/configmaps').watchFloor).toBe(0);
  });

  it('shows an object that ceases to match with its old content and the new version', () => {
    const store = new Store({ historyLimit: 10 });
    const bucket = store.bucket('/secrets');
    store.commit('/secrets', 'ADDED', secret('a', 'old'));
    store.commit('/secrets', 'MODIFIED', secret('a', 'new'));
    const change = bucket.changeAt(bucket.positionAfter(1));
    const departed = change && departureOf(change);
    expect(departed?.content).toMatchObject({ value: 'old', metadata: { resourceVersion: '2' } });
    expect(JSON.parse(`{${departed?.body.toString() ?? ''}`)).toEqual(departed?.content);
  });
});

describe('Store', () => {
  it('keeps watches and exact lists apart when it forgets', () => {
    const store = new Store({ historyLimit: 10 });
    const bucket = store.bucket('/secrets');
    for (const name of ['a', 'b', 'c']) store.commit('/secrets', 'ADDED', secret(name));
    store.compact(2);
    expect([store.exactFloor(bucket), bucket.watchFloor]).toEqual([2, 0]);
    store.expireWatches(3);
    expect([store.exactFloor(bucket), bucket.watchFloor]).toEqual([2, 3]);
    expect(store.bucket('/new').watchFloor).toBe(3);
    store.compact(99);
    expect(store.exactFloor(bucket)).toBe(3);
  });

  it('goes back to a snapshot as if nothing had happened since, and forgets its history', () => {
    const store = new Store({ historyLimit: 10 });
    store.commit('/secrets', 'ADDED', secret('a'));
    const snapshot = store.snapshot();
    store.commit('/secrets', 'DELETED', secret('a'));
    store.commit('/other', 'ADDED', secret('b'));
    let replaced = 0;
    store.onReplace(() => (replaced += 1));
    store.replace(snapshot);
    expect([store.resourceVersion, namesAt(store, 1), replaced]).toEqual([1, ['a@1'], 1]);
    expect(store.bucket('/other').root).toBeUndefined();
    expect(store.bucket('/secrets').watchFloor).toBe(1);
    expect(store.commit('/secrets', 'ADDED', secret('c')).resourceVersion).toBe(2);
  });

  it('tells of every change once it is visible, until it is told not to', () => {
    const store = new Store({ historyLimit: 10 });
    const seen: string[] = [];
    const forget = store.onChange((bucket, { type, object }) =>
      seen.push(`${type} ${object.name} ${String(bucket.get(object.key) !== undefined)}`),
    );
    store.commit('/secrets', 'ADDED', secret('a'));
    store.commit('/secrets', 'DELETED', secret('a'));
    forget();
    store.commit('/secrets', 'ADDED', secret('b'));
    expect(seen).toEqual(['ADDED a true', 'DELETED a false']);
  });

  describe('as time goes by', () => {
    const minute = 60_000;
    let at = 0;
    const begun = (): Store => {
      at = 0;
      return new Store({ historyLimit: 100, now: () => at });
    };
    const floorAt = (store: Store, minutes: number): number => {
      at = minutes * minute;
      return store.exactFloor(store.bucket('/secrets'));
    };
    const write = (store: Store, minutes: number): void => {
      at = minutes * minute;
      store.commit('/secrets', 'ADDED', secret(`s${String(minutes)}`));
    };

    it('keeps exact lists for at least five minutes, and for less than ten once something was written', () => {
      const store = begun();
      write(store, 1);
      write(store, 6);
      expect(floorAt(store, 9.9)).toBe(0);
      expect(floorAt(store, 10)).toBe(1);
      expect(floorAt(store, 14.9)).toBe(1);
      expect(floorAt(store, 15)).toBe(2);
    });

    it('keeps the newest version for ever', () => {
      const store = begun();
      write(store, 1);
      expect(floorAt(store, 60)).toBe(1);
      write(store, 100);
      expect(floorAt(store, 104.9)).toBe(1);
      expect(floorAt(store, 500)).toBe(2);
    });

    it('leaves watches alone', () => {
      const store = begun();
      write(store, 1);
      write(store, 6);
      floorAt(store, 60);
      expect(store.bucket('/secrets').watchFloor).toBe(0);
    });
  });
});
