import { describe, expect, it } from '@jest/globals';
import { Templates } from '../../../src/client/decode/templates.js';

type Json = Readonly<Record<string, unknown>>;

const utf8 = new TextEncoder();
let nextName = 1;

/** An object of this family was read, and says what it is. */
function learn(templates: Templates, family: number, says: string, { fits = true, changes = false, name = nextName++ } = {}): void {
  const object: Json = { says };
  const bytes = utf8.encode(JSON.stringify(object));
  templates.learn(family, fits, changes, () => templates.make({ family, name }, { bytes, length: bytes.length, cutAt: -1 }, object));
}

/** What the template says that an object of the family is compared with. */
const likeOf = (templates: Templates, family: number): unknown => templates.like(family)?.object['says'];

/** Enough of them do not fit into memory. */
const filling = 'x'.repeat(60_000);
const large = (family: number): string => `${family} ${filling}`;
const many = 600;

describe('Templates', () => {
  it('compares an object with the newest one while its family has no template', () => {
    const templates = new Templates();
    expect(templates.like(1)).toBeUndefined();
    learn(templates, 1, 'a-1');
    expect([1, 2].map((family) => likeOf(templates, family))).toEqual(['a-1', 'a-1']);
    learn(templates, 2, 'b-1');
    expect([1, 2].map((family) => likeOf(templates, family))).toEqual(['b-1', 'b-1']);
  });

  it('keeps a template for a second object of the family, or one that changes', () => {
    const templates = new Templates();
    learn(templates, 1, 'a-1');
    learn(templates, 1, 'a-2');
    learn(templates, 2, 'b-1', { changes: true });
    learn(templates, 3, 'c-1');
    learn(templates, 4, 'd-1');
    expect([1, 2, 3, 4].map((family) => likeOf(templates, family))).toEqual(['a-1', 'b-1', 'd-1', 'd-1']);
  });

  it('takes the second object where the first one does not describe it', () => {
    const templates = new Templates();
    learn(templates, 1, 'a-1');
    learn(templates, 1, 'a-2', { fits: false });
    learn(templates, 2, 'b-1');
    expect(likeOf(templates, 1)).toBe('a-2');
  });

  it('replaces a template that three objects in a row do not fit', () => {
    const templates = new Templates();
    learn(templates, 1, 'first', { changes: true });
    const after = [false, false, true, false, false, false].map((fits, at) => {
      learn(templates, 1, `misfit ${at}`, { fits });
      return likeOf(templates, 1);
    });
    expect(after).toEqual([...Array<string>(5).fill('first'), 'misfit 5']);
  });

  it.each([
    ['a template of their own', 1],
    ['the newest template', 2],
  ])('compares objects that do not fit %s less and less often, until one does', (_, family) => {
    const templates = new Templates();
    learn(templates, 1, 'first', { changes: true });
    const isCompared = (at: number, fits = false): boolean => {
      // Objects of different families come in turn, as siblings would be compared at any rate.
      const other = family === 1 ? family : family + at;
      const like = templates.like(other);
      learn(templates, other, `object ${at}`, { fits });
      return like !== undefined;
    };
    const compared = Array.from({ length: 40 }, (_unused, at) => at).filter((at) => isCompared(at));
    expect(compared).toEqual([0, 1, 2, 3, 4, 8, 16, 32]);
    const later = Array.from({ length: 24 }, (_unused, at) => 40 + at).filter((at) => isCompared(at));
    expect(later).toEqual([]);
    expect([isCompared(64, true), isCompared(65), isCompared(66)]).toEqual([true, true, true]);
  });

  it('forgets the template that was made of a deleted object, and no other', () => {
    const templates = new Templates();
    learn(templates, 1, 'a-1', { changes: true, name: 71 });
    learn(templates, 2, 'b-1', { changes: true, name: 72 });
    templates.forget({ family: 1, name: 73 });
    expect(likeOf(templates, 1)).toBe('a-1');
    templates.forget({ family: 1, name: 71 });
    expect(likeOf(templates, 1)).toBe('b-1');
  });

  it('lets the oldest ones go for objects that change when there is no room', () => {
    const templates = new Templates();
    for (let family = 0; family < many; family += 1) learn(templates, family, large(family), { changes: true });
    const isKept = Array.from({ length: many }, (_, family) => likeOf(templates, family) === large(family));
    const kept = isKept.filter(Boolean).length;
    expect(isKept).toEqual(Array.from({ length: many }, (_, family) => family >= many - kept));
    expect(kept * filling.length).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(kept * filling.length).toBeGreaterThan(30 * 1024 * 1024);
  });

  it('lets few ones of a list go for others when there is no room', () => {
    const templates = new Templates();
    const families = Array.from({ length: many }, (_, family) => family);
    for (const family of families) {
      learn(templates, family, large(family));
      learn(templates, family, 'the same');
    }
    learn(templates, many, 'the newest one');
    const keptOf = (list: readonly number[]): number => list.filter((family) => likeOf(templates, family) === large(family)).length;
    const room = 560;
    expect(keptOf(families.slice(0, room))).toBeGreaterThan(room - 15);
    expect(keptOf(families.slice(room))).toBe((many - room) / 8);
  });

  it('has room again when objects are deleted', () => {
    const templates = new Templates();
    for (let round = 0; round < 3; round += 1) {
      for (let family = 0; family < many / 2; family += 1) learn(templates, family, large(family), { changes: true, name: family });
      expect(likeOf(templates, 0)).toBe(large(0));
      for (let family = 0; family < many / 2; family += 1) templates.forget({ family, name: family });
    }
  });

  it.each([
    ['is too long', JSON.stringify({ says: 'x'.repeat(70_000) })],
    ['has white space', '{"says": "hello"}'],
    ['has fields in another order than its text', '{"says":"hello","1":1}'],
    ['says something twice', '{"says":"hello","says":"hello"}'],
  ])('makes none of an object that %s', (_, text) => {
    const templates = new Templates();
    const bytes = utf8.encode(text);
    templates.learn(1, true, true, () =>
      templates.make({ family: 1, name: 1 }, { bytes, length: bytes.length, cutAt: -1 }, JSON.parse(text) as Json),
    );
    expect(templates.like(1)).toBeUndefined();
  });
});
