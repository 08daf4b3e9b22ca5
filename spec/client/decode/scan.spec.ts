import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scanBytes, ValueEnd } from '../../../src/client/decode/scan.js';
import { type VectorScan, vectorScan } from '../../../src/client/decode/vectorScan.js';
import { cut, places } from '../cut.js';
import { runs } from '../../tier.js';

const utf8 = new TextEncoder();
const vectors = vectorScan() as VectorScan;
const scan: typeof scanBytes = (json, at, state) => vectors.end(json, at, state);

type Scan = typeof scanBytes;

/** What a scan finds, part by part, from `at` in the first one on: the last one may be an end. */
function answers(by: Scan, parts: readonly Uint8Array[], at: number, state: number): readonly number[] {
  const found: number[] = [];
  for (const part of parts) {
    const last = found.at(-1);
    found.push(by(part, last === undefined ? at : 0, last === undefined ? state : ~last));
    if ((found.at(-1) as number) >= 0) break;
  }
  return found;
}

const states = fc
  .record({ depth: fc.integer({ min: 1, max: 70 }), isEscaped: fc.boolean(), isInString: fc.boolean() })
  .map(({ depth, isEscaped, isInString }) => (depth << 2) | (Number(isEscaped) << 1) | Number(isInString));

const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ' ', '\n', 'a', 'é') });
const { nested } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5 }, text, fc.double(), fc.constant(null), tie('nested')),
  nested: fc.oneof(fc.dictionary(text, tie('any'), { maxKeys: 6 }), fc.array(tie('any'), { maxLength: 6 })),
}));
const json = fc.tuple(nested, fc.constantFrom('', ' ', '\n\t')).map(([value, space]) => utf8.encode(JSON.stringify(value, null, space)));

/** Arbitrary bytes, most of them significant for the scan. */
const damaged = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...utf8.encode('"\\{}[]')), weight: 4 }, fc.integer({ min: 0, max: 255 })), {
    maxLength: 400,
  })
  .map((bytes) => Uint8Array.from(bytes));

/** A chunk that is larger than the memory of the module, with JSON at some positions. */
const large = fc
  .array(fc.tuple(json, fc.constantFrom(1, 1_000, 16_000, 70_000, 1_100_000)), { minLength: 1, maxLength: 4 })
  .map((all) => Buffer.concat(all.flatMap(([value, padding]) => [value, Buffer.alloc(padding, ',')])));

describe('VectorScan', () => {
  it('finds the end of JSON, in whatever parts it comes', () => {
    fc.assert(
      fc.property(json, text, fc.nat(200), places, (value, behind, padding, where) => {
        const bytes = Buffer.concat([Buffer.alloc(padding, '{'), value, utf8.encode(`,${JSON.stringify(behind)}]}`)]);
        const [first = bytes, ...rest] = cut(bytes.subarray(padding + 1), where);
        const parts = [bytes.subarray(0, padding + 1 + first.length), ...rest];
        const found = answers(scan, parts, padding + 1, 4);
        expect(found).toEqual(answers(scanBytes, parts, padding + 1, 4));
        const before = parts.slice(0, found.length - 1).reduce((sum, { length }) => sum + length, 0);
        expect(before + (found.at(-1) as number)).toBe(padding + value.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('finds the same when JSON with escapes is cut at any place', () => {
    const value = { a: 'x\\"{[\\\\', b: [{ c: '\\\\\\"' }, { d: ['}', '{"]}'] }], long: `${'y'.repeat(100)}"\\${'\\'.repeat(70)}"`, z: {} };
    const bytes = utf8.encode(`${JSON.stringify(value)},`);
    for (let at = 1; at <= bytes.length; at += 1) {
      for (const end of [at, at + 1, at + 63, at + 64, at + 65]) {
        const parts = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
        const found = answers(scan, parts, 1, 4);
        expect(found).toEqual(answers(scanBytes, parts, 1, 4));
        expect(found.at(-1)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('answers as the plain scan does whatever the bytes and the state are', () => {
    fc.assert(
      fc.property(damaged, states, fc.nat(70), places, (bytes, state, at, where) => {
        const parts = cut(bytes, where);
        const start = Math.min(at, parts[0]?.length ?? 0);
        expect(answers(scan, parts, start, state)).toEqual(answers(scanBytes, parts, start, state));
      }),
      { numRuns: runs(2000) },
    );
  });

  it('goes through chunks that are larger than the memory of the module is at first', () => {
    fc.assert(
      fc.property(
        large,
        states,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
        (chunk, state, starts) => {
          // Also from a place before the one where the last scan began.
          for (const start of starts) {
            const at = Math.floor(start * chunk.length);
            expect(scan(chunk, at, state)).toBe(scanBytes(chunk, at, state));
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('takes for certainly valid what the parser takes, and of what servers write of their own all of it', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'f:', '"', '\\', '\n', ' ', '{', '}', '[', ']', ',', ':', '.', '-') });
    const { any } = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.nat(),
        fc.constantFrom(true, false, null),
        fc.dictionary(word, tie('any'), { maxKeys: 4 }),
        fc.array(tie('any'), { maxLength: 4 }),
      ),
    }));
    const isPlain = (text: string): boolean => {
      const bytes = utf8.encode(`{${text},`);
      vectors.end(bytes, 1, 4);
      return vectors.isPlain(1, bytes.length - 1);
    };
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const bytes = fc.constantFrom(...Array.from('"\\{}[],:0123456789-.etfnul a\u0001é'));
    fc.assert(
      fc.property(any, fc.nat(), bytes, fc.constantFrom(0, 1), (value, place, other, taken) => {
        const text = JSON.stringify(value);
        expect(isPlain(text)).toBe(true);
        const at = place % (text.length + 1);
        const damaged = text.slice(0, at) + other + text.slice(at + taken);
        expect(isPlain(damaged) && !isJson(damaged)).toBe(false);
      }),
      { numRuns: runs(3000) },
    );
    for (const text of [
      '',
      '[',
      '{',
      '{"a"',
      '{"a":',
      '[1,',
      'tru',
      'nul',
      '"a',
      '"a\\',
      '01',
      '-1',
      '1.5',
      '"\\u0061"',
      '"é"',
      '[}',
      '{]',
      ']',
      '{"a":1,}',
      '[1,]',
      '1 ',
    ]) {
      expect([text, isPlain(text)]).toEqual([text, false]);
    }
    expect(isPlain(`${'['.repeat(60)}${']'.repeat(60)}`)).toBe(true);
    expect(isPlain(`${'['.repeat(61)}${']'.repeat(61)}`)).toBe(false);
    expect(isPlain(JSON.stringify('x'.repeat(1_000)))).toBe(true);
  });

  it('looks for what begins at the bytes of each chunk, where several take turns', () => {
    const chunks = ['{"a":1}', '{"a":22}', '{"a":"}"}'].map((each) => utf8.encode(each));
    for (const chunk of [...chunks, ...chunks]) expect(scan(chunk, 1, 4)).toBe(chunk.length);
    const memory = new Uint8Array(20);
    for (const chunk of chunks) {
      memory.set(chunk);
      expect(scan(memory.subarray(0, chunk.length), 1, 4)).toBe(chunk.length);
    }
  });
});

const anyText = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', 'a', 'é') }));
const { any: anyValue } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, anyText, fc.integer(), fc.boolean(), tie('nested')),
  nested: fc.oneof(
    fc.dictionary(anyText, tie('any'), { maxKeys: 4 }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.array(fc.record({ metadata: fc.dictionary(anyText, tie('any'), { maxKeys: 2 }) }), { maxLength: 3 }),
  ),
}));

/** The end of the value that begins at `at` in the first part, as a position in all parts; -1 if the value is incomplete. */
function endIn(parts: readonly Uint8Array[], at: number, valueEnd = new ValueEnd(vectors)): number {
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
      fc.property(anyValue, anyText, places, (value, behind, where) => {
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
      fc.property(fc.array(anyValue), (values) => {
        const valueEnd = new ValueEnd(vectors);
        for (const value of values) {
          const bytes = utf8.encode(`${JSON.stringify(value)},`);
          const parts = [...bytes].flatMap((byte) => [Uint8Array.of(byte), new Uint8Array()]);
          expect(endIn(parts, 0, valueEnd)).toBe(bytes.length - 1);
        }
      }),
    );
  });

  it('knows nothing of the value before', () => {
    const valueEnd = new ValueEnd(vectors);
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

  it('goes no farther where no value begins', () => {
    expect(new ValueEnd(vectors).of(utf8.encode('[,]'), 1)).toBe(1);
  });
});
