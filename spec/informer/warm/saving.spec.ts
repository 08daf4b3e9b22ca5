import { describe, expect, it } from '@jest/globals';
import { defer, EMPTY, firstValueFrom, of, Subject, VirtualTimeScheduler } from 'rxjs';
import type { V1Pod } from '../../../src/api/kubernetes/coreV1.js';
import { resources } from '../../../src/api/resources.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SharedInformer } from '../../../src/informer/sharedInformer.js';
import type { CacheSnapshot } from '../../../src/informer/warm/snapshotStore.js';
import { warmStart } from '../../../src/informer/warm/warmStart.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { advanceBy } from '../../../src/testing/index.js';
import { fakeClient } from '../fakeClient.js';

/** Saves the cache of two namespaces when a pod `last` comes, which stops the informer in that way. */
async function saved(ends: 'in an index function' | 'in a subscriber'): Promise<unknown> {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const server = client.serverOf('pods');
  for (const name of ['one/first', 'two/first']) server.add(pod(name));
  const saves: unknown[] = [];
  const save = ({ scopes }: CacheSnapshot) =>
    defer(() => {
      for (const [scope, { resourceVersion, objects }] of scopes) saves.push([scope, resourceVersion, [...objects].map(([key]) => key)]);
      return EMPTY;
    });
  const end = ({ metadata }: V1Pod): void => void (metadata?.name === 'last' && informer.stop());
  const informer: SharedInformer<V1Pod> = createInformer(
    { ...client, server: () => Promise.resolve('https://localhost') },
    resources.core.v1.pods,
    {
      ...{ namespace: ['one', 'two'], scheduler, parts: [warmStart({ open: () => of(undefined), save })] },
      indexers: { by: (each) => (ends === 'in an index function' && end(each), []) },
    },
  );
  informer.resource$.subscribe((event) => {
    if (ends === 'in a subscriber' && event.type === 'added') end(event.object);
  });
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  server.add(pod('one/last'));
  await informer.stopped;
  expect(informer.lastSyncResourceVersion('one')).toBe((saves as readonly string[][])[0]?.[1]);
  return saves;
}

describe('the version of a saved namespace', () => {
  it('is that of its content where the informer was stopped while a change was made', async () => {
    expect(await saved('in an index function')).toEqual([
      ['one', '3', ['one/first']],
      ['two', '3', ['two/first']],
    ]);
  });

  it('is that of the change that a subscriber got when it stopped the informer', async () => {
    expect(await saved('in a subscriber')).toEqual([
      ['one', '4', ['one/first', 'one/last']],
      ['two', '3', ['two/first']],
    ]);
  });
});

describe('a store that does not end a save', () => {
  it('is waited for for 30 s, told once, and not asked again before it has ended that', async () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const ends: Subject<never>[] = [];
    const asked$ = new Subject<void>();
    const save = () => {
      const end$ = new Subject<never>();
      ends.push(end$);
      asked$.next();
      return end$;
    };
    const warnings: string[] = [];
    const informer = createInformer({ ...client, server: () => Promise.resolve('https://localhost') }, resources.core.v1.pods, {
      ...{ scheduler, logger: { warn: (text) => warnings.push(text) } },
      parts: [warmStart({ open: () => of(undefined), save })],
    });
    informer.start();
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    };
    const stores = async (change: () => void): Promise<void> => {
      const asked = firstValueFrom(asked$, { defaultValue: undefined });
      change();
      await asked;
    };
    await turns();
    await stores(() => advanceBy(scheduler, 60_000));
    advanceBy(scheduler, 29_000);
    await turns();
    expect(warnings).toEqual([]);
    for (let minute = 0; minute < 3; minute += 1) {
      client.serverOf('pods').add(pod(`p${minute}`));
      advanceBy(scheduler, 60_000);
      await turns();
    }
    const late = expect.stringContaining('The snapshot of pods cannot be saved: its store has not saved it within 30 s');
    expect([warnings, ends.length]).toEqual([[late], 1]);
    ends[0]?.complete();
    await turns();
    await stores(() => advanceBy(scheduler, 60_000));
    void informer.stop();
    await turns();
    advanceBy(scheduler, 30_000);
    await informer.stopped;
    expect([warnings, ends.length]).toEqual([[late, late], 2]);
  });
});
