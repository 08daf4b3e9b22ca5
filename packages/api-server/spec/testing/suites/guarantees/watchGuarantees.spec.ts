import { afterEach, describe, expect, it } from '@jest/globals';
import { type KubernetesObject, resources } from 'rx-informer';
import { type ListerWatcher, listerWatcher } from 'rx-informer/pipeline';
import type { ServerHooks } from '../../../../src/hooks.js';
import type { HistoryWrite } from 'rx-informer/internal';
import { openTarget, type Target } from '../../../support/target.js';
import { guaranteeRun, type GuaranteeRun } from './guaranteeRun.js';
import { reflectorBugs } from '../../../../../../spec/testing/suites/guarantees/reflectorBugs.js';
import { serverBugs } from './serverBugs.js';

describe('watch guarantees, of the embedded server', () => {
  let target: Target;
  afterEach(() => target.close());

  const open = async (hooks: ServerHooks = {}): Promise<void> => {
    target = await openTarget({ hooks, seed: 1 });
  };
  const writes = (): readonly HistoryWrite[] => target.server.activity.writes.filter(({ resource }) => resource === 'configmaps');
  const source = (namespace: string, watchList: boolean): ListerWatcher<KubernetesObject> => ({
    ...listerWatcher(target.server.client, resources.core.v1.configmaps, { namespace }),
    watchList,
  });
  const informers = (namespace: string): Readonly<Record<string, ListerWatcher<KubernetesObject>>> => ({
    'informer with LIST': source(namespace, false),
    'informer with WatchList': source(namespace, true),
  });
  const run = (seed: number, more: Partial<Parameters<typeof guaranteeRun>[1]> = {}): Promise<GuaranteeRun> =>
    guaranteeRun(target, { seed, steps: 80, writes, ...more });

  it.each([1, 2, 3])('hold for every client, seed %i', async (seed) => {
    await open();
    const { violations, unknown, late, observations } = await run(seed, { informers });
    expect({ violations, unknown, late }).toEqual({ violations: [], unknown: [], late: [] });
    expect(observations.length).toBeGreaterThan(6);
  });

  it('hold when watches are cut, expire and are ended in the middle', async () => {
    await open();
    const between = (): void => {
      target.server.faults.inject({ type: 'endWatch', errorCode: 410, atOnce: true, count: 4 });
      target.server.faults.endWatches();
      target.server.faults.cutConnections();
    };
    const { violations, late } = await run(7, { informers, between });
    expect({ violations, late }).toEqual({ violations: [], late: [] });
  });

  it.each(Object.entries(serverBugs))('are seen to be broken when %s', async (_, { breaks, hooks }) => {
    await open(hooks());
    const { violations } = await run(1, { patienceMs: 2_000, between: () => target.server.faults.endWatches() });
    expect(violations.map(({ guarantee }) => guarantee)).toContain(breaks);
  });

  it.each(Object.entries(reflectorBugs))('are seen to be broken for subscribers when %s', async (_, { breaks, mutate }) => {
    await open();
    const between = (): void => void target.server.faults.inject({ type: 'endWatch', errorCode: 410, atOnce: true, count: 10 });
    const { violations } = await run(1, {
      patienceMs: 2_000,
      between,
      informers: (namespace) => ({ informer: mutate(source(namespace, false)) }),
    });
    expect([...new Set(violations.map(({ client }) => client))]).toEqual(['informer']);
    expect(violations.map(({ guarantee }) => guarantee)).toContain(breaks);
  });
});
