import { describe, expect, it } from '@jest/globals';
import { type Comparison, Differences } from '../../../src/client/decode/differences.js';
import { JsonBytes } from '../../../src/client/decode/jsonBytes.js';
import type { Template } from '../../../src/client/decode/template.js';
import { Templates } from '../../../src/client/decode/templates.js';

const utf8 = new TextEncoder();
const span = 4_000;

interface Made {
  readonly templates: Templates;
  /** Makes a template of an object of this name, as after an event or in a list. */
  readonly make: (name: number, family: number, options?: { readonly length?: number; readonly changes?: boolean }) => void;
  /** Whether there is an object of its family to compare an object with, or a version of its own. */
  readonly finds: (name: number, family: number, length?: number) => boolean;
}

function made(): Made {
  const templates = new Templates();
  const families = new Map<number, number>();
  const texts = new Map<number, readonly [object: Readonly<Record<string, unknown>>, bytes: Uint8Array]>();
  const textOf = (length: number): readonly [object: Readonly<Record<string, unknown>>, bytes: Uint8Array] => {
    const object = { text: 'x'.repeat(length) };
    const known = texts.get(length) ?? [object, utf8.encode(JSON.stringify(object))];
    texts.set(length, known);
    return known;
  };
  return {
    templates,
    make: (name, family, { length = span, changes = true } = {}) => {
      families.set(name, family);
      const [object, bytes] = textOf(length);
      templates.make({ name, family }, { bytes, length: bytes.length, cutAt: -1 }, length, object, changes);
    },
    finds: (name, family, length = span) => families.get(templates.find({ name, family }, length)?.name ?? NaN) === family,
  };
}

describe('Templates', () => {
  it('compares an object with one of its family of about its length', () => {
    const { make, finds } = made();
    make(1, 10);
    expect([finds(2, 10), finds(2, 10, span + 20), finds(2, 10, 2 * span), finds(2, 11)]).toEqual([true, true, false, false]);
  });

  it('compares an object whose family has none with the newest one, while that is of use', () => {
    const { make, templates } = made();
    for (const name of [1, 2]) make(name, 10 * name);
    const names = { name: 3, family: 30 };
    const found = () => templates.find(names, 2 * span);
    const newest = found();
    expect(newest?.name).toBe(2);
    for (let misfits = 0; misfits < 4; misfits += 1) templates.misfitted(newest as Template, names);
    expect(Array.from({ length: 64 }, found).filter(Boolean)).toHaveLength(2);
  });

  it('keeps a template for each shape of a family of several', () => {
    const { make, finds, templates } = made();
    make(1, 10);
    templates.count({ name: 2, family: 10 }, false);
    make(1, 10, { length: 2 * span });
    expect([finds(3, 10), finds(3, 10, 2 * span)]).toEqual([true, true]);
  });

  it('keeps one template for a family of one', () => {
    const { make, finds } = made();
    make(1, 10);
    make(1, 10, { length: 2 * span });
    expect([finds(1, 10), finds(1, 10, 2 * span)]).toEqual([false, true]);
  });

  it('keeps a template of its own for an object that changes and is not like its family', () => {
    const { make, finds, templates } = made();
    make(1, 10);
    make(2, 10);
    templates.count({ name: 2, family: 10 }, false);
    templates.forget({ name: 1, family: 10 });
    // Found by its name, whatever its length.
    expect([finds(2, 10, 9 * span), finds(3, 10, 9 * span)]).toEqual([true, false]);
  });

  it('forgets what is gone, and a family with the last one of it', () => {
    const { make, finds, templates } = made();
    make(1, 10);
    templates.count({ name: 2, family: 10 }, false);
    templates.forget({ name: 1, family: 10 });
    expect(finds(3, 10)).toBe(true);
    templates.forget({ name: 2, family: 10 });
    expect(finds(3, 10)).toBe(false);
  });

  it('counts the objects of a family anew with each list', () => {
    const { make, finds, templates } = made();
    make(1, 10);
    for (let lists = 0; lists < 2; lists += 1) {
      templates.beginList();
      for (const name of [1, 2, 3]) templates.count({ name, family: 10 }, true);
      templates.endList();
    }
    const left = [1, 2, 3].map((name) => {
      templates.forget({ name, family: 10 });
      return finds(4, 10);
    });
    expect(left).toEqual([true, true, false]);
  });

  it('forgets with a complete list what did not come in it', () => {
    const { make, finds, templates } = made();
    for (const family of [10, 11]) make(family * 10, family);
    make(111, 11);
    templates.beginList();
    templates.count({ name: 100, family: 10 }, true);
    expect([finds(100, 10), finds(110, 11), finds(111, 11, 9 * span)]).toEqual([true, true, true]);
    templates.endList();
    expect([finds(100, 10), finds(110, 11), finds(111, 11, 9 * span)]).toEqual([true, false, false]);
  });

  it('makes few templates when objects have not been like their versions before', () => {
    const { make, templates } = made();
    const names = { name: 1, family: 10 };
    const wanted = (): number => Array.from({ length: 64 }, () => templates.wants(names, false)).filter(Boolean).length;
    expect(wanted()).toBe(64);
    for (let version = 1; version <= 6; version += 1) make(1, 10, { length: version * span });
    expect(wanted()).toBe(2);
  });

  it('makes few templates when none of them has been of use', () => {
    const { make, templates } = made();
    for (let name = 0; name < 600; name += 1) make(name, name);
    expect(Array.from({ length: 64 }, () => templates.wants({ name: 1, family: 1 }, false)).filter(Boolean)).toHaveLength(2);
  });

  describe('with as much as they may take', () => {
    const length = 60_000;
    const most = 32 * 1024 * 1024;

    /** Templates of one object each, named from 0 on; for the last two there was no room, of which one is the newest. */
    const filled = () => {
      const { make, finds, templates } = made();
      const own = (name: number): Template | undefined => {
        const found = templates.find({ name, family: name }, length);
        return found?.name === name ? found : undefined;
      };
      make(0, 0, { length, changes: false });
      const first = own(0) as Template;
      const { bytes, length: end, object } = first;
      const same: Comparison = { differences: new Differences(), from: 0, json: new JsonBytes(bytes.slice()), start: 0 };
      const list = (name: number, changes = false): void => {
        templates.use.fitted(true);
        templates.derive({ name, family: name }, first, same, object, end, changes);
      };
      let next = 1;
      for (; next < 1_000 && (next < 3 || own(next - 2) !== undefined); next += 1) list(next);
      const change = (name: number) => templates.fitted(own(name) as Template, { name, family: name }, true, same, object, end);
      return { templates, make, finds, own, list, change, next };
    };

    it('are within their limit, and near to it', () => {
      const { own, next } = filled();
      const bytes = Array.from({ length: next - 1 }, (_, name) => own(name)?.size ?? 0).reduce((sum, size) => sum + size, 0);
      expect(bytes).toBeLessThanOrEqual(most);
      expect(bytes).toBeGreaterThan(most - 2 * length);
    });

    it('keep one of eight that a list brings', () => {
      const { own, list, next } = filled();
      for (let name = next; name < next + 80; name += 1) list(name);
      const kept = Array.from({ length: 79 }, (_, at) => own(next + at)).filter(Boolean);
      expect(kept).toHaveLength(10);
    });

    it('keep one of eight that a list brings and that had to be parsed', () => {
      const { make, own, next } = filled();
      for (let name = next; name < next + 80; name += 1) make(name, name, { length, changes: false });
      expect(Array.from({ length: 79 }, (_, at) => own(next + at)).filter(Boolean)).toHaveLength(10);
    });

    it('give way to all objects that change, and then to one of eight, where these were like others', () => {
      const { own, list, next } = filled();
      for (let name = next; name < 2 * next; name += 1) list(name, true);
      const before = Array.from({ length: next }, (_, at) => own(next + at)).filter(Boolean).length;
      for (let name = 2 * next; name < 2 * next + 80; name += 1) list(name, true);
      const after = Array.from({ length: 79 }, (_, at) => own(2 * next + at)).filter(Boolean).length;
      expect([before > next - 5, after]).toEqual([true, 10]);
    });

    it('give way to an object that changes, those first that have not changed for longest', () => {
      const { make, own, change, next } = filled();
      for (const name of [0, 2]) change(name);
      for (const name of [next, next + 1]) make(name, name, { length });
      expect([0, 1, 2, 3, 4, next, next + 1].filter((name) => own(name) !== undefined)).toEqual([0, 2, 4, next, next + 1]);
    });

    it('give way to one of eight objects that change, where others have changed', () => {
      const { make, own, change, next } = filled();
      for (let name = 0; own(name) !== undefined; name += 1) change(name);
      for (let name = next; name < next + 80; name += 1) make(name, name, { length });
      expect(Array.from({ length: 79 }, (_, at) => own(next + at)).filter(Boolean)).toHaveLength(10);
    });

    it('compare an object of a list with the one before of its family, for which there was no room', () => {
      const { templates, list, change, next } = filled();
      list(next);
      const names = { name: next + 1, family: next };
      const newest = templates.find(names, length);
      expect(newest?.name).toBe(next);
      expect(change(next)).toBe(false);
    });

    it('take no room for what another version has taken the place of', () => {
      const { templates, make, own, next } = filled();
      for (const name of [0, 1]) templates.forget({ name, family: name });
      for (let version = 0; version < 20; version += 1) make(next, 2, { length });
      expect(templates.find({ name: next, family: 2 }, length)?.name).toBe(next);
      expect(Array.from({ length: 20 }, (_, at) => own(2 + at)).every(Boolean)).toBe(true);
    });

    it('have room again for what is gone', () => {
      const { templates, make, finds, next } = filled();
      for (let name = 0; name < next; name += 1) templates.forget({ name, family: name });
      make(next, next, { length });
      expect(finds(next, next, length)).toBe(true);
    });
  });

  it('takes no more memory than its limit for objects of one family that are not alike', () => {
    const { make, templates } = made();
    const length = 60_000;
    const count = 600;
    make(0, 0, { length });
    for (let name = 1; name < count; name += 1) {
      templates.use.fitted(true);
      make(name, 0, { length });
    }
    const found = Array.from({ length: count }, (_, name) => templates.find({ name, family: 0 }, length)?.name === name);
    expect(found.filter(Boolean).length * length).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(found.slice(-20)).toContain(true);
  });

  it('compares with the newest one also when an older one is gone', () => {
    const { make, templates } = made();
    make(1, 10);
    make(2, 20);
    templates.forget({ name: 1, family: 10 });
    expect(templates.find({ name: 3, family: 30 }, span)?.name).toBe(2);
    templates.forget({ name: 2, family: 20 });
    expect(templates.find({ name: 3, family: 30 }, span)).toBeUndefined();
  });

  describe('after objects that were not like the newest one, or not like their family', () => {
    const notChanged = undefined as never;
    const [other, ofFamily] = [
      { name: 3, family: 30 },
      { name: 4, family: 20 },
    ];
    const setUp = () => {
      const { make, templates } = made();
      make(1, 10);
      make(2, 20);
      const newest = templates.find(other, span) as Template;
      const often = (names: { readonly name: number; readonly family: number }): number =>
        Array.from({ length: 32 }, () => templates.find(names, span)).filter(Boolean).length;
      for (const names of [other, ofFamily]) for (let misfits = 0; misfits < 4; misfits += 1) templates.misfitted(newest, names);
      return { templates, newest, often };
    };

    it('compares one of 32', () => {
      const { often } = setUp();
      expect([often(other), often(ofFamily)]).toEqual([1, 1]);
    });

    it('compares strangers again once one was like the newest one, of which a template is wanted', () => {
      const { templates, newest, often } = setUp();
      expect(templates.fitted(newest, other, false, notChanged, {}, 0)).toBe(true);
      expect([often(other), often(ofFamily)]).toEqual([32, 1]);
    });

    it('compares those of a family again once one was like it, of which no template is wanted', () => {
      const { templates, newest, often } = setUp();
      expect(templates.fitted(newest, ofFamily, false, notChanged, {}, 0)).toBe(false);
      expect([often(other), often(ofFamily)]).toEqual([1, 32]);
    });
  });

  it('is idle after objects of lists that were like no other, and not after others, until one is like another', () => {
    const { make, templates } = made();
    const names = { name: 2, family: 20 };
    make(1, 10);
    for (let at = 0; at < 40; at += 1) templates.wants(names, false);
    expect(templates.isIdle).toBe(false);
    for (let at = 0; at < 40; at += 1) templates.wants(names, true);
    expect(templates.isIdle).toBe(true);
    templates.fitted(templates.find(names, span) as Template, names, false, undefined as never, {}, 0);
    expect(templates.isIdle).toBe(false);
  });

  it('makes none in a list of families of one, until one of them has another object', () => {
    const { templates } = made();
    templates.beginList();
    const listed = (name: number, family: number): boolean => {
      templates.count({ name, family }, true);
      return templates.wants({ name, family }, true);
    };
    expect([1, 2, 3, 4, 5, 6, 7].map((name) => listed(name, 10 * name))).toEqual([true, true, true, true, false, false, false]);
    expect(templates.wants({ name: 7, family: 70 }, false)).toBe(true);
    expect(listed(8, 70)).toBe(true);
    expect(listed(9, 90)).toBe(true);
    templates.beginList();
    expect(listed(1, 10)).toBe(true);
  });

  it('makes none in a list of an object whose family has one', () => {
    const { make, templates } = made();
    make(1, 10);
    expect([templates.wants({ name: 2, family: 10 }, true), templates.wants({ name: 2, family: 10 }, false)]).toEqual([false, true]);
  });

  it('gives what a list left behind to objects that change, least recently used first', () => {
    const { make, finds } = made();
    const length = 60_000;
    for (let name = 0; name < 1_000; name += 1) make(name, name, { length, changes: false });
    for (let name = 1_000; name < 1_300; name += 1) make(name, name, { length });
    const found = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => finds(from + at, from + at, length)).filter(Boolean);
    expect(found(1_000, 1_300)).toHaveLength(300);
    expect(found(0, 1_000).length).toBeGreaterThan(0);
  });

  it('knows how many objects a family has when its templates have given way', () => {
    const { make, templates, finds } = made();
    const length = 30_000;
    templates.beginList();
    for (const name of [1, 2]) templates.count({ name, family: 10 }, true);
    make(1, 10, { length });
    for (let name = 1_000; name < 2_400; name += 1) make(name, name, { length, changes: false });
    expect(finds(1, 10, length)).toBe(false);
    make(1, 10, { length });
    make(2, 10, { length: 2 * length });
    // A family of one would have its newest only.
    expect([finds(1, 10, length), finds(2, 10, 2 * length)]).toEqual([true, true]);
  });

  it('counts a family whose first template found no room', () => {
    const { make, templates, finds } = made();
    const length = 30_000;
    for (let name = 1_000; name < 2_400; name += 1) make(name, name, { length, changes: false });
    for (const name of [1, 2]) templates.count({ name, family: 10 }, false);
    make(1, 10, { length });
    make(2, 10, { length: 2 * length });
    expect([finds(1, 10, length), finds(2, 10, 2 * length)]).toEqual([true, true]);
  });
});
