import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ValueEnd } from '../../../src/client/decode/valueEnd.js';
import { cut, places } from '../cut.js';
import { runs } from '../runs.js';

const utf8 = new TextEncoder();

const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', 'a', 'é') }));
const { any, nested } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), tie('nested')),
  nested: fc.oneof(
    fc.dictionary(text, tie('any'), { maxKeys: 4 }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.record({ metadata: fc.dictionary(text, tie('any'), { maxKeys: 2 }) }), { maxLength: 3 }),
  ),
}));

/** The end of the value that begins at `at` in the first part, counted over all parts; -1 when it does not end. */
function endIn(parts: readonly Uint8Array[], at: number, valueEnd = new ValueEnd()): number {
  let before = 0;
  for (const part of parts) {
    const end = before === 0 ? valueEnd.of(part, at) : valueEnd.next(part);
    if (end !== -1) return before + end;
    before += part.length;
  }
  return -1;
}

describe('ValueEnd', () => {
  it('finds the end of any value, in whatever parts it comes', () => {
    fc.assert(
      fc.property(any, text, places, (value, behind, where) => {
        const json = JSON.stringify(value);
        const bytes = utf8.encode(`  ${json},${JSON.stringify(behind)}]}`);
        const [first = bytes, ...rest] = cut(bytes.subarray(3), where);
        const parts = [bytes.subarray(0, 3 + first.length), ...rest];
        expect(endIn(parts, 2)).toBe(2 + utf8.encode(json).length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('finds it in parts of one byte, and with empty ones among them, of one value after the other', () => {
    fc.assert(
      fc.property(fc.array(any), (values) => {
        const valueEnd = new ValueEnd();
        for (const value of values) {
          const bytes = utf8.encode(`${JSON.stringify(value)},`);
          const parts = [...bytes].flatMap((byte) => [Uint8Array.of(byte), new Uint8Array()]);
          expect(endIn(parts, 0, valueEnd)).toBe(bytes.length - 1);
        }
      }),
    );
  });

  it('knows nothing of the value before', () => {
    const valueEnd = new ValueEnd();
    const parts = (...texts: string[]) => texts.map((text) => utf8.encode(text));
    expect(endIn(parts('"a\\', 'n",'), 0, valueEnd)).toBe(5);
    expect(endIn(parts('12', ',3'), 0, valueEnd)).toBe(2);
  });

  it('finds none of a value that is cut off', () => {
    fc.assert(
      fc.property(nested, fc.nat(), places, (value, length, where) => {
        const json = utf8.encode(JSON.stringify(value));
        const [first, rest] = [json.subarray(0, 1), json.subarray(1, 1 + (length % (json.length - 1)))];
        expect(endIn([first, ...cut(rest, where)], 0)).toBe(-1);
      }),
    );
  });

  it('finds the end of what lies around a place', () => {
    const bytes = utf8.encode('{"metadata":{"uid":"}","a":[{}]},"b":{}},{');
    expect(new ValueEnd().around(bytes, 13, 2)).toBe(bytes.length - 2);
  });

  it('goes no farther where no value begins', () => {
    expect(new ValueEnd().of(utf8.encode('[,]'), 1)).toBe(1);
  });
});
