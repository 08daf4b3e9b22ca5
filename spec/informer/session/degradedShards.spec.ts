import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, VirtualTimeScheduler } from 'rxjs';
import type { V1Pod } from '../../../src/api/kubernetes/coreV1.js';
import { resources } from '../../../src/api/resources.js';
import { slotOfObject } from '../../../src/api/shardFilter.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { sharding } from '../../../src/informer/parts/sharding.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { fakeClient } from '../fakeClient.js';

const good = pod('omega/good', { metadata: { uid: 'green' } });
const bad = pod('alpha/bad', { metadata: { uid: 'red' } });

describe('an object that could never be transformed', () => {
  it.each(['namespace', 'uid'] as const)('is not degraded any more when it has left the shard by %s', (by) => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    for (const object of [good, bad]) client.serverOf('pods').add(object);
    const slotsOf = (...pods: readonly V1Pod[]) => ({ slots: new Set(pods.map((each) => slotOfObject(each, by))) });
    const shard$ = new BehaviorSubject(slotsOf(good, bad));
    const informer = createInformer(client, resources.core.v1.pods, {
      ...{ scheduler, parts: [sharding({ by, shard$ })], onError: () => 'retry' },
      transform: (object) => {
        if (object.metadata?.name === 'bad') throw new Error('it is bad');
        return object;
      },
    });
    informer.start();
    advanceBy(scheduler, 1_000);
    expect([informer.health().degraded, informer.indexer.listKeys()]).toEqual([['alpha/bad'], ['omega/good']]);
    shard$.next(slotsOf(good));
    advanceBy(scheduler, 1_000);
    expect([informer.health().degraded, informer.indexer.listKeys()]).toEqual([[], ['omega/good']]);
  });
});
