import { describe, expect, it } from '@jest/globals';
import { type Observable, type OperatorFunction, Subject, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import { runningKey, type Describable } from '../../../src/api/running.js';
import type { TraceStep } from '../../../src/api/traceStep.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { InformerOptions } from '../../../src/informer/informerOptions.js';
import { tracing } from '../../../src/informer/parts/tracing.js';
import { filterObjects, inNamespaces, ofType, ownedBy, withLabels } from '../../../src/operators/filters/filterObjects.js';
import { filterUpdates } from '../../../src/operators/filters/filterUpdates.js';
import { added, deleted, init, list, modified, page, pod, type Pod } from '../../delta/pods.js';

type Dropped = Extract<TraceStep, { readonly stage: 'dropped' }>;

const textOf = ({ reason, keys, by }: Pick<Dropped, 'reason' | 'keys' | 'by'>): string =>
  `${keys.join(' ')}: ${reason}${by === undefined ? '' : ` by ${by}`}`;

function traced(options: InformerOptions<Pod> = {}) {
  const source = new Subject<SourceEvent<Pod>>();
  const dropped: string[] = [];
  const trace = (step: TraceStep): void => {
    if (step.stage === 'dropped') dropped.push(textOf(step));
  };
  const quiet = { logger: { warn: () => undefined }, onError: () => undefined };
  const informer = createInformer<Pod>(source, {
    resource: 'pods',
    scheduler: new VirtualTimeScheduler(),
    ...quiet,
    parts: [tracing(trace)],
    ...options,
  });
  const send = (...events: readonly SourceEvent<Pod>[]): void => {
    for (const event of events) source.next(event);
  };
  const taken = (): string[] => dropped.splice(0);
  return { informer, send, taken };
}

describe('the trace step `dropped`', () => {
  it('names an object whose version is cached, and a deletion of what is not', () => {
    const { informer, send, taken } = traced();
    informer.resource$.subscribe();
    send(...list('9', [pod('a', '1')]));
    expect(taken()).toEqual([]);
    send(modified(pod('a', '1')), deleted(pod('b', '2')), modified(pod('a', '3')));
    expect(taken()).toEqual(['default/a: same version', 'default/b: not cached']);
  });

  it('names what a later list has in common with the cache, in one step', () => {
    const { informer, send, taken } = traced();
    informer.resource$.subscribe();
    send(...list('9', [pod('a', '1'), pod('b', '2'), pod('c', '3')]));
    send(...list('12', [pod('a', '1'), pod('b', '11'), pod('c', '3')]));
    expect(taken()).toEqual(['default/a default/c: same version']);
  });

  it('names the objects of a list that was begun anew', () => {
    const { informer, send, taken } = traced();
    informer.resource$.subscribe();
    send(init(), page([pod('a', '1'), pod('b', '2')]), init());
    expect(taken()).toEqual(['default/a default/b: stale list']);
  });

  it('names an object whose transform fails, and one that the transform makes equal', () => {
    const transform = ({ metadata }: Pod): Pod => {
      if (metadata.resourceVersion === '5' || metadata.resourceVersion === '20') throw new Error('boom');
      return { metadata: { name: metadata.name, namespace: 'default', uid: 'u' } };
    };
    const { informer, send, taken } = traced({ transform });
    informer.resource$.subscribe();
    send(...list('9', [pod('a', '1')]), modified(pod('a', '5')), modified(pod('a', '10')));
    expect(taken()).toEqual(['default/a: transform failed', 'default/a: same value']);
    send(...list('21', [pod('a', '20')]));
    expect(taken()).toEqual(['default/a: transform failed']);
  });

  it('says when nobody has subscribed', () => {
    const { informer, send, taken } = traced();
    informer.start();
    send(...list('9', [pod('a', '1')]), modified(pod('a', '10')));
    expect(taken()).toEqual(['default/a: nobody subscribed', 'default/a: nobody subscribed']);
    informer.addEventHandler({});
    send(modified(pod('a', '11')));
    expect(taken()).toEqual([]);
  });

  it.each(['change$', 'resource$'] as const)('names the operator that has filtered %s, also a snapshot', (stream) => {
    type Piped = OperatorFunction<unknown, unknown>;
    const operators: Readonly<Record<string, () => unknown>> = {
      filterObjects: () => filterObjects<Pod>(() => false),
      withLabels: () => withLabels('app=web'),
      inNamespaces: () => inNamespaces('other'),
      ownedBy: () => ownedBy({ metadata: { uid: 'nobody' } }),
      ofType: () => ofType('deleted'),
    };
    for (const [name, operator] of Object.entries(operators)) {
      const { informer, send, taken } = traced();
      informer.start();
      send(...list('9', [pod('a', '1')]));
      taken();
      (informer[stream] as Observable<unknown>).pipe(operator() as Piped).subscribe();
      send(added(pod('b', '10')));
      expect(taken()).toEqual([`default/a: filtered by ${name}`, `default/b: filtered by ${name}`]);
    }
    const { informer, send, taken } = traced();
    (informer[stream] as Observable<unknown>).pipe(filterUpdates(() => false) as unknown as Piped).subscribe();
    send(...list('9', [pod('a', '1')]), modified(pod('a', '10')));
    expect(taken()).toEqual(['default/a: filtered by filterUpdates']);
  });

  it('names the handler whose filter does not let an object through', () => {
    const { informer, send, taken } = traced();
    informer.addEventHandler({}, { name: 'audit', filter: ({ metadata }) => metadata.name === 'a' });
    informer.start();
    send(...list('9', [pod('a', '1'), pod('b', '2')]));
    expect(taken()).toEqual(['default/b: filtered by audit']);
  });

  it('is told of the informer whose event it is, and of no other', () => {
    const one = traced();
    const other = traced();
    other.informer.resource$.subscribe();
    one.informer.resource$.subscribe(() => other.send(...list('9', [pod('x', '1')])));
    one.informer.resource$.pipe(filterObjects<Pod, never>(() => false) as never).subscribe();
    one.send(...list('9', [pod('a', '1')]));
    expect([one.taken(), other.taken()]).toEqual([['default/a: filtered by filterObjects'], ['default/x: same version']]);
  });

  it('is there for a follower of the registry too, as long as that looks', () => {
    const { informer, send } = traced({ parts: [] });
    const { cache } = (informer as unknown as Describable)[runningKey];
    const seen: string[] = [];
    const leave = cache?.follow(
      () => undefined,
      (drop) => seen.push(textOf(drop)),
    );
    informer.start();
    send(...list('9', [pod('a', '1')]), modified(pod('a', '1')));
    expect(seen).toEqual(['default/a: same version']);
    leave?.();
    send(modified(pod('a', '1')));
    expect(seen).toHaveLength(1);
  });
});
