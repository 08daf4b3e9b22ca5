import { describe, expect, it } from '@jest/globals';
import type { Names } from '../../../src/client/decode/outline.js';
import { type Template, Templates } from '../../../src/client/decode/templates.js';

type Json = Readonly<Record<string, unknown>>;

const utf8 = new TextEncoder();

/** An object, and its text. */
const long = (length: number): { readonly object: Json; readonly bytes: Uint8Array } => {
  const object = { text: 'x'.repeat(length) };
  return { object, bytes: utf8.encode(JSON.stringify(object)) };
};
const short = long(3_000);
const names = (name: number, family = 10_000 + name, form = 100_000): Names => ({ name, family, form });

/** Makes a template of an object. */
function make(templates: Templates, of: Names, changes = true, { object, bytes } = short): void {
  templates.make(of, bytes, object, changes);
}

/** The text of an object that is like its template. */
const alike =
  ({ bytes } = short) =>
  (): Uint8Array =>
    bytes;

describe('Templates', () => {
  it('compare an object with its own version of its form, one of its family and form, or one of its form, in this order', () => {
    const templates = new Templates();
    const found = (of: Names): number | undefined => templates.find(of)?.name;
    expect(found(names(1))).toBeUndefined();
    make(templates, names(1, 10_000, 100_000));
    make(templates, names(2, 20_000, 200_000));
    expect([found(names(3, 30_000, 100_000)), found(names(3, 30_000, 200_000)), found(names(3, 30_000, 300_000))]).toEqual([
      1,
      2,
      undefined,
    ]);
    expect([found(names(1, 10_000, 200_000)), found(names(1, 20_000, 200_000)), found(names(2, 20_000, 100_000))]).toEqual([2, 2, 1]);
    make(templates, names(4, 10_000, 100_000));
    expect([found(names(4, 10_000, 100_000)), found(names(5, 10_000, 100_000))]).toEqual([4, 1]);
  });

  it('keep for a family and form what one of it brought that was like one of another family', () => {
    const templates = new Templates();
    make(templates, names(1, 10_000));
    const first = templates.find(names(2, 20_000)) as Template;
    templates.fitted(first, names(2, 20_000), short.object, alike(), false);
    expect(templates.find(names(3, 20_000))?.name).toBe(2);
    expect(templates.find(names(3, 10_000))?.name).toBe(1);
    templates.fitted(templates.find(names(3, 20_000)) as Template, names(3, 20_000), short.object, alike(), false);
    make(templates, names(4, 40_000));
    expect(templates.find(names(5, 20_000))?.name).toBe(2);
    templates.fitted(templates.find(names(6, 60_000)) as Template, names(6, 60_000), short.object, alike(), false);
    make(templates, names(7, 70_000));
    expect(templates.find(names(8, 60_000))?.name).toBe(7);
  });

  it('keep for a family and form what came with it before, once one of it is like one of another family', () => {
    const templates = new Templates();
    make(templates, names(1, 10_000));
    templates.fitted(templates.find(names(2, 20_000)) as Template, names(2, 20_000), short.object, alike(), true);
    expect(templates.find(names(3, 20_000))?.name).toBe(1);
    templates.fitted(templates.find(names(3, 20_000)) as Template, names(3, 20_000), short.object, alike(), true);
    make(templates, names(4, 40_000));
    expect([names(5, 20_000), names(5, 30_000)].map((of) => templates.find(of)?.name)).toEqual([3, 4]);
  });

  it('are made of the second of a family that changed, also while they are of no use', () => {
    const templates = new Templates();
    learn(templates, 24);
    expect([1, 2].map((name) => templates.wants(names(name, 10_000), true))).toEqual([false, true]);
  });

  it('are made of an object that changed, and of no other one whose form has one but the second of a family', () => {
    const templates = new Templates();
    expect(templates.wants(names(1), false)).toBe(true);
    make(templates, names(1), false);
    expect([1, 2, 3].map((name) => templates.wants(names(name, 20_000), false))).toEqual([false, true, true]);
    expect(templates.wants(names(1), false)).toBe(false);
    expect(templates.wants(names(1), true)).toBe(true);
  });

  const looks = (templates: Templates): number => Array.from({ length: 320 }, () => templates.isOfUse()).filter(Boolean).length;
  /** Looks at objects of which none is like another one. */
  const learn = (templates: Templates, count: number, from = 1_000): void => {
    for (let name = from; name < from + count; name += 1) templates.wants(names(name), name % 2 === 0);
  };

  it('have one of 32 objects looked at when they have been of no use to the first 24, until they are to one', () => {
    const templates = new Templates();
    make(templates, names(1));
    learn(templates, 23);
    expect(looks(templates)).toBe(320);
    learn(templates, 20, 2_000);
    expect(looks(templates)).toBe(10);
    expect([false, true, true].map((changes) => templates.wants(names(changes ? 5_000 : 5_001), changes))).toEqual([false, false, true]);
    templates.fitted(templates.find(names(1)) as Template, names(1), short.object, alike(), true);
    expect(looks(templates)).toBe(320);
    learn(templates, 9, 3_000);
    expect(looks(templates)).toBe(10);
  });

  it('have all objects looked at again when one has kept its form, also where it was passed over before', () => {
    const templates = new Templates();
    learn(templates, 24);
    templates.pass(names(1));
    templates.wants(names(2), true);
    expect(looks(templates)).toBe(10);
    templates.wants(names(1), true);
    expect(looks(templates)).toBe(320);
  });

  it('have few objects looked at when these were not like their versions before, however many keep their forms, until one is', () => {
    const templates = new Templates();
    for (let name = 0; name < 4; name += 1) {
      templates.pass(names(name));
      templates.wants(names(name), true);
      make(templates, names(name));
      templates.misfitted(templates.find(names(name)) as Template, names(name));
    }
    for (let name = 0; name < 1_000; name += 1) templates.pass(names(name));
    for (let name = 0; name < 1_000; name += 1) templates.wants(names(name), true);
    expect(looks(templates)).toBe(10);
    make(templates, names(1));
    templates.fitted(templates.find(names(2)) as Template, names(2), short.object, alike(), true);
    for (let name = 0; name < 1_000; name += 1) templates.wants(names(name), true);
    expect(looks(templates)).toBe(10);
    templates.fitted(templates.find(names(1)) as Template, names(1), short.object, alike(), true);
    for (let name = 0; name < 64; name += 1) templates.wants(names(name), true);
    expect(looks(templates)).toBe(320);
  });

  it('are dropped with their object, or when they were like it no more', () => {
    const templates = new Templates();
    make(templates, names(1, 10_000, 100_000));
    templates.forget(names(1, 10_000, 100_000));
    expect(templates.find(names(2, 10_000, 100_000))).toBeUndefined();
    make(templates, names(1, 10_000, 100_000));
    templates.misfitted(templates.find(names(1, 10_000, 100_000)) as Template, names(1, 10_000, 100_000));
    expect(templates.find(names(2, 10_000, 100_000))).toBeUndefined();
  });

  it('are dropped when a version of their object is too long for them', () => {
    const templates = new Templates();
    const [first, later] = [names(1), names(2, 20_000)];
    make(templates, first);
    const longer = long(4_000);
    templates.fitted(templates.find(first) as Template, first, longer.object, alike(longer), true);
    expect([first, later].map((of) => templates.find(of))).toEqual([undefined, undefined]);
  });

  it('are not made of an object of more than 65,535 bytes, whatever it was like', () => {
    for (const [length, name] of [
      [65_524, 2],
      [65_525, 1],
    ] as const) {
      const templates = new Templates();
      make(templates, names(1));
      const longer = long(length);
      templates.fitted(templates.find(names(1)) as Template, names(2), longer.object, alike(longer), false);
      expect(templates.find(names(3))?.name).toBe(name);
    }
  });

  it('are dropped when no object was like them for 1,024 to 2,048 objects', () => {
    const templates = new Templates();
    make(templates, names(1, 10_000, 100_000));
    make(templates, names(2, 20_000, 200_000));
    const usedBy = names(2, 20_000, 200_000);
    for (let count = 0; count < 1_024; count += 1) templates.isOfUse();
    expect(templates.find(names(1, 10_000, 100_000))?.name).toBe(1);
    for (let count = 0; count < 2 * 1_024; count += 1) {
      const template = templates.find(usedBy) as Template;
      templates.isOfUse();
      if (count % 1_000 === 0) templates.fitted(template, usedBy, short.object, alike(), true);
    }
    expect(templates.find(names(1, 10_000, 100_000))).toBeUndefined();
    expect(templates.find(usedBy)?.name).toBe(2);
  });

  it('are dropped when no object was like them for twice as many objects as they have keys', () => {
    const templates = new Templates();
    const tiny = long(10);
    for (let name = 0; name < 1_000; name += 1) make(templates, names(name), true, tiny);
    for (let count = 0; count < 6_000; count += 1) templates.isOfUse();
    expect(templates.find(names(1))?.name).toBe(1);
    for (let count = 0; count < 3_000; count += 1) templates.isOfUse();
    expect(templates.find(names(1))).toBeUndefined();
  });

  it('of siblings take no more than 32 MB, and make room when their object goes', () => {
    const templates = new Templates();
    const text = long(60_000);
    make(templates, names(0), false, text);
    const isKept = (name: number): boolean => templates.find(names(name))?.name === name;
    /** Whether an object of another family that was seen before got a template like one of its form. */
    const derive = (name: number): boolean => {
      templates.wants(names(name), false);
      templates.fitted(templates.find(names(name)) as Template, names(name), text.object, alike(text), false);
      return isKept(name);
    };
    let count = 1;
    while (count < 1_000 && derive(count)) count += 1;
    expect(count * 60_000).toBeGreaterThan(32_000_000);
    expect(count * 60_000).toBeLessThan(2 ** 25);
    templates.forget(names(1));
    expect([1_000, 1_001].map(derive)).toEqual([true, false]);
    expect([0, 2, 3].map(isKept)).toEqual([true, true, true]);
  });

  it('take no more than 32 MB, and make room for new ones when they are dropped', () => {
    const templates = new Templates();
    const isKept = (name: number): boolean => templates.find(names(name))?.name === name;
    const longText = 60_000;
    const text = long(longText);
    for (let name = 0; name < 560; name += 1) make(templates, names(name), true, text);
    const kept = Array.from({ length: 560 }, (_, name) => name).filter(isKept);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, name) => name));
    expect(kept.length * longText).toBeGreaterThan(31_000_000);
    expect(kept.length * longText).toBeLessThan(2 ** 25);
    for (let name = 1_000; name < 1_016; name += 1) make(templates, names(name), true, text);
    expect(Array.from({ length: 16 }, (_, at) => isKept(1_000 + at)).filter(Boolean)).toHaveLength(0);
    templates.forget(names(0));
    make(templates, names(2_000), true, text);
    expect([0, 1, kept.length - 1, 2_000].map(isKept)).toEqual([false, true, true, true]);
  });
});
