import { describe, expect, it } from '@jest/globals';
import { fakeCollection } from '../../src/testing/fakeCollection.js';

interface Entry {
  readonly name: string;
  readonly metadata?: { readonly uid: string };
}

const key = ({ name }: Entry): string => {
  if (name === '') throw new Error('no name');
  return name;
};
const entry = (name: string): Entry => ({ name });

describe('fakeCollection', () => {
  it('takes all objects of a call or none where `key` throws, and keeps what is pending', () => {
    const entries = fakeCollection([entry('a')], { key });
    entries.put(entry('b'));
    expect(() => entries.put(entry('c'), entry(''))).toThrow('no name');
    expect(() => entries.replace([entry('d'), entry('')])).toThrow('no name');
    const seen: string[][] = [];
    entries.change$.subscribe(({ events }) => seen.push(events.map((event) => `${event.type} ${event.key}`)));
    expect(() => entries.put(entry('e'), entry(''))).toThrow('no name');
    entries.put(entry('f'));
    expect(seen).toEqual([['added a', 'added b'], ['added f']]);
  });

  it('takes none of the objects of a call where one cannot be compared with the one before', () => {
    const { proxy, revoke } = Proxy.revocable<Entry>({ name: 'b' }, {});
    const entries = fakeCollection([entry('a'), proxy], { key });
    const seen: string[][] = [];
    entries.change$.subscribe(({ events }) => seen.push(events.map((event) => `${event.type} ${event.key}`)));
    revoke();
    const next = entry('a');
    expect(() => entries.put(next, { name: 'b', metadata: { uid: '1' } })).toThrow('revoked');
    expect([entries.indexer.getByKey('a') === next, seen]).toEqual([false, [['added a', 'added b']]]);
  });
});
