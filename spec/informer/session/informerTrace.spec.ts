import { describe, expect, it } from '@jest/globals';
import { NEVER, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { InformerReadings, TraceStep } from '../../../src/api/traceStep.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { InformerOptions } from '../../../src/informer/informerOptions.js';
import { tracing } from '../../../src/informer/parts/tracing.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { briefly } from '../../../src/testing/marbles/briefly.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });

function stepText(step: TraceStep): string {
  switch (step.stage) {
    case 'source':
      return `source ${step.event.type}`;
    case 'cache':
      return `cache ${briefly(step.event)}`;
    case 'delivery':
      return `${step.event.type} to ${step.to}`;
    case 'request':
      return step.verb;
    case 'line':
      return `line ${step.event.type}`;
    default:
      return step.stage;
  }
}

function traced(options: InformerOptions<KubernetesObject> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, resource: 'pods' });
  const steps: TraceStep[] = [];
  const informer = createInformer(server, {
    scheduler,
    name: 'web',
    logger: { warn: () => undefined },
    ...options,
    parts: [tracing((step) => steps.push(step)), ...(options.parts ?? [])],
  });
  const [opened] = steps;
  const read = (): InformerReadings => {
    if (opened?.stage !== 'opened') throw new Error('not opened');
    return opened.read();
  };
  /** The steps since the last call. */
  const taken = (): string[] => steps.splice(0).map(stepText);
  return { scheduler, server, steps, informer, read, taken };
}

describe('InformerTrace', () => {
  it('follows an object from the bytes to every subscriber', () => {
    const { server, informer, taken } = traced();
    informer.resource$.subscribe();
    informer.addEventHandler({ onAdd: () => undefined }, { name: 'logger' });
    expect(taken()).toEqual([
      ...[
        'opened',
        'watchList',
        'line BOOKMARK',
        'source status',
        'settled',
        'source init',
        'settled',
        'source ready',
        'cache synced at 1',
      ],
      ...['synced to resource$', 'settled', 'source status', 'settled', 'synced to logger'],
    ]);
    server.add(pod('a'));
    expect(taken()).toEqual([
      ...['line ADDED', 'source added', 'cache added default/a@2', 'added to resource$', 'added to logger', 'settled'],
    ]);
  });

  it('has changed the cache when it tells so, and not before', () => {
    const seen: (number | undefined)[] = [];
    const { server, informer } = traced({
      parts: [
        tracing((step) => {
          if (step.stage === 'source' || step.stage === 'cache') seen.push(informer.indexer.listKeys().length);
        }),
      ],
    });
    informer.resource$.subscribe();
    seen.splice(0);
    server.add(pod('a'));
    expect(seen).toEqual([0, 1]);
  });

  it('tells each consumer by its name, when it is handed an event', () => {
    const { scheduler, server, informer, taken } = traced();
    informer.events().subscribe();
    informer.process(() => NEVER).subscribe();
    taken();
    server.add(pod('a'));
    server.add(pod('b'));
    advanceBy(scheduler, 1);
    expect(taken().filter((step) => step.includes(' to '))).toEqual(['added to events()', 'added to events()']);
    expect(informer.hasSynced()).toBe(true);
  });

  it('reads what waits for handlers and consumers, what is cached, and whether it is complete', () => {
    const { server, informer, read } = traced();
    expect(read()).toEqual({ objects: 0, synced: false, staleMs: Infinity, resourceVersion: '', waiting: [] });
    const slow = informer.addEventHandler({ onAdd: () => new Promise<void>(() => undefined) }, { name: 'slow' });
    const fast = informer.addEventHandler({ onAdd: () => undefined }, { name: 'fast' });
    const subscription = informer.process(() => NEVER, { buffer: 'conflate' }).subscribe();
    for (const name of ['a', 'b', 'c']) server.add(pod(name));
    server.modify(pod('c'));
    expect(read()).toEqual({
      objects: 3,
      synced: true,
      staleMs: 0,
      resourceVersion: '5',
      waiting: [
        { name: 'slow', events: 3 },
        { name: 'fast', events: 0 },
        { name: 'process()', events: 3 },
      ],
    });
    subscription.unsubscribe();
    slow.remove();
    fast.remove();
    expect(read()).toMatchObject({ synced: false, waiting: [] });
  });

  it('says how long an event took to go through', () => {
    const { scheduler, server, informer, steps } = traced();
    informer.resource$.subscribe(() => {
      scheduler.frame += 7;
    });
    steps.splice(0);
    server.add(pod('a'));
    expect(steps.filter(({ stage }) => stage === 'settled')).toMatchObject([{ lastedMs: 7 }]);
  });

  it('reports a trace that throws, once, and goes on without it', () => {
    const errors: string[] = [];
    const { server, informer, steps } = traced({
      parts: [
        tracing((step) => {
          if (step.stage === 'cache') throw new Error('broken');
        }),
      ],
    });
    informer.error$.subscribe(({ code, message }) => errors.push(`${code} ${message}`));
    const seen: string[] = [];
    informer.resource$.subscribe(({ type }) => seen.push(type));
    steps.splice(0);
    server.add(pod('a'));
    expect(errors).toEqual(['ERR_HANDLER The trace of web failed: broken']);
    expect(seen).toEqual(['synced', 'added']);
    expect(steps.map(({ stage }) => stage)).toContain('cache');
  });

  it('refuses a trace that is no function', () => {
    expect(() => tracing('all' as never)).toThrow('Expected `trace` of `tracing` to be a function, got "all"');
  });
});
