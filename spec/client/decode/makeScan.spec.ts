import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { makeScan } from '../../../src/client/decode/makeScan.js';
import { scanBytes } from '../../../src/client/decode/scanBytes.js';
import { cut, places } from '../cut.js';
import { runs } from '../runs.js';

const utf8 = new TextEncoder();
const scan = makeScan();

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

/** Any bytes, most of them such as a scan looks for. */
const damaged = fc
  .array(fc.oneof({ arbitrary: fc.constantFrom(...utf8.encode('"\\{}[]')), weight: 4 }, fc.integer({ min: 0, max: 255 })), {
    maxLength: 400,
  })
  .map((bytes) => Uint8Array.from(bytes));

/** A chunk larger than the memory of the module, with JSON in it here and there. */
const large = fc
  .array(fc.tuple(json, fc.constantFrom(1, 1_000, 16_000, 70_000)), { minLength: 1, maxLength: 4 })
  .map((all) => Buffer.concat(all.flatMap(([value, padding]) => [value, Buffer.alloc(padding, ',')])));

/** Calls `body` with another WebAssembly, or with none. */
function withWebAssembly(value: unknown, body: () => void): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly') as PropertyDescriptor;
  Object.defineProperty(globalThis, 'WebAssembly', { ...before, value });
  try {
    body();
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', before);
  }
}

describe('makeScan', () => {
  it('scans with WebAssembly where that is to be had', () => {
    expect(scan).not.toBe(scanBytes);
  });

  it('scans byte by byte where there is no WebAssembly', () => {
    withWebAssembly(undefined, () => {
      expect(makeScan()).toBe(scanBytes);
    });
  });

  it('scans byte by byte where the module is refused', () => {
    function Module(): never {
      throw new Error("Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script");
    }
    withWebAssembly({ Module }, () => {
      expect(makeScan()).toBe(scanBytes);
    });
  });

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

  it('goes through chunks that are larger than the memory of the module', () => {
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
