import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { V1Lease } from 'rx-informer';
import { type ElectionRules, type ElectionState, electionStep, outsider } from '../../../../packages/controller/src/leader/electionStep.js';
import { leaderElectionSettings } from '../../../../packages/controller/src/leader/leaderElectionOptions.js';
import { shardSettings } from '../../../../packages/controller/src/shards/shardOptions.js';
import { reflectSettings } from '../../../../src/source/reflector/reflectOptions.js';
import { defaultTimings, timeBounds } from '../../../tools/proofs/bounds.js';
import { electorMachine, timing as electorTiming } from '../../../../packages/controller/spec/exhaustive/elector/electorMachine.js';
import { electorExplorations } from '../../../../packages/controller/spec/exhaustive/elector/explorations.js';
import * as elector from '../../../../packages/controller/spec/exhaustive/elector/subject.js';
import { explore, type Machine } from '../../../../spec/exhaustive/explore.js';
import { shardsExplorations } from '../../../../packages/controller/spec/exhaustive/shards/explorations.js';
import { shardsMachine, timing as shardsTiming } from '../../../../packages/controller/spec/exhaustive/shards/shardsMachine.js';
import * as shards from '../../../../packages/controller/spec/exhaustive/shards/subject.js';
import { isDeep, runs } from '../../../../spec/tier.js';

/** Far more than the test needs, since it does not test speed. */
const timeoutMs = 3_600_000;

const bounds = timeBounds(defaultTimings);
const lease = { namespace: 'n', name: 'l' };
const rules: ElectionRules = { identity: 'b', lease, leaseDurationMs: 15_000, renewDeadlineMs: 10_000 };
const textOf = (page: string): string => readFileSync(fileURLToPath(new URL(`../../../../docs/${page}`, import.meta.url)), 'utf8');

function leaseOf(renewals: number): V1Lease {
  const spec = {
    holderIdentity: 'a',
    leaseTransitions: 0,
    leaseDurationSeconds: 15,
    renewTime: `1970-01-01T00:00:${10 + renewals}.000000Z`,
  };
  return { metadata: lease, spec };
}

/**
 * The time at which a candidate takes over that polls this rarely. The leader renews every two seconds, for the last time at 0, and dies.
 */
function takeover(gaps: readonly number[], firstAt: number): number {
  let state: ElectionState = outsider;
  let now = firstAt;
  for (let look = 0; ; look += 1) {
    const renewals = Math.min(5, Math.floor(now / 2_000) + 5);
    const step = electionStep(
      electionStep(state, { type: 'due', now, date: now }, rules).state,
      { type: 'found', lease: leaseOf(renewals), now, date: now },
      rules,
    );
    if (step.request !== undefined) return now;
    state = { ...step.state, phase: 'idle' };
    now += gaps[look % gaps.length] ?? 4_400;
  }
}

/** How many moves less than the explorations: each state costs a whole way to the goal. */
const shallower = isDeep ? 2 : 3;

/** The longest time to the goal from any state. States that differ only in the time of old events are counted separately. */
function longestCalm<State>({ calm, ...machine }: Machine<State>, depth: number): number {
  let longest = 0;
  const timed: Machine<State> = {
    ...machine,
    problemOf: (begin) => {
      let ms = 0;
      for (let state = begin, moves = 0; calm?.isReached(state) === false && moves < calm.within; moves += 1) {
        const to = calm.next(state)?.to;
        if (to === undefined) return 'there is no way to the goal';
        ms += calm.timeOf(state, to);
        state = to;
      }
      longest = Math.max(longest, ms);
      return undefined;
    },
  };
  expect(explore(timed, { depth }).counterexample).toBeUndefined();
  return longest;
}

describe('the bounds of production.md and scaling.md', () => {
  it('are computed from the defaults', () => {
    const leader = leaderElectionSettings({ lease });
    const group = shardSettings({ namespace: 'n', name: 'g' });
    const { leaseDurationMs, renewDeadlineMs, drainMs, candidateLookMs, memberLookMs, silenceMs } = defaultTimings;
    expect([leaseDurationMs, renewDeadlineMs, candidateLookMs]).toEqual([
      leader.leaseDurationMs,
      leader.renewDeadlineMs,
      2.2 * leader.retryPeriodMs,
    ]);
    expect([leaseDurationMs, drainMs, memberLookMs]).toEqual([group.leaseDurationMs, group.drainMs, 1.2 * group.retryPeriodMs]);
    expect(silenceMs).toBe(reflectSettings({}).idleTimeoutMs);
  });

  it('hold for every rhythm of looks, and none that is a look shorter would', () => {
    const gap = fc.integer({ min: 2_000, max: 4_400 });
    let longest = 0;
    fc.assert(
      fc.property(fc.array(gap, { minLength: 1, maxLength: 20 }), fc.integer({ min: -8_000, max: 0 }), (gaps, firstAt) => {
        const at = takeover(gaps, firstAt);
        longest = Math.max(longest, at);
        expect(at).toBeLessThanOrEqual(bounds.death);
      }),
      { numRuns: runs(1_000), examples: [[[4_400, 15_000 - 3 * 4_400 + 2_599, 4_400], -1]] },
    );
    // Right after the last look before a renewal, and right before a look that finds the lease over.
    expect(takeover([4_400, 4_400, 4_400, 2_000 - 1, 4_400, 4_400], -1)).toBeGreaterThan(bounds.death - defaultTimings.candidateLookMs);
    expect(longest).toBeGreaterThan(bounds.death - defaultTimings.candidateLookMs);
  });

  it(
    'hold in everything that is explored',
    () => {
      const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = electorTiming;
      const small = { ...defaultTimings, leaseDurationMs, renewDeadlineMs, candidateLookMs: retryPeriodMs };
      const { death, unreleased } = timeBounds(small);
      for (const [name, { bounds: limits, depth }] of Object.entries(electorExplorations)) {
        const longestCalmMs = longestCalm(electorMachine(elector, limits), depth - shallower);
        expect(longestCalmMs).toBeLessThanOrEqual(limits.stops > 0 ? unreleased : death);
        expect([name, longestCalmMs > 0]).toEqual([name, true]);
      }
      const { slotDeath } = timeBounds({ ...small, leaseDurationMs: shardsTiming.leaseMs, memberLookMs: 1_000 });
      const { bounds: limits, depth } = shardsExplorations.two;
      expect(longestCalm(shardsMachine(shards, limits), depth - shallower)).toBeLessThanOrEqual(slotDeath);
    },
    timeoutMs,
  );

  it('are what the pages say', () => {
    const seconds = (ms: number): string => `${Number((ms / 1_000).toFixed(1))} s`;
    const production = textOf('production.md');
    const table = production.slice(production.indexOf('| what happens to the leader |'), production.indexOf('These guarantees are tested'));
    const rows = table.split('\n').slice(2, 6);
    const expected = [bounds.release, bounds.death, bounds.death, bounds.death];
    const said = rows.map((row, at) => (row.includes('the same;') ? rows[at - 1] : row) ?? '');
    expect(said.map((row, at) => [row, row.includes(`up to ${seconds(expected[at] ?? 0)}`)])).toEqual(said.map((row) => [row, true]));
    const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');
    const scaling = inOneLine(textOf('scaling.md'));
    expect(scaling).toContain(`${seconds(bounds.slotDeath)} with the defaults`);
    expect(scaling).toContain(`${seconds(bounds.slotMove)} with the defaults`);
    expect(inOneLine(production)).toContain(`\`renewDeadlineMs\` (${seconds(bounds.lastSending)}) after the last renewal was sent`);
    expect(textOf('reliability.md')).toContain(`(${(bounds.silent / 1_000).toFixed(1)} s)`);
  });
});
