import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FileJournal, readSnapshot } from '../../src/store/fileJournal.js';
import { valuesBetween } from '../../src/store/orderedMap.js';
import { Store, type StoreSnapshot } from '../../src/store/store.js';
import type { StoredContent } from '../../src/store/storedObject.js';
import { runs } from '../../../../spec/tier.js';
import { anyCharacter } from '../../../../spec/anyCharacter.js';

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
      value: fc.string({ unit: anyCharacter }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), fc.constantFrom(1, 500, 1e9), async (steps, smallest) => {
        const path = join(folder, 'random');
        const store = new Store({ historyLimit: 10 });
        const journal = new FileJournal(path, smallest);
        journal.begin(() => store.snapshot());
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
      { numRuns: runs(30) },
    );
  }, 600_000);

  it('stays in proportion to the state, however many changes there were', async () => {
    const path = join(folder, 'large');
    const store = new Store({ historyLimit: 10 });
    const journal = new FileJournal(path, 10_000);
    journal.begin(() => store.snapshot());
    store.recordIn(journal);
    for (let run = 0; run < 500; run += 1) {
      store.commit('/a', run === 0 ? 'ADDED' : 'MODIFIED', secret('x', 'y'.repeat(500)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(statSync(path).size).toBeLessThan(20_000);
    journal.close();
    expect(readSnapshot(path)?.resourceVersion).toBe(500);
  });

  it('lets one server at a time use a file', () => {
    const path = join(folder, 'shared');
    const first = new FileJournal(path);
    expect(() => new FileJournal(path)).toThrow(/to be free, got a lock of process \d+/);
    first.close();
    new FileJournal(path).close();
  });

  it('takes over from a process that was killed', () => {
    const path = join(folder, 'left');
    // No process has this number: it exceeds the maximum of all systems.
    writeFileSync(`${path}.lock`, '2147483646');
    new FileJournal(path).close();
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('takes over from a killed process that had the same number, as in a container', () => {
    const path = join(folder, 'container');
    writeFileSync(`${path}.lock`, String(process.pid));
    expect(() => new FileJournal(path)).toThrow(/to be free/);
    utimesSync(`${path}.lock`, 1, 1);
    new FileJournal(path).close();
  });

  it('goes on with the file that it has when it cannot write it anew', async () => {
    const path = join(folder, 'kept');
    const store = new Store({ historyLimit: 10 });
    const journal = new FileJournal(path, 100);
    journal.begin(() => store.snapshot());
    store.recordIn(journal);
    mkdirSync(`${path}.new`);
    for (let run = 0; run < 9; run += 1) {
      store.commit('/a', run === 0 ? 'ADDED' : 'MODIFIED', secret('x', String(run).repeat(50)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(() => store.replace(store.snapshot())).toThrow(/to be a plain file/);
    store.commit('/a', 'ADDED', secret('y', 'after'));
    journal.close();
    expect(contentsOf(readSnapshot(path))).toEqual(contentsOf(store.snapshot()));
  });

  it('follows no link, neither for reading nor for writing', () => {
    const path = join(folder, 'link');
    writeFileSync(join(folder, 'elsewhere'), 'not to be touched');
    symlinkSync(join(folder, 'elsewhere'), path);
    expect(() => readSnapshot(path)).toThrow(/to be a plain file/);
    const journal = new FileJournal(path);
    const store = new Store({ historyLimit: 10 });
    expect(() => journal.begin(() => store.snapshot())).toThrow(/to be a plain file/);
    rmSync(path);
    symlinkSync(join(folder, 'elsewhere'), `${path}.new`);
    expect(() => journal.begin(() => store.snapshot())).toThrow(/to be a plain file/);
    journal.close();
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('not to be touched');
  });
});
