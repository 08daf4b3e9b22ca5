import { describe, expect, it } from '@jest/globals';
import { mergeApplied } from '../../src/apply/mergeApplied.js';
import type { Json } from '../../src/json.js';
import { listBy, object } from '../../src/kinds/fieldShape.js';

const named = listBy('name');
const items = (names: string): readonly { readonly name: string }[] => Array.from(names).map((name) => ({ name }));
const namesOf = (list: Json): string => (list as readonly { readonly name: string }[]).map(({ name }) => name).join('');

describe('mergeApplied', () => {
  it.each([
    ['adds what is new at the end', 'ab', 'c', 'abc'],
    ['keeps what others put in where it stood', 'axb', 'ab', 'axb'],
    ['puts what is new before the item that it is applied before', 'ab', 'na', 'nab'],
    ['follows the order that is applied', 'ba', 'ab', 'ab'],
    ['follows it around what others put in', 'bxa', 'ab', 'xab'],
    ['takes each item once', 'cab', 'abc', 'abc'],
  ])('%s (row 73)', (_, live, applied, result) => {
    expect(namesOf(mergeApplied(items(live), items(applied), named))).toBe(result);
    expect(mergeApplied(Array.from(live), Array.from(applied), { keys: [] })).toEqual(Array.from(result));
  });

  it('merges objects and items, and replaces everything else (row 73)', () => {
    const shape = object({ list: named, whole: { atomic: true } });
    const live = { list: [{ name: 'a', kept: 1, changed: 1 }], whole: { a: 1 }, plain: [1, 2], other: 1 };
    const applied = { list: [{ name: 'a', changed: 2 }], whole: { b: 1 }, plain: [3] };
    expect(mergeApplied(live, applied, shape)).toEqual({
      list: [{ name: 'a', kept: 1, changed: 2 }],
      whole: { b: 1 },
      plain: [3],
      other: 1,
    });
  });
});
