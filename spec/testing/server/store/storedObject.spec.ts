import { describe, expect, it } from '@jest/globals';
import { storedObjectOf, type StoredContent } from '../../../../src/testing/server/store/storedObject.js';

function secret(name: string, value = ''): StoredContent {
  return { metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' }, value };
}

/** The content of an object with its version. */
function shown(name: string, resourceVersion: number, value = ''): StoredContent {
  const { metadata, ...rest } = secret(name, value);
  return { metadata: { ...metadata, resourceVersion: String(resourceVersion) }, ...rest };
}

describe('StoredObject', () => {
  it('keeps the content of what was used last, and parses that of others when it is asked for', () => {
    const first = storedObjectOf(secret('first'), 1);
    const content = first.content;
    expect(first.content).toBe(content);
    const others = Array.from({ length: 5_000 }, (_, at) => storedObjectOf(secret(`s${String(at)}`), at + 2));
    const again = first.content;
    expect(again).not.toBe(content);
    expect(again).toEqual(shown('first', 1));
    expect(first.content).toBe(again);
    expect(others.at(-1)?.content).toBe(others.at(-1)?.content);
    for (const [at, other] of others.entries()) expect(other.content).toEqual(shown(`s${String(at)}`, at + 2));
  });

  it('keeps no more contents than take 4 MB, and serves one that takes more alone', () => {
    const value = 'x'.repeat(1024 * 1024);
    const [first, ...others] = [1, 2, 3, 4].map((at) => storedObjectOf(secret(`s${String(at)}`, value), at));
    const contents = others.map(({ content }) => content);
    expect(others.map(({ content }) => content)).toEqual(contents);
    for (const [at, { content }] of others.entries()) expect(content).toBe(contents[at]);
    expect(first?.content).toEqual(shown('s1', 1, value));
    const huge = storedObjectOf(secret('huge', value.repeat(5)), 5);
    expect(huge.content).toEqual(shown('huge', 5, value.repeat(5)));
  });
});
