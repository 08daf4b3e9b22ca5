import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonBytes } from '../../../src/client/decode/jsonBytes.js';
import { ManagedFieldsSamples } from '../../../src/client/decode/managedFieldsSamples.js';

const utf8 = new TextEncoder();
const before = '{"managedFields":';
const behind = '},"spec":{}}';

/** managedFields of one form, and what stands in their strings. */
const entry = (manager: string, time: string): object => ({
  manager,
  time,
  fieldsV1: { 'f:status': { 'f:phase': {}, [`k:{"type":"${manager}"}`]: {} } },
});
const strings = fc.oneof(fc.string(), fc.constantFrom('', '"}]', '\\', '\\"', 'é', 'kubelet', '\u0001', '2026-11-21T12:00:00Z'));
const managedFields = fc.array(fc.record({ manager: strings, time: strings }), { maxLength: 3 });

function endIn(samples: ManagedFieldsSamples, json: string, rest = behind): number {
  return samples.endOf(new JsonBytes(utf8.encode(before + json + rest)), before.length) - before.length;
}

describe('ManagedFieldsSamples', () => {
  it('finds the end of whatever is certainly JSON, and nothing else', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(managedFields, fc.nat(), fc.constantFrom('', '"', '\\', '}', ']', ',')), { maxLength: 30 }),
        (given) => {
          const samples = new ManagedFieldsSamples();
          for (const [fields, at, other] of given) {
            const json = JSON.stringify(fields.map(({ manager, time }) => entry(manager, time)));
            const end = endIn(samples, json);
            expect([utf8.encode(json).length, -1 - before.length]).toContain(end);
            // With a byte that is wrong.
            const broken = other === '' ? json : json.slice(0, at % json.length) + other + json.slice((at % json.length) + 1);
            const found = endIn(samples, broken);
            const whole = found < 0 ? json : new TextDecoder().decode(utf8.encode(broken + behind).subarray(0, found));
            expect(() => JSON.parse(whole) as unknown).not.toThrow();
          }
        },
      ),
    );
  });

  it('finds the end of plain ones, of whatever form, again and again', () => {
    const samples = new ManagedFieldsSamples();
    const forms = Array.from({ length: 6 }, (_, form) => JSON.stringify(Array.from({ length: form }, () => entry('kubelet', 'now'))));
    for (let round = 0; round < 20; round += 1) {
      for (const form of forms) {
        const json = form.replaceAll('kubelet', `manager ${'x'.repeat(round)}`).replaceAll('now', String(round));
        expect(endIn(samples, json)).toBe(json.length);
      }
    }
  });

  it('finds no end of what has none yet, wherever it is cut off', () => {
    const samples = new ManagedFieldsSamples();
    const json = JSON.stringify([entry('kubelet', 'now')]);
    for (let times = 0; times < 10; times += 1) expect(endIn(samples, json)).toBe(json.length);
    for (let length = 0; length < json.length; length += 1) expect(endIn(samples, json.slice(0, length), '')).toBe(-1 - before.length);
  });
});
