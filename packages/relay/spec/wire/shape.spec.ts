import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isLongerThan, objectsOf, shapeOf, type Table, tableText } from '../../src/wire/shape.js';

/** Sends objects of one shape, and returns the received ones. */
function roundTrip(objects: readonly (readonly [key: string, value: unknown])[]): readonly (readonly [key: string, value: unknown])[] {
  const shaped = objects.map(([key, value]) => shapeOf(key, value));
  const [first] = shaped;
  return [
    ...objectsOf(
      JSON.parse(
        tableText(
          first?.shape ?? '0',
          shaped.map(({ row }) => row),
        ),
      ) as Table,
    ),
  ];
}

describe('shapeOf', () => {
  it('is the same for objects that differ in values, and leaves out what the key says', () => {
    const pod = (name: string, phase: string) => ({
      kind: 'Pod',
      metadata: { namespace: 'a', name, labels: { app: 'web' } },
      status: { phase },
    });
    const objects = [
      ['a/x', pod('x', 'Running')],
      ['a/y', pod('y', 'Pending')],
    ] as const;
    const [one, other] = objects.map(([key, value]) => shapeOf(key, value));
    expect(one).toEqual({
      shape: '{"kind":"Pod","metadata":{"namespace":2,"name":1,"labels":{"app":0}},"status":{"phase":0}}',
      row: ['a/x', 'web', 'Running'],
      length: 23,
    });
    expect(other?.shape).toBe(one?.shape);
    expect(roundTrip(objects)).toEqual(objects);
  });

  it('has uids in digits of six bits', () => {
    const of = (uid: string) => shapeOf('a/x', { uid });
    expect(of('d5c3e3c7-2619-4df5-a13a-6d83ea400eea')).toMatchObject({ shape: '{"uid":3}', row: ['a/x', '1cPjxyYZTfWhOm2D6kAO6g'] });
    expect(of('D5C3E3C7-2619-4DF5-A13A-6D83EA400EEA').shape).toBe('{"uid":0}');
    fc.assert(
      fc.property(fc.array(fc.uuid(), { minLength: 1, maxLength: 5 }), (uids) => {
        const objects = uids.map((uid, at) => [`a/${at}`, { uid, at }] as const);
        expect(roundTrip(objects)).toEqual(objects);
      }),
    );
  });

  it('loses nothing of any JSON, whatever its key', () => {
    const name = fc.constantFrom('metadata', 'kind', 'name', 'namespace', '__proto__', '', 'x');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(0, 1, 2, 3, 'a', '00000000-0000-0000-0000-00000000000f', 'x', '', null, true),
        tie('object'),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
      object: fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    }));
    fc.assert(
      fc.property(fc.constantFrom('a/x', 'x', '/x', 'a/', ''), value, (key, given) => {
        expect(JSON.stringify(roundTrip([[key, given]]))).toBe(JSON.stringify([[key, given]]));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('isLongerThan', () => {
  it('counts what stands in the fields and elements, and one for each', () => {
    const value = { a: 'four', b: [true, null, { c: 12 }], d: {} };
    expect([17, 18, 19].map((length) => isLongerThan(length, value))).toEqual([true, false, false]);
  });

  it('looks at nothing behind what was long enough', () => {
    const looked: string[] = [];
    const behind = Object.defineProperty({}, 'a', { enumerable: true, get: () => looked.push('a') });
    expect(isLongerThan(5, ['x'.repeat(10), behind])).toBe(true);
    expect(isLongerThan(50, ['x'.repeat(10), behind])).toBe(false);
    expect(looked).toEqual(['a']);
  });
});
