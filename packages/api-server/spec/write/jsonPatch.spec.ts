import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../src/json.js';
import { applyJsonPatch } from '../../src/write/jsonPatch.js';
import { StatusError } from '../../src/status/statusError.js';

const unprocessable = expect.objectContaining({ status: expect.objectContaining({ code: 422 }) as unknown }) as unknown as Error;

describe('applyJsonPatch', () => {
  it('makes a name by replacing it, and takes a name that is not there for null (row 70)', () => {
    expect(applyJsonPatch({ a: 1 }, [{ op: 'replace', path: '/b', value: 2 }])).toEqual({ a: 1, b: 2 });
    expect(applyJsonPatch({ a: 1 }, [{ op: 'test', path: '/b', value: null }])).toEqual({ a: 1 });
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'test', path: '/b', value: 1 }])).toThrow(StatusError);
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'test', path: '/b/c', value: null }])).toThrow(StatusError);
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'replace', path: '/b/c', value: 1 }])).toThrow(StatusError);
  });

  it('copies null from a name that is not there', () => {
    expect(applyJsonPatch({ a: 1 }, [{ op: 'copy', from: '/b', path: '/c' }])).toEqual({ a: 1, c: null });
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'copy', from: '/b/c', path: '/d' }])).toThrow(unprocessable);
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'move', from: '/b', path: '/c' }])).toThrow(unprocessable);
  });

  it('counts places in a list in whole numbers, from the end if they are negative', () => {
    const added = (place: string): unknown => applyJsonPatch({ l: ['a', 'b'] }, [{ op: 'add', path: `/l/${place}`, value: 'n' }]);
    expect([added('-1'), added('-3'), added('01'), added('+1')]).toEqual([
      { l: ['a', 'b', 'n'] },
      { l: ['n', 'a', 'b'] },
      { l: ['a', 'n', 'b'] },
      { l: ['a', 'n', 'b'] },
    ]);
    expect(() => added('-4')).toThrow(unprocessable);
  });

  it('replaces the whole document by one alone, and does nothing else to it', () => {
    const patched = (operation: JsonObject): unknown => applyJsonPatch({ a: 1 }, [operation]);
    expect(patched({ op: 'replace', path: '', value: { b: 2 } })).toEqual({ b: 2 });
    expect(() => patched({ op: 'replace', path: '', value: 'x' })).toThrow(unprocessable);
    expect(() => patched({ op: 'add', path: '', value: { b: 2 } })).toThrow(unprocessable);
    expect(() => patched({ op: 'test', path: '', value: { a: 1 } })).toThrow(unprocessable);
    expect(() => patched({ op: 'copy', from: '', path: '/b' })).toThrow(unprocessable);
  });

  it('finds nothing below a text', () => {
    expect(() => applyJsonPatch({ a: 'x' }, [{ op: 'test', path: '/a/b', value: null }])).toThrow(unprocessable);
    expect(() => applyJsonPatch({ a: 'x' }, [{ op: 'copy', from: '/a/b', path: '/c' }])).toThrow(unprocessable);
  });

  it('names the first part that is no text, unless it reads leniently', () => {
    const patch = [{ op: 'test', path: 1 }, 1];
    expect(() => applyJsonPatch({ a: 1 }, patch)).toThrow('cannot decode number as the text path');
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'test', path: 1 }], true)).toThrow(unprocessable);
  });

  it('refuses operations that are no objects, and copies without an origin', () => {
    expect(() => applyJsonPatch({ a: 1 }, [1])).toThrow('cannot decode number as an operation');
    expect(() => applyJsonPatch({ a: 1 }, [{ op: 'copy', path: '/b' }])).toThrow(unprocessable);
  });

  it('refuses more than 10,000 operations', () => {
    const test = { op: 'test', path: '/a', value: 1 };
    const tests = (count: number) => Array<typeof test>(count).fill(test);
    expect(applyJsonPatch({ a: 1 }, tests(10_000))).toEqual({ a: 1 });
    expect(() => applyJsonPatch({ a: 1 }, tests(10_001))).toThrow('The allowed maximum operations in a JSON patch is 10000, got 10001');
  });

  it('refuses copies of copies before they are large', () => {
    const copies = Array.from({ length: 40 }, (_, at) => ({ op: 'copy', from: '/a', path: `/a/${String(at)}` }));
    expect(() => applyJsonPatch({ a: { x: 'y'.repeat(100) } }, copies)).toThrow(unprocessable);
  });

  it('refuses operations that go through a long list again and again', () => {
    const list = Array.from({ length: 100_000 }, () => 0);
    const first = { op: 'add', path: '/list/0', value: 1 };
    const { list: longer } = applyJsonPatch({ list }, [first, first]) as { readonly list: readonly number[] };
    expect(longer).toHaveLength(100_002);
    expect(() => applyJsonPatch({ list }, Array<typeof first>(9_000).fill(first))).toThrow(unprocessable);
  });
});
