import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { from, lastValueFrom } from 'rxjs';
import { deepFreeze } from '../../../../../src/api/deepFreeze.js';
import type { SavedSnapshot, SnapshotStore } from 'rx-informer/pipeline';
import { snapshotFile } from '../../../src/manager/snapshot/snapshotFile.js';
import { runs } from '../../../../../spec/tier.js';

type Entry = readonly [key: string, object: object];

const none = { defaultValue: undefined };
const utf8 = new TextDecoder();

const save = (store: SnapshotStore, objects: readonly Entry[], identity = 'x'): Promise<unknown> =>
  lastValueFrom(from(store.save({ identity, scopes: new Map([['', { resourceVersion: '1', objects }]]) })), none);
const open = (store: SnapshotStore, identity = 'x'): Promise<SavedSnapshot | undefined> => lastValueFrom(from(store.open(identity)), none);

async function textsOf(saved: SavedSnapshot | undefined): Promise<Record<string, string>> {
  const texts = Object.fromEntries((saved?.keys() ?? []).map((key) => [key, utf8.decode(saved?.read(key))]));
  const parts: string[] = [];
  await from(saved?.readAll('') ?? []).forEach((part) => void parts.push(utf8.decode(part)));
  expect(parts.join(',')).toBe(Object.values(texts).join(','));
  return texts;
}

const jsonOf = (objects: readonly Entry[]): Record<string, string> =>
  Object.fromEntries(objects.map(([key, object]) => [key, JSON.stringify(object)]));

describe('snapshotFile', () => {
  let folder: string;
  let path: string;
  let store: SnapshotStore;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-snapshot-'));
    path = join(folder, 'pods');
    store = snapshotFile(path);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const reopened = async (): Promise<Record<string, string>> => {
    const saved = await open(snapshotFile(path));
    try {
      return await textsOf(saved);
    } finally {
      saved?.close();
    }
  };

  /** An object that counts how often its JSON is made. */
  const counting = (value: string) => {
    const made = { times: 0 };
    const toJSON = (): object => {
      made.times += 1;
      return { value };
    };
    return { made, object: { value, toJSON } };
  };

  it('keeps a relative path when the program changes its working directory', async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      store = snapshotFile('pods');
    } finally {
      process.chdir(before);
    }
    await save(store, [['d/a', { a: 1 }]]);
    expect(await reopened()).toEqual(jsonOf([['d/a', { a: 1 }]]));
  });

  it('makes the JSON of a frozen object once, however often that is saved', async () => {
    const [frozen, open, late] = [counting('frozen'), counting('open'), counting('late')];
    Object.freeze(frozen.object);
    Object.freeze(late.object);
    await save(store, [
      ['d/frozen', frozen.object],
      ['d/open', open.object],
    ]);
    await save(store, [
      ['d/late', late.object],
      ['d/open', open.object],
      ['d/frozen', frozen.object],
    ]);
    await save(store, [
      ['d/frozen', frozen.object],
      ['d/late', late.object],
    ]);
    expect([frozen.made.times, open.made.times, late.made.times]).toEqual([1, 2, 1]);
    await expect(reopened()).resolves.toEqual({ 'd/frozen': '{"value":"frozen"}', 'd/late': '{"value":"late"}' });
  });

  it('writes the bytes of restored objects again', async () => {
    await save(store, [
      ['d/a', { value: 'a' }],
      ['d/b', { value: 'b' }],
    ]);
    const later = snapshotFile(path);
    const saved = await open(later);
    const [a, b] = [counting('a'), counting('b')];
    saved?.restored?.('', [Object.freeze(a.object)]);
    saved?.restored?.('', [Object.freeze(b.object)]);
    saved?.restored?.('another scope', [Object.freeze({ value: 'c' })]);
    saved?.close();
    await save(later, [
      ['d/b', b.object],
      ['d/a', a.object],
    ]);
    expect([a.made.times, b.made.times]).toEqual([0, 0]);
    await expect(reopened()).resolves.toEqual({ 'd/b': '{"value":"b"}', 'd/a': '{"value":"a"}' });
  });

  it.each([
    ['are restored again after they were read again', true],
    ['outnumber those of the file', false],
  ])('writes the right bytes where objects %s', async (_, reads) => {
    const entry = (name: string): Entry => [`d/${name}`, Object.freeze({ value: name })];
    await save(store, [entry('a'), entry('b')]);
    const later = snapshotFile(path);
    const saved = await open(later);
    const first = [entry('a'), entry('b')];
    const second = [entry('a'), entry('b')];
    for (const objects of [first, second]) {
      if (reads) await textsOf(saved);
      saved?.restored?.(
        '',
        objects.map(([, object]) => object),
      );
    }
    saved?.close();
    await save(later, second);
    await expect(reopened()).resolves.toEqual(jsonOf(second));
  });

  it('does not write damaged bytes again', async () => {
    const objects = ['a', 'b', 'c'].map((value) => [`d/${value}`, Object.freeze({ value })] as const);
    await save(store, objects);
    const bytes = await readFile(path);
    bytes[bytes.indexOf('"b"') + 1] = 0x78;
    await writeFile(path, bytes);
    const later = snapshotFile(path);
    const saved = await open(later);
    saved?.restored?.(
      '',
      objects.map(([, object]) => object),
    );
    saved?.close();
    await save(later, objects);
    await expect(reopened()).resolves.toEqual(jsonOf(objects));
  });

  it.each([
    ['another file', (): Promise<void> => copyFile(join(folder, 'other'), path)],
    ['a shorter file', (): Promise<void> => truncate(path, 10)],
    ['no file', (): Promise<void> => rm(path)],
  ])('makes all JSON anew where %s stands in the place of the last one', async (_, replace) => {
    const objects = ['a', 'b', 'c'].map((value) => [`d/${value}`, Object.freeze({ value })] as const);
    await save(snapshotFile(join(folder, 'other')), [['d/x', { value: 'x'.repeat(100) }]]);
    await save(store, objects);
    await replace();
    await save(store, objects);
    await expect(reopened()).resolves.toEqual(jsonOf(objects));
  });

  it('reads what was written, whatever was kept, changed, moved and removed between two saves, in all sizes', async () => {
    const sizes = fc.constantFrom(0, 1, 100, 5_000, 2 ** 16 - 12, 2 ** 16 - 11, 2 ** 16, 2 ** 18 - 12, 2 ** 18, 600_000, 3_000_000);
    const states = fc.array(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 }), sizes), { maxLength: 10 }), {
      minLength: 2,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(states, fc.boolean(), async (rounds, restores) => {
        const known = new Map<string, object>();
        let current = snapshotFile(path);
        for (const round of rounds) {
          const objects = new Map<string, object>();
          for (const [name, version, size] of round) {
            const id = `${name} ${version} ${size}`;
            const object = known.get(id) ?? deepFreeze({ id, v: 'ü'.repeat(size / 2) });
            known.set(id, object);
            objects.set(`d/${name}`, object);
          }
          await save(current, [...objects]);
          if (!restores) continue;
          current = snapshotFile(path);
          const saved = await open(current);
          saved?.restored?.('', [...objects.values()]);
          saved?.close();
          expect(await reopened()).toEqual(jsonOf([...objects]));
        }
        const last = await open(current);
        const texts = await textsOf(last);
        last?.close();
        for (const [key, text] of Object.entries(texts)) {
          const { id, v } = JSON.parse(text) as { readonly id: string; readonly v: string };
          expect(id.startsWith(key.slice(2))).toBe(true);
          expect(text).toBe(JSON.stringify(known.get(id)));
          expect(v).toHaveLength(Math.floor(Number(id.split(' ')[2]) / 2));
        }
      }),
      { numRuns: runs(12) },
    );
  });
});
