import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { reflect, tracing } from 'rx-informer/pipeline';
import type { ReflectOptions, FakeListerWatcherOptions } from 'rx-informer/internal';
import { type InformerMetricsSink, meteredTrace, traceMetrics } from '../../src/metrics/traceMetrics.js';
import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';
import { connectionError, statusError } from '../../../../src/testing/fakes/serverErrors.js';
import type { InformerOptions } from '../../../../src/informer/informerOptions.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });

/** A sink that logs its calls. */
function noting(log: string[]): InformerMetricsSink {
  return {
    opened: (name) => log.push(`opened ${name}`),
    closed: () => log.push('closed'),
    list: () => log.push('list'),
    listed: (ms, items) => log.push(`listed ${items} in ${ms}`),
    watch: () => log.push('watch'),
    watched: (ms, events, short) => log.push(`watched ${events} in ${ms}${short ? ', short' : ''}`),
    event: (type) => log.push(type),
    resourceVersion: (version) => log.push(`at ${version}`),
    failure: (code) => log.push(code),
    difference: ({ type, reason, missed }) => log.push(`${type} by ${reason}${missed ? ', missed' : ''}`),
  };
}

function serverOf(options: FakeListerWatcherOptions = {}) {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, resource: 'pods', ...options });
  server.add(pod('a'));
  server.add(pod('b'));
  const log: string[] = [];
  /** What was told since the last call. */
  const taken = (): string[] => log.splice(0);
  return { scheduler, server, taken, trace: traceMetrics(noting(log)) };
}

function reflected(options: ReflectOptions = {}, served: FakeListerWatcherOptions = {}) {
  const made = serverOf(served);
  const { server, scheduler, trace } = made;
  const subscription = reflect(server, { scheduler, random: () => 0, ...options, trace }).subscribe();
  return { ...made, subscription };
}

function informed(options: Partial<InformerOptions<KubernetesObject>> = {}) {
  const made = serverOf();
  const { server, scheduler, trace } = made;
  const logger = { warn: () => undefined };
  const informer = createInformer(server, {
    scheduler,
    logger,
    random: () => 0,
    listStrategy: 'list',
    ...options,
    parts: [tracing(trace)],
  });
  informer.start();
  made.taken();
  return { ...made, informer };
}

describe('traceMetrics', () => {
  it('counts all pages of a list as one, and the watch after it', () => {
    const { scheduler, server, taken, subscription } = reflected(
      { listStrategy: 'list', listSemantics: 'mostRecent', pageSize: 1 },
      { latencyMs: 5 },
    );
    advanceBy(scheduler, 20);
    expect(taken()).toEqual(['list', 'listed 2 in 10', 'at 3', 'watch']);
    server.modify(pod('b'));
    advanceBy(scheduler, 80);
    subscription.unsubscribe();
    expect(taken()).toEqual(['MODIFIED', 'at 4', 'watched 1 in 90']);
  });

  it('counts a streamed list up to its end, and the rest as a watch', () => {
    const { scheduler, server, taken } = reflected({}, { latencyMs: 5 });
    advanceBy(scheduler, 20);
    expect(taken()).toEqual(['list', 'listed 2 in 5', 'at 3', 'watch']);
    server.delete('default/a');
    server.reset();
    advanceBy(scheduler, 5);
    expect(taken()).toEqual(['DELETED', 'at 4', 'watched 1 in 20', 'watch']);
  });

  it('counts no list that was not finished', () => {
    const { scheduler, server, taken, trace } = serverOf();
    server.failNext('watch', statusError(422, 'Invalid', 'no'));
    server.failNext('list', connectionError('ECONNRESET'));
    reflect(server, { scheduler, random: () => 0, trace }).subscribe();
    advanceBy(scheduler, 800);
    expect(taken()).toEqual(['list', 'list', 'list', 'listed 2 in 0', 'at 3', 'watch']);
  });

  it('knows short watches: closed by the server, at once, empty', () => {
    const { scheduler, server, taken } = reflected({ listStrategy: 'list' });
    taken();
    advanceBy(scheduler, 999);
    server.close();
    expect(taken()).toEqual(['watched 0 in 999, short']);
    advanceBy(scheduler, 800);
    expect(taken()).toEqual(['list', 'listed 2 in 0', 'at 3', 'watch']);
    advanceBy(scheduler, 10);
    server.reset();
    expect(taken()).toEqual(['watched 0 in 10']);
    advanceBy(scheduler, 400);
    advanceBy(scheduler, 1000);
    server.close();
    expect(taken()).toEqual(['watch', 'watched 0 in 1000', 'watch']);
  });

  it('takes a look at the version for no list', () => {
    const { scheduler, taken } = reflected({ listStrategy: 'list' }, { bookmarkIntervalMs: Infinity });
    advanceBy(scheduler, 160_000);
    expect(taken().filter((line) => line === 'list')).toHaveLength(1);
  });

  it('counts ERROR events, and takes no version from them', () => {
    const { server, taken } = reflected({ listStrategy: 'list' });
    taken();
    server.fail({ code: 500, reason: 'InternalError', metadata: { resourceVersion: '99' } });
    expect(taken()).toEqual(['ERROR', 'watched 1 in 0']);
  });

  it('keeps the namespaces of one informer apart', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    const log: string[] = [];
    const trace = traceMetrics(noting(log));
    server.hangNext('watch');
    reflect(server.inNamespace('web'), { scheduler, trace }).subscribe();
    reflect(server.inNamespace('db'), { scheduler, trace }).subscribe();
    expect(log).toEqual(['list', 'list', 'listed 0 in 0', 'at 1', 'watch']);
  });

  it('counts what a periodic list repairs, and says what the watch should have told', () => {
    const { scheduler, server, taken } = informed({ relistPeriodMs: 10_000 });
    server.loseEvents(() => {
      server.modify(pod('a'));
      server.delete('default/b');
      server.add(pod('c'));
    });
    server.add(pod('d'));
    taken();
    advanceBy(scheduler, 10_000);
    expect(taken().filter((line) => line.includes(' by '))).toEqual([
      'deleted by period',
      'updated by period, missed',
      'added by period, missed',
    ]);
    advanceBy(scheduler, 10_000);
    expect(taken().filter((line) => line.includes(' by '))).toEqual([]);
  });

  it('does not call missed what a server restored from a backup has', () => {
    const { scheduler, server, taken } = informed({ relistPeriodMs: 10_000 });
    const backup = server.resourceVersion;
    server.modify(pod('a'));
    taken();
    server.restore(backup);
    advanceBy(scheduler, 10_000);
    expect(taken().filter((line) => line.includes(' by '))).toEqual(['updated by expired']);
  });

  it('does not call missed what happened while nobody watched', () => {
    const { scheduler, server, taken } = informed();
    server.expire();
    expect(taken()).toContain('ERR_WATCH_EXPIRED');
    server.modify(pod('a'));
    server.add(pod('c'));
    advanceBy(scheduler, 800);
    expect(taken().filter((line) => line.includes(' by '))).toEqual(['updated by expired', 'added by expired']);
  });

  it('tells the last watch of an informer that is stopped, and that it is', async () => {
    const { taken, informer } = informed();
    await informer.stop();
    expect(taken()).toEqual(['closed', 'watched 0 in 0']);
  });

  it('forgets an informer that a subscriber stops while a change is delivered', async () => {
    const { scheduler, server } = serverOf();
    const { trace, meters } = meteredTrace({});
    const informer = createInformer(server, { scheduler, parts: [tracing(trace)] });
    const subscription = informer.resource$.subscribe(({ type }) => {
      if (type === 'updated') void informer.stop();
    });
    expect(meters.size).toBe(1);
    server.modify(pod('a'));
    await informer.stop();
    subscription.unsubscribe();
    expect(meters.size).toBe(0);
  });

  it('begins nothing with the probe of an informer that is stopped, and forgets a source without one', () => {
    const { trace, meters } = meteredTrace({});
    const about = { at: 0, name: 'web', resource: 'pods', scope: '', id: 1 };
    trace({ stage: 'opened', ...about, read: () => ({}) as never });
    trace({ stage: 'request', ...about, verb: 'probe', request: {} });
    trace({ stage: 'closed', ...about });
    trace({ stage: 'end', ...about, verb: 'probe', outcome: 'aborted', lastedMs: 0 });
    expect(meters.size).toBe(0);
    trace({ stage: 'request', ...about, verb: 'watch', request: {} });
    expect(meters.size).toBe(1);
    trace({ stage: 'end', ...about, verb: 'watch', outcome: 'aborted', lastedMs: 0 });
    expect(meters.size).toBe(0);
  });

  it('forgets namespaces that are left', () => {
    const { scheduler, server } = serverOf();
    const { trace, meters } = meteredTrace({});
    const namespace = new BehaviorSubject(['zero']);
    const client = {
      listChunks: (_: unknown, request: object) => server.list(request),
      watch: (_: unknown, request: object) => server.watch(request),
    };
    const informer = createInformer(client as never, resources.core.v1.pods, { namespace, scheduler, parts: [tracing(trace)] });
    informer.start();
    const names = (): string[] => [...meters.values()].flatMap((meter) => [...(meter as { sources: Map<string, unknown> }).sources.keys()]);
    expect(names()).toEqual(['zero']);
    namespace.next(['one', 'two']);
    namespace.next(['three']);
    expect(names()).toEqual(['three']);
  });

  it('tells informers apart by their names', () => {
    const { scheduler, server, taken, trace } = serverOf();
    for (const name of ['one', 'two']) reflect(server, { scheduler, name, listStrategy: 'list', trace }).subscribe();
    taken();
    advanceBy(scheduler, 10);
    server.delete('default/a');
    server.reset();
    expect(taken()).toEqual(['DELETED', 'at 4', 'DELETED', 'at 4', 'watched 1 in 10', 'watch', 'watched 1 in 10', 'watch']);
  });

  it('calls missed what the watch has passed by a bookmark alone', () => {
    const { scheduler, server, taken } = informed({ relistPeriodMs: 70_000 });
    server.loseEvents(() => server.add(pod('c')));
    advanceBy(scheduler, 70_000);
    expect(taken().filter((line) => line.includes(' by '))).toEqual(['added by period, missed']);
  });

  it('counts no difference of a first list, nor of a live event', () => {
    const { scheduler, server, taken, trace } = serverOf();
    const seen: string[] = [];
    const informer = createInformer(server, { scheduler, parts: [tracing(trace)] });
    informer.resource$.subscribe((event) => {
      if (event.type !== 'synced') seen.push(event.type);
    });
    server.modify(pod('a'));
    expect(seen).toContain('added');
    expect(taken().filter((line) => line.includes(' by '))).toEqual([]);
  });
});
