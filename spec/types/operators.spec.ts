import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { EMPTY, type GroupedObservable, type MonoTypeOperatorFunction, type Observable, of } from 'rxjs';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import type { DeletedEvent, ObjectEvent, ResourceChange, ResourceEvent, SyncedEvent } from '../../src/api/events.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { filterObjects, inNamespaces, ofType, ownedBy, withLabels } from '../../src/operators/filters/filterObjects.js';
import { anyOf, filterUpdates, generationChanged, labelsChanged } from '../../src/operators/filters/filterUpdates.js';
import { untilDeleted } from '../../src/operators/filters/untilDeleted.js';
import { toMap, toObjects } from '../../src/operators/folds/toMap.js';
import { groupByKey } from '../../src/operators/keys/groupByKey.js';
import { pairwiseByKey } from '../../src/operators/keys/pairwiseByKey.js';
import { isReady } from '../../src/operators/readiness/isReady.js';
import { conflateByKey } from '../../src/operators/timing/conflateByKey.js';
import { debounceByKey } from '../../src/operators/timing/debounceByKey.js';
import { resync } from '../../src/operators/timing/resync.js';

const changes: Observable<ResourceChange<V1Pod>> = EMPTY;
const events: Observable<ResourceEvent<V1Pod>> = EMPTY;
const owner = { metadata: { name: 'web', uid: 'u1' } };

describe('operators that look at one object at a time', () => {
  it('take changes and return changes of the same objects', () => {
    expectTypeOf(changes.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(filterObjects((pod: V1Pod) => pod.spec !== undefined))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(filterObjects(isReady))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(filterObjects(of((pod: V1Pod) => pod.spec !== undefined)))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(inNamespaces('a'), withLabels('app'), ownedBy(owner))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(untilDeleted('default/web'))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(filterUpdates(generationChanged))).toEqualTypeOf<typeof changes>();
    expectTypeOf(changes.pipe(filterUpdates(anyOf(generationChanged, labelsChanged)))).toEqualTypeOf<typeof changes>();
  });

  it('take events and return events of the same objects', () => {
    expectTypeOf(events.pipe(filterObjects((pod) => pod.status?.phase === 'Pending'))).toEqualTypeOf<typeof events>();
    expectTypeOf(events.pipe(filterObjects(isReady))).toEqualTypeOf<typeof events>();
    expectTypeOf(events.pipe(inNamespaces('a'), withLabels('app'), ownedBy(owner))).toEqualTypeOf<typeof events>();
    expectTypeOf(events.pipe(untilDeleted('default/web'))).toEqualTypeOf<typeof events>();
    expectTypeOf(events.pipe(filterUpdates(generationChanged))).toEqualTypeOf<typeof events>();
    expectTypeOf(events.pipe(filterUpdates((before, after) => before.status?.phase !== after.status?.phase))).toEqualTypeOf<
      typeof events
    >();
  });

  it('narrow to types of events', () => {
    expectTypeOf(events.pipe(ofType('deleted', 'synced'))).toEqualTypeOf<Observable<DeletedEvent<V1Pod> | SyncedEvent>>();
    changes.pipe(ofType('deleted')).subscribe((change) => {
      expectTypeOf(change.events).toEqualTypeOf<readonly DeletedEvent<V1Pod>[]>();
      expectTypeOf(change).toExtend<ResourceChange<V1Pod>>();
    });
    // @ts-expect-error -- a change says itself whether it is synced
    void changes.pipe(ofType('synced'));
    // @ts-expect-error -- no event is of this type
    expect(() => events.pipe(ofType('modified'))).toThrow('modified');
  });

  it('go by object for both', () => {
    type Pair = readonly [ObjectEvent<V1Pod>, ObjectEvent<V1Pod>];
    expectTypeOf(changes.pipe(pairwiseByKey())).toEqualTypeOf<Observable<Pair>>();
    expectTypeOf(events.pipe(pairwiseByKey())).toEqualTypeOf<Observable<Pair>>();
    expectTypeOf(changes.pipe(groupByKey())).toEqualTypeOf<Observable<GroupedObservable<string, ObjectEvent<V1Pod>>>>();
    expectTypeOf(events.pipe(groupByKey())).toEqualTypeOf<Observable<GroupedObservable<string, ObjectEvent<V1Pod>>>>();
  });

  it('can be made apart from a pipe, and inside of generic functions', () => {
    const pending = filterObjects((pod: V1Pod) => pod.status?.phase === 'Pending');
    expectTypeOf(changes.pipe(pending, toObjects())).toEqualTypeOf<Observable<readonly V1Pod[]>>();
    expectTypeOf(filterObjects<V1Pod>((pod) => pod.spec !== undefined)).toEqualTypeOf<MonoTypeOperatorFunction<ResourceChange<V1Pod>>>();
    const named = <T extends KubernetesObject>(name: string): MonoTypeOperatorFunction<ResourceChange<T>> =>
      filterObjects(({ metadata }) => metadata?.name === name);
    expectTypeOf(changes.pipe(named('web'))).toEqualTypeOf<typeof changes>();
  });

  it('refuse predicates for other objects', () => {
    // @ts-expect-error -- a pod has no such field
    void changes.pipe(filterObjects((pod) => pod.replicas > 1));
    // @ts-expect-error -- a pod is no text
    void changes.pipe(filterObjects((text: string) => text.length > 1));
    expectTypeOf(filterObjects<V1Pod>)
      .parameter(0)
      .not.toEqualTypeOf<(text: string) => boolean>();
  });
});

describe('folds and conflation', () => {
  it('take changes', () => {
    expectTypeOf(changes.pipe(toMap())).toEqualTypeOf<Observable<ReadonlyMap<string, V1Pod>>>();
    expectTypeOf(
      changes.pipe(
        filterObjects((pod) => pod.spec !== undefined),
        toObjects(),
      ),
    ).toEqualTypeOf<Observable<readonly V1Pod[]>>();
    expectTypeOf(
      changes.pipe(conflateByKey({ periodMs: 1 }), debounceByKey({ dueMs: 1, maxWaitMs: 2 }), resync({ periodMs: 1 })),
    ).toEqualTypeOf<typeof changes>();
  });

  it('do not take events, which do not say where a change ends', () => {
    // @ts-expect-error -- events do not say where a change ends
    void events.pipe(toMap());
    // @ts-expect-error -- events do not say where a change ends
    void events.pipe(toObjects());
    // @ts-expect-error -- events do not say where a change ends
    void events.pipe(conflateByKey({ periodMs: 1 }));
    // @ts-expect-error -- events do not say where a change ends
    void events.pipe(debounceByKey({ dueMs: 1, maxWaitMs: 2 }));
    // @ts-expect-error -- events do not say where a change ends
    void events.pipe(resync({ periodMs: 1 }));
    const pending$ = events.pipe(filterObjects((pod) => pod.spec !== undefined));
    // @ts-expect-error -- they do not say so behind a filter either
    void pending$.pipe(toObjects());
    expectTypeOf(toMap<V1Pod>()).parameter(0).not.toEqualTypeOf<typeof events>();
  });
});
