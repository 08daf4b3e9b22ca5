import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect } from '@jest/globals';
import { itEmbedded } from '../support/target.js';
import { goldenCases } from './goldenCase.js';
import { replayAll, requests, type Outcome } from './replay.js';
import { unlike } from './unlike.js';

const cases = goldenCases();
/** The minimum number of equal answers, regardless of the listed differences. */
const fewestAlike = 400;

describe('recordings of kube-apiserver 1.36', () => {
  let outcomes: ReadonlyMap<string, Outcome> = new Map();
  beforeAll(async () => {
    outcomes = new Map((await replayAll()).map((outcome) => [outcome.id, outcome]));
  }, 600_000);

  const alike = cases.filter(({ id }) => unlike[id] === undefined);

  for (const { id } of alike) {
    itEmbedded(`${id} is answered alike`, () => {
      expect(outcomes.get(id)?.observed).toEqual(outcomes.get(id)?.recorded);
    });
  }

  for (const id of Object.keys(unlike)) {
    itEmbedded(`${id} is still answered otherwise`, () => {
      expect(outcomes.get(id)?.observed).toBeDefined();
      expect(outcomes.get(id)?.observed).not.toEqual(outcomes.get(id)?.recorded);
    });
  }

  itEmbedded('are answered alike, but for a few', () => {
    expect(cases).toHaveLength(414);
    expect(alike.length).toBeGreaterThanOrEqual(fewestAlike);
  });

  itEmbedded('are all that requests are known for', () => {
    const ids = new Set(cases.map(({ id }) => id));
    expect([...Object.keys(requests), ...Object.keys(unlike)].filter((id) => !ids.has(id))).toEqual([]);
  });

  itEmbedded('are listed in the documentation where they are not met', () => {
    const documentation = readFileSync(new URL('../../../../workshop/reports/api-server-fidelity.md', import.meta.url), 'utf8');
    const rows = cases.flatMap(({ id, method, path }) =>
      unlike[id] === undefined ? [] : [`| ${method} \`${path.replaceAll('|', '\\|')}\` (${id}) | ${unlike[id]} |`],
    );
    for (const row of rows) expect(documentation).toContain(row);
    expect(documentation).toContain(`${String(cases.length - rows.length)} of ${String(cases.length)}`);
  });
});
