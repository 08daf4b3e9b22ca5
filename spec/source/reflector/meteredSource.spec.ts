import { describe, expect, it } from '@jest/globals';
import { NEVER, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { TraceStep } from '../../../src/api/traceStep.js';
import { pollSource } from '../../../src/source/recording/pollSource.js';
import { meteredSource, reflect } from '../../../src/source/reflector/reflect.js';
import type { ReflectOptions } from '../../../src/source/reflector/reflectOptions.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import type { FakeListerWatcherOptions } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { connectionError } from '../../../src/testing/fakes/serverErrors.js';
import { record } from '../recording/record.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });

function nameOf(object: unknown): string {
  const { metadata: { name = '?', resourceVersion = '' } = {} } = object as KubernetesObject;
  return `${name}@${resourceVersion}`;
}

/** A step in brief. */
function stepText(step: TraceStep): string {
  switch (step.stage) {
    case 'request': {
      const { resourceVersion = '', limit, continue: token } = step.request;
      return `${step.at} ${step.id} ${step.verb} ${resourceVersion}${limit === undefined ? '' : ` limit=${limit}`}${token === undefined ? '' : ' more'}`;
    }
    case 'page':
      return `${step.at} ${step.id} page ${step.items.map(nameOf).join(' ')}`;
    case 'line':
      return `${step.at} ${step.id} line ${step.event.type} ${nameOf(step.event.object)}`;
    case 'end':
      return `${step.at} ${step.id} ${step.outcome} after ${step.lastedMs}${step.error === undefined ? '' : `: ${(step.error as Error).message}`}`;
    default:
      return step.stage;
  }
}

function traced(options: ReflectOptions, served: FakeListerWatcherOptions = {}) {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, resource: 'pods', ...served });
  server.add(pod('a'));
  server.add(pod('b'));
  const steps: TraceStep[] = [];
  const source = reflect(server, { scheduler, random: () => 0, ...options, trace: (step) => steps.push(step) });
  return { scheduler, server, steps, source, texts: () => steps.map(stepText) };
}

describe('meteredSource', () => {
  it('tells each page of a list, and each line of the watch after it', () => {
    const { scheduler, server, source, texts } = traced(
      { listStrategy: 'list', listSemantics: 'mostRecent', pageSize: 1 },
      { latencyMs: 5 },
    );
    const { subscription } = record(source);
    advanceBy(scheduler, 100);
    server.modify(pod('b'));
    advanceBy(scheduler, 100);
    subscription.unsubscribe();
    expect(texts()).toEqual([
      ...['0 1 list  limit=1', '5 1 page a@2', '5 1 complete after 5', '5 2 list  limit=1 more', '10 2 page b@3', '10 2 complete after 5'],
      ...['10 3 watch 3', '105 3 line MODIFIED b@4', '200 3 aborted after 190'],
    ]);
  });

  it('says what a request is about', () => {
    const { steps, server, scheduler } = traced({});
    reflect(server.inNamespace('default'), { scheduler, trace: (step) => steps.push(step) }).subscribe();
    expect(steps[0]).toMatchObject({ stage: 'request', name: 'pods', resource: 'pods', scope: 'default', id: 1, verb: 'watchList' });
  });

  it('calls what does not say what it lists `objects`', () => {
    const steps: TraceStep[] = [];
    const source = { list: () => NEVER, watch: () => NEVER, watchList: false };
    reflect(source, { scheduler: new VirtualTimeScheduler(), trace: (step) => steps.push(step) }).subscribe();
    expect(steps[0]).toMatchObject({ stage: 'request', name: 'objects', resource: 'objects', scope: '', id: 1, verb: 'list' });
  });

  it('tells a streamed list and the watch that it becomes as one request', () => {
    const { server, source, texts } = traced({});
    record(source);
    server.delete('default/a');
    expect(texts()).toEqual([
      '0 1 watchList ',
      '0 1 line ADDED a@2',
      '0 1 line ADDED b@3',
      '0 1 line BOOKMARK ?@3',
      '0 1 line DELETED a@4',
    ]);
  });

  it('tells why a request has failed', () => {
    const { server, source, texts } = traced({ listStrategy: 'list' });
    server.failNext('list', connectionError('ECONNREFUSED'));
    record(source);
    expect(texts()).toEqual(['0 1 list 0 limit=500', '0 1 failed after 0: connect ECONNREFUSED']);
  });

  it('tells a look at the version from a list', () => {
    const { scheduler, source, texts } = traced({ listStrategy: 'list' }, { bookmarkIntervalMs: Infinity });
    record(source);
    advanceBy(scheduler, 75_000);
    expect(texts().slice(-4)).toEqual(['75000 3 watch 3', '75000 4 probe  limit=1', '75000 4 page a@2', '75000 4 complete after 0']);
  });

  it('counts the requests of each subscription anew', () => {
    const { source, steps } = traced({ listStrategy: 'list' });
    record(source);
    record(source);
    expect(steps.flatMap((step) => (step.stage === 'request' ? step.id : []))).toEqual([1, 2, 1, 2]);
  });

  it('keeps what the source says of itself', () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler, expected: { apiVersion: 'v1', kind: 'Pod' } });
    const { list, watch, expected } = { list: server.list.bind(server), watch: server.watch.bind(server), expected: server.expected };
    const source = { list, watch, watchList: false, ...(expected !== undefined && { expected }) };
    const { values } = record(reflect(source, { scheduler, trace: () => undefined }));
    server.add({ apiVersion: 'v1', kind: 'Service', ...pod('a') });
    expect(server.requests.map(({ request }) => request.sendInitialEvents)).toEqual([undefined, undefined]);
    expect(values.at(-1)).toMatchObject({ type: 'status', error: { code: 'ERR_WATCH' } });
  });

  it('reports a trace that throws, once, calls it no more, and goes on', () => {
    const { server, scheduler } = traced({});
    let calls = 0;
    const source = reflect(server, {
      scheduler,
      trace: () => {
        calls += 1;
        throw new Error('broken');
      },
    });
    const { values } = record(source);
    server.delete('default/a');
    expect(calls).toBe(1);
    expect(values.flatMap((event) => (event.type === 'status' ? (event.error?.message ?? []) : event.type))).toEqual([
      ...['init', 'The trace of pods failed: broken', 'added', 'added', 'ready', 'deleted'],
    ]);
  });

  it('ends with the error of a trace where `onError` says stop', () => {
    const { server, scheduler } = traced({});
    const { errors } = record(
      reflect(server, {
        scheduler,
        onError: () => 'stop',
        trace: () => {
          throw new Error('broken');
        },
      }),
    );
    expect(errors).toMatchObject([{ code: 'ERR_HANDLER' }]);
    expect(server.openWatches).toBe(0);
    expect(scheduler.actions).toHaveLength(0);
  });

  it('works for a poll, too', () => {
    const { server, scheduler } = traced({});
    const steps: TraceStep[] = [];
    record(pollSource((request) => server.list(request), { periodMs: 10, scheduler, trace: (step) => steps.push(step) }));
    advanceBy(scheduler, 10);
    const lists = steps.filter((step) => step.stage === 'request' && step.verb === 'list');
    expect(lists).toHaveLength(2);
  });

  it('lets a hundred requests begin at once, and then ten a second; later pages are free', () => {
    const scheduler = new VirtualTimeScheduler();
    const sent: number[] = [];
    const send = () => {
      sent.push(scheduler.now());
      return NEVER;
    };
    const { list, watch, look } = meteredSource({ list: send, watch: send }, { scheduler }, undefined, () => undefined);
    for (let count = 0; count < 35; count += 1) {
      list({}).subscribe();
      watch({}).subscribe();
      look({}).subscribe();
    }
    expect(sent).toHaveLength(100);
    list({ continue: 'token' }).subscribe();
    expect(sent).toHaveLength(101);
    advanceBy(scheduler, 1000);
    expect(sent.slice(101)).toEqual([100, 200, 300, 400, 500]);
  });
});
