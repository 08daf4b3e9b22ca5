import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { informerMetrics } from '../../src/metrics/informerMetrics.js';
import { reflect } from '../../src/source/reflector/reflect.js';
import { advanceBy } from '../../src/testing/marbles/advanceBy.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });

function measured() {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, resource: 'pods', latencyMs: 5, bookmarkIntervalMs: Infinity });
  server.add(pod('a'));
  server.add(pod('b'));
  return { scheduler, server, metrics: informerMetrics({ scheduler, intervalMs: 1000 }) };
}

describe('informerMetrics', () => {
  it('shows what an informer has done and how it is', () => {
    const { scheduler, server, metrics } = measured();
    const informer = createInformer(server, {
      scheduler,
      logger: { warn: () => undefined },
      random: () => 0,
      relistPeriodMs: 60_000,
      trace: metrics.trace,
    });
    informer.resource$.subscribe(() => {
      scheduler.frame += 1;
    });
    informer.addEventHandler({ onAdd: () => new Promise<void>(() => undefined) }, { name: 'slow' });
    advanceBy(scheduler, 1000);
    server.modify(pod('a'));
    server.delete('default/b');
    advanceBy(scheduler, 1000);
    server.loseEvents(() => server.add(pod('lost')));
    server.add(pod('c'));
    advanceBy(scheduler, 70_000);
    server.expire();
    advanceBy(scheduler, 1000);
    expect(metrics.read()).toEqual({
      objects: 3,
      synced: true,
      resourceVersion: '7',
      waiting: [{ name: 'slow', events: 8 }],
      lists: 3,
      listDuration: { count: 3, sumMs: 15, maxMs: 5 },
      listItems: 3,
      // The one that the periodic list was streamed by is one, too.
      watches: 4,
      shortWatches: 0,
      watchDuration: { count: 3, sumMs: expect.any(Number), maxMs: expect.any(Number) },
      events: { ADDED: 1, MODIFIED: 1, DELETED: 1, BOOKMARK: 0, ERROR: 1 },
      failures: { ERR_WATCH_EXPIRED: 1 },
      processing: { count: expect.any(Number), sumMs: expect.any(Number), maxMs: 3 },
      differences: {
        expired: { added: 0, updated: 0, deleted: 0, missed: 0 },
        error: { added: 0, updated: 0, deleted: 0, missed: 0 },
        period: { added: 1, updated: 0, deleted: 0, missed: 1 },
      },
    });
  });

  it('counts lists, watches and events of a reflector alone', () => {
    const { scheduler, server, metrics } = measured();
    reflect(server, { scheduler, random: () => 0, trace: metrics.trace }).subscribe();
    advanceBy(scheduler, 1000);
    server.add(pod('c'));
    advanceBy(scheduler, 1000);
    expect(metrics.read()).toMatchObject({
      lists: 1,
      listItems: 2,
      watches: 1,
      resourceVersion: '4',
      objects: 0,
      events: { ADDED: 1, BOOKMARK: 0 },
    });
  });

  it('emits at subscription and then at each interval, and runs no timer otherwise', () => {
    const { scheduler, metrics } = measured();
    const lists: number[] = [];
    expect(scheduler.actions).toHaveLength(0);
    const subscription = metrics.figures$.subscribe((figures) => lists.push(figures.lists));
    metrics.trace({ stage: 'request', at: 0, name: 'web', resource: 'pods', scope: '', id: 1, verb: 'list', request: {} });
    advanceBy(scheduler, 2000);
    subscription.unsubscribe();
    expect(lists).toEqual([0, 1, 1]);
    expect(scheduler.actions).toHaveLength(0);
  });

  it('hands out figures that do not change any more', () => {
    const { metrics } = measured();
    const before = metrics.read();
    const base = { at: 0, name: 'web', resource: 'pods', scope: '', id: 1, verb: 'watch' } as const;
    metrics.trace({ stage: 'request', ...base, request: {} });
    metrics.trace({ stage: 'line', ...base, event: { type: 'ADDED', object: {} } });
    expect(before.events.ADDED).toBe(0);
    expect(metrics.read().events.ADDED).toBe(1);
  });

  it.each([0, NaN])('refuses the interval %d', (intervalMs) => {
    expect(() => informerMetrics({ intervalMs })).toThrow(
      `Expected \`intervalMs\` of \`informerMetrics\` to be a finite number of milliseconds > 0, got ${intervalMs}`,
    );
  });
});
