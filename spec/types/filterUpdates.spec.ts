import { describe, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { EMPTY, type Observable } from 'rxjs';
import type { V1Pod } from '../../src/api/kubernetes/coreV1.js';
import type { ResourceEvent } from '../../src/api/events/resourceEvent.js';
import { filterUpdates } from '../../src/operators/filters/filterUpdates.js';
import { anyOf } from '../../src/operators/filters/predicateLogic.js';
import { generationChanged, labelsChanged } from '../../src/operators/filters/updatePredicates.js';

describe('filterUpdates', () => {
  it('keeps the type of the objects', () => {
    const pods: Observable<ResourceEvent<V1Pod>> = EMPTY;
    expectTypeOf(pods.pipe(filterUpdates(generationChanged))).toEqualTypeOf<Observable<ResourceEvent<V1Pod>>>();
    expectTypeOf(pods.pipe(filterUpdates(anyOf(generationChanged, labelsChanged)))).toEqualTypeOf<Observable<ResourceEvent<V1Pod>>>();
    expectTypeOf(pods.pipe(filterUpdates((before, after) => before.status?.phase !== after.status?.phase))).toEqualTypeOf<
      Observable<ResourceEvent<V1Pod>>
    >();
  });
});
