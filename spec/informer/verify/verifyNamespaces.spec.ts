import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { verification } from '../../../src/informer/verify/verifier.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { fakeClient } from '../fakeClient.js';

describe('verification of namespaces that change', () => {
  it('says nothing of the links of a namespace that was removed', async () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const server = client.serverOf('configmaps');
    const namespace$ = new BehaviorSubject(['one', 'two']);
    const informer = createInformer(client, resources.core.v1.configmaps, {
      namespace: namespace$,
      scheduler,
      random: () => 0,
      onError: () => 'retry',
      parts: [verification({ everyMs: 60_000 })],
    });
    informer.start();
    advanceBy(scheduler, 40_000);
    server.stop();
    advanceBy(scheduler, 100);
    expect(informer.health().state).toBe('retrying');
    namespace$.next(['two']);
    server.start();
    advanceBy(scheduler, 10_000);
    expect(informer.health().state).toBe('watching');
    server.loseEvents(() => server.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'two', name: 'a' } }));
    server.add({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'two', name: 'b' } });
    for (let ms = 0; ms < 30_000; ms += 1_000) {
      advanceBy(scheduler, 1_000);
      for (let times = 0; times < 9; times += 1) await Promise.resolve();
    }
    expect(informer.lister.list()).toHaveLength(2);
    expect(informer.health().state).toBe('watching');
    await informer.stop();
  });
});
