import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect } from '@jest/globals';
import { itEmbedded } from '../support/target.js';
import { recordedCases } from './recordedCase.js';
import { replayRecorded, type Likeness } from './recordedReplay.js';
import { otherwise } from './otherwise.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

const cases = recordedCases('kubernetes-1.36.3.jsonl.br');
const areas = [...new Set(cases.map(({ area }) => area))];
/**
 * The minimum numbers of the 814 answers that must have the same code; also the same reason; and also the same shape; regardless of the
 * listed differences.
 */
const fewest: Readonly<Record<Exclude<Likeness, 'nothing'>, number>> = { code: 807, reason: 807, all: 800 };
const order: readonly Likeness[] = ['nothing', 'code', 'reason', 'all'];

describe('recordings of kube-apiserver 1.36.3', () => {
  let found: ReadonlyMap<string, Likeness> = new Map();
  beforeAll(async () => {
    found = await replayRecorded(cases);
  }, timeoutMs);

  for (const area of areas) {
    itEmbedded(`are answered alike in the area ${area}, but for those listed`, () => {
      const own = cases.filter((one) => one.area === area);
      const unlike = own.flatMap(({ id }) => (found.get(id) === 'all' ? [] : [[id, found.get(id)] as const]));
      const listed = own.flatMap(({ id }) => (otherwise[id] === undefined ? [] : [[id, otherwise[id][0]] as const]));
      expect(Object.fromEntries(unlike)).toEqual(Object.fromEntries(listed));
    });
  }

  itEmbedded('are answered alike, but for a few', () => {
    expect(cases).toHaveLength(814);
    for (const [level, count] of Object.entries(fewest)) {
      const reached = [...found.values()].filter((likeness) => order.indexOf(likeness) >= order.indexOf(level as Likeness));
      expect(reached.length).toBeGreaterThanOrEqual(count);
    }
  });

  itEmbedded('are listed in the documentation where they are not met', () => {
    const documentation = readFileSync(new URL('../../../../workshop/reports/api-server-fidelity.md', import.meta.url), 'utf8');
    for (const [id, [, reason]] of Object.entries(otherwise)) expect(documentation).toContain(`| ${id} | ${reason} |`);
  });
});
