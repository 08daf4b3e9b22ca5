import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { V1Deployment, V1ReplicaSet } from 'rx-informer';
import { deploymentStatus } from '../../src/workload/deploymentStatus.js';
import { limitsOf, rolloutPlan } from '../../src/workload/rolloutPlan.js';
import { runs } from '../../../../spec/tier.js';

interface Set {
  readonly name: string;
  spec: number;
  pods: number;
  available: number;
}

const setOf = ({ name, spec, pods, available }: Set): V1ReplicaSet => ({
  metadata: { name, creationTimestamp: `2026-01-01T00:00:0${name}Z` },
  spec: { replicas: spec, selector: {} },
  status: { replicas: pods, availableReplicas: available, readyReplicas: available },
});

const deploymentOf = (replicas: number, strategy?: object): V1Deployment => ({
  metadata: { name: 'web', generation: 1 },
  spec: { replicas, selector: {}, template: { spec: { containers: [] } }, ...(strategy && { strategy }) },
});

const strategies = fc.oneof(
  fc.constant(undefined),
  fc.constant({ type: 'Recreate' }),
  fc.record({
    type: fc.constant('RollingUpdate'),
    rollingUpdate: fc.record({
      maxSurge: fc.constantFrom(0, 1, 3, '25%', '100%'),
      maxUnavailable: fc.constantFrom(0, 1, 2, '25%', '100%'),
    }),
  }),
);

describe('rolloutPlan', () => {
  it('comes to its end from any state, within the limits of the strategy', () => {
    const sets = fc.array(fc.record({ spec: fc.nat(6), available: fc.nat(6) }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(12), strategies, sets, fc.infiniteStream(fc.nat(3)), (wanted, strategy, given, chance) => {
        const deployment = deploymentOf(wanted, strategy);
        const { maxSurge, maxUnavailable } = limitsOf(deployment);
        const old = given.map(({ spec, available }, at): Set => ({
          name: String(at),
          spec,
          pods: spec,
          available: Math.min(spec, available),
        }));
        let current: Set | undefined;
        const all = (): Set[] => [...old, ...(current === undefined ? [] : [current])];
        const total = (of: (set: Set) => number): number => all().reduce((sum, set) => sum + of(set), 0);
        // `expect` in each round would take ten times as long as the rounds.
        const broken: string[] = [];
        for (let round = 0; round < 400; round += 1) {
          const before = { spec: total(({ spec }) => spec), available: total(({ available }) => available) };
          const shown = new Map(old.map((set) => [setOf(set), set]));
          const plan = rolloutPlan(deployment, current && setOf(current), [...shown.keys()]);
          current ??= { name: '9', spec: 0, pods: 0, available: 0 };
          current.spec = plan.current;
          for (const [set, count] of plan.old) {
            const own = shown.get(set);
            if (own !== undefined) own.spec = count;
          }
          const planned = total(({ spec }) => spec);
          if (planned > before.spec && planned > wanted + maxSurge) broken.push(`round ${round} plans ${planned} pods`);
          // A plan never removes more available pods than may be missing.
          const kept = total(({ spec, available }) => Math.min(spec, available));
          const mayGo =
            strategy?.type === 'Recreate' || kept >= before.available || kept >= Math.min(before.available, wanted - maxUnavailable);
          if (!mayGo) broken.push(`round ${round} keeps ${kept} of ${before.available} available pods`);
          // Some pods start or stop, in any order.
          for (const set of all()) {
            const some = chance.next().value as number;
            if (set.pods > set.spec) set.pods = Math.max(set.spec, set.pods - 1 - some);
            else set.pods = set.spec;
            set.available = Math.min(set.pods, set.available + some, set.spec);
          }
        }
        expect(broken).toEqual([]);
        expect(all().map(({ spec }) => spec)).toEqual([...old.map(() => 0), wanted]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('ends all old pods before a new one begins, with Recreate', () => {
    const deployment = deploymentOf(2, { type: 'Recreate' });
    const old = setOf({ name: '0', spec: 2, pods: 2, available: 2 });
    expect(rolloutPlan(deployment, undefined, [old])).toEqual({ current: 0, old: new Map([[old, 0]]) });
    const stopping = setOf({ name: '0', spec: 0, pods: 1, available: 0 });
    expect(rolloutPlan(deployment, undefined, [stopping]).current).toBe(0);
    expect(rolloutPlan(deployment, undefined, [setOf({ name: '0', spec: 0, pods: 0, available: 0 })]).current).toBe(2);
  });
});

describe('deploymentStatus', () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const progressing = (deployment: V1Deployment, set: V1ReplicaSet | undefined, now: number) => {
    const status = deploymentStatus(deployment, set, set === undefined ? [] : [set], now);
    return { status, found: status.conditions?.find(({ type }) => type === 'Progressing') };
  };

  it('says how a rollout gets on, that it is done, and that it has taken too long', () => {
    const deployment = { ...deploymentOf(2), spec: { ...deploymentOf(2).spec, progressDeadlineSeconds: 10 } } as V1Deployment;
    const first = progressing(deployment, setOf({ name: '1', spec: 2, pods: 0, available: 0 }), start);
    expect(first.found).toMatchObject({ status: 'True', reason: 'NewReplicaSetCreated', lastUpdateTime: '2026-01-01T00:00:00Z' });
    const second = progressing(
      { ...deployment, status: first.status },
      setOf({ name: '1', spec: 2, pods: 2, available: 1 }),
      start + 5_000,
    );
    expect(second.found).toMatchObject({ status: 'True', reason: 'ReplicaSetUpdated', lastUpdateTime: '2026-01-01T00:00:05Z' });
    const same = progressing(
      { ...deployment, status: second.status },
      setOf({ name: '1', spec: 2, pods: 2, available: 1 }),
      start + 14_000,
    );
    expect(same.found).toEqual(second.found);
    const late = progressing(
      { ...deployment, status: second.status },
      setOf({ name: '1', spec: 2, pods: 2, available: 1 }),
      start + 15_000,
    );
    expect(late.found).toMatchObject({
      status: 'False',
      reason: 'ProgressDeadlineExceeded',
      message: 'ReplicaSet "1" has timed out progressing.',
    });
    const done = progressing({ ...deployment, status: late.status }, setOf({ name: '1', spec: 2, pods: 2, available: 2 }), start + 16_000);
    expect(done.found).toMatchObject({
      status: 'True',
      reason: 'NewReplicaSetAvailable',
      message: 'ReplicaSet "1" has successfully progressed.',
    });
    const paused = { ...deployment, spec: { ...deployment.spec, paused: true }, status: done.status } as V1Deployment;
    expect(progressing(paused, undefined, start).found).toMatchObject({ status: 'Unknown', reason: 'DeploymentPaused' });
  });
});
