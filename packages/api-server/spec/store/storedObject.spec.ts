import { describe, expect, it } from '@jest/globals';
import { storedObjectOf, type StoredContent } from '../../src/store/storedObject.js';

function secret(name: string, value = ''): StoredContent {
  return { metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' }, value };
}

/** The content of an object with its version. */
function shown(name: string, resourceVersion: number, value = ''): StoredContent {
  const { metadata, ...rest } = secret(name, value);
  return { metadata: { ...metadata, resourceVersion: String(resourceVersion) }, ...rest };
}

describe('StoredObject', () => {
  it('has its content, parsed or not, and the same one while it is among those used last', () => {
    const first = storedObjectOf(secret('first'), 1);
    expect(first.content).toBe(first.content);
    const others = Array.from({ length: 5_000 }, (_, at) => storedObjectOf(secret(`s${String(at)}`), at + 2));
    expect(first.content).toEqual(shown('first', 1));
    expect(others.at(-1)?.content).toBe(others.at(-1)?.content);
    for (const [at, other] of others.entries()) expect(other.content).toEqual(shown(`s${String(at)}`, at + 2));
  });

  it('has its content however large that is', () => {
    const value = 'x'.repeat(1024 * 1024);
    const objects = [1, 2, 5].map((times, at) => storedObjectOf(secret(`s${String(at)}`, value.repeat(times)), at + 1));
    for (const [at, times] of [1, 2, 5].entries())
      expect(objects[at]?.content).toEqual(shown(`s${String(at)}`, at + 1, value.repeat(times)));
  });

  it('has those parts of metadata at hand that are asked for all the time, and no others', () => {
    const { metadata } = secret('a');
    const labels = { app: 'web' };
    const [plain, full] = [storedObjectOf({ metadata }, 1), storedObjectOf({ metadata: { ...metadata, labels, finalizers: ['a/b'] } }, 2)];
    expect(plain.head).toStrictEqual({ uid: 'uid-a' });
    expect(full.head).toStrictEqual({ uid: 'uid-a', labels, finalizers: ['a/b'] });
  });
});
