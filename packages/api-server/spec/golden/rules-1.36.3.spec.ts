import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect } from '@jest/globals';
import { itEmbedded } from '../support/target.js';
import { recordedCases } from './recordedCase.js';
import { replayRecorded, type Likeness } from './recordedReplay.js';
import { rulesOtherwise } from './rulesOtherwise.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

const cases = recordedCases('rules-1.36.3.jsonl.br');
const areas = [...new Set(cases.map(({ area }) => area))];

describe('rules of kube-apiserver 1.36.3', () => {
  let found: ReadonlyMap<string, Likeness> = new Map();
  beforeAll(async () => {
    found = await replayRecorded(cases);
  }, timeoutMs);

  for (const area of areas) {
    itEmbedded(`hold in the area ${area}, but for those listed`, () => {
      const own = cases.filter((one) => one.area === area);
      const unlike = own.flatMap(({ id }) => (found.get(id) === 'all' ? [] : [[id, found.get(id)] as const]));
      const listed = own.flatMap(({ id }) => (rulesOtherwise[id] === undefined ? [] : [[id, rulesOtherwise[id][0]] as const]));
      expect(Object.fromEntries(unlike)).toEqual(Object.fromEntries(listed));
    });
  }

  itEmbedded('are listed in the documentation where they do not', () => {
    const documentation = readFileSync(new URL('../../../../workshop/reports/api-server-fidelity.md', import.meta.url), 'utf8');
    for (const [id, [, reason]] of Object.entries(rulesOtherwise)) expect(documentation).toContain(`| ${id} | ${reason} |`);
  });
});
