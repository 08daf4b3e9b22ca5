import { beforeAll, describe, expect, it } from '@jest/globals';
import { replayAll, requests, type Outcome } from './replay.js';
import { goldenCases } from './goldenCase.js';

describe('recordings of kube-apiserver 1.36', () => {
  let outcomes: readonly Outcome[] = [];
  beforeAll(async () => {
    outcomes = await replayAll();
  }, 60_000);

  it('knows every request that it has something to say of', () => {
    const ids = new Set(goldenCases().map(({ id }) => id));
    expect(Object.keys(requests).filter((id) => !ids.has(id))).toEqual([]);
  });

  it('counts', () => {
    const unlike = outcomes.filter(({ differing }) => differing.length > 0);
    for (const { id, recorded, observed, differing } of unlike) {
      console.info(`## ${id} [${differing.join(',')}]\n${differing.map((n) => `  real ${n}: ${String(JSON.stringify(recorded[n])).slice(0, 900)}\n  ours ${n}: ${String(JSON.stringify(observed[n])).slice(0, 900)}`).join('\n')}`);
    }
    expect(outcomes.length - unlike.length).toBe(414);
  });
});
