import { describe, expect, it } from '@jest/globals';
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
  return {
    templates,
    make: (name, family, { length = span, changes = true } = {}) => {
      families.set(name, family);
      const object = { name: String(name), text: 'x'.repeat(length) };
      const bytes = utf8.encode(JSON.stringify(object));
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

  it('takes no more memory than its limit', () => {
    const { make, finds } = made();
    const length = 60_000;
    for (let name = 0; name < 1_000; name += 1) make(name, name, { length });
    const found = Array.from({ length: 1_000 }, (_, name) => finds(name, name, length)).filter(Boolean).length;
    expect(found * length).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(found * length).toBeGreaterThan(28 * 1024 * 1024);
    // The newest ones are among them.
    expect(Array.from({ length: 100 }, (_, at) => finds(999 - at, 999 - at, length))).toContain(true);
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
    for (let name = 1_000; name < 2_400; name += 1) make(name, name, { length });
    expect(finds(1, 10, length)).toBe(false);
    make(1, 10, { length });
    make(2, 10, { length: 2 * length });
    // A family of one would have its newest only.
    expect([finds(1, 10, length), finds(2, 10, 2 * length)]).toEqual([true, true]);
  });

  it('counts a family whose first template found no room', () => {
    const { make, templates, finds } = made();
    const length = 30_000;
    for (let name = 1_000; name < 2_400; name += 1) make(name, name, { length });
    for (const name of [1, 2]) templates.count({ name, family: 10 }, false);
    make(1, 10, { length });
    make(2, 10, { length: 2 * length });
    expect([finds(1, 10, length), finds(2, 10, 2 * length)]).toEqual([true, true]);
  });
});
