import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FileJournal, readSnapshot } from '../../../../src/testing/server/store/fileJournal.js';
import { valuesBetween } from '../../../../src/testing/server/store/orderedMap.js';
import { Store, type StoreSnapshot } from '../../../../src/testing/server/store/store.js';
import type { StoredContent } from '../../../../src/testing/server/store/storedObject.js';

function secret(name: string, value: string): StoredContent {
  return { metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' }, value };
}

function contentsOf(snapshot: StoreSnapshot | undefined): unknown {
  const filled = [...(snapshot?.roots ?? [])]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, root]) => [id, [...valuesBetween(root)].map(({ content }) => content)] as const);
  return { resourceVersion: snapshot?.resourceVersion, contents: filled.filter(([, objects]) => objects.length > 0) };
}

describe('FileJournal', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-spec-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('brings back exactly the store that was recorded, however often it was written anew', async () => {
    const step = fc.record({
      bucket: fc.constantFrom('/a', '/b'),
      name: fc.constantFrom('x', 'y', 'z'),
      remove: fc.boolean(),
      value: fc.string({ unit: 'binary' }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), fc.constantFrom(1, 500, 1e9), async (steps, smallest) => {
        const path = join(folder, 'random');
        const store = new Store({ historyLimit: 10 });
        const journal = new FileJournal(path, () => store.snapshot(), smallest);
        journal.replace(store.snapshot());
        store.recordIn(journal);
        for (const { bucket, name, remove, value } of steps) {
          const exists = store.bucket(bucket).get(`n/${name}`) !== undefined;
          if (remove && exists) store.commit(bucket, 'DELETED', secret(name, value));
          else store.commit(bucket, exists ? 'MODIFIED' : 'ADDED', secret(name, value));
          if (value.length % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        journal.close();
        expect(contentsOf(readSnapshot(path))).toEqual(contentsOf(store.snapshot()));
      }),
      { numRuns: 30 },
    );
  }, 20_000);

  it('stays in proportion to the state, however many changes there were', async () => {
    const path = join(folder, 'large');
    const store = new Store({ historyLimit: 10 });
    const journal = new FileJournal(path, () => store.snapshot(), 10_000);
    journal.replace(store.snapshot());
    store.recordIn(journal);
    for (let run = 0; run < 500; run += 1) {
      store.commit('/a', run === 0 ? 'ADDED' : 'MODIFIED', secret('x', 'y'.repeat(500)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statSync(path).size).toBeLessThan(20_000);
    journal.close();
    expect(readSnapshot(path)?.resourceVersion).toBe(500);
  });
});
