import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, NEVER, type Observable, of, throwError, VirtualTimeScheduler } from 'rxjs';
import type { SourceEvent } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SavedSnapshot } from '../../../src/informer/warm/snapshotStore.js';
import { warmStart } from '../../../src/informer/warm/warmStart.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

const listed: readonly SourceEvent<KubernetesObject>[] = [
  { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' },
  { type: 'ready', scope: '', resourceVersion: '5' },
];

/** An informer whose saved snapshot is opened like that. */
function startedWith(open$: Observable<SavedSnapshot | undefined>, source$: Observable<SourceEvent<KubernetesObject>> = of(...listed)) {
  const scheduler = new VirtualTimeScheduler();
  const warm = warmStart({ open: () => open$, save: () => EMPTY });
  const informer = createInformer(source$, { resource: 'pods', parts: [warm], scheduler });
  const errors: string[] = [];
  informer.error$.subscribe(({ message }) => errors.push(message));
  informer.start();
  return { scheduler, informer, errors };
}

describe('a snapshot that is to be opened', () => {
  it('is waited for, for ten seconds: then the informer starts without it, and says so', async () => {
    const { scheduler, informer, errors } = startedWith(NEVER);
    // Its identity is a promise.
    await Promise.resolve();
    await Promise.resolve();
    advanceBy(scheduler, 9_999);
    expect([informer.hasSynced(), errors]).toEqual([false, []]);
    advanceBy(scheduler, 1);
    expect(informer.hasSynced()).toBe(true);
    expect(errors).toEqual(['The snapshot of pods cannot be used: its store has not opened it within 10 s']);
  });

  it.each([
    ['there is none', of(undefined)],
    ['the store says nothing of it', EMPTY],
    ['the store fails', throwError(() => new Error('no disk'))],
  ])('keeps no informer from its list where %s', async (_, open$) => {
    const { scheduler, informer } = startedWith(open$);
    await Promise.resolve();
    await Promise.resolve();
    advanceBy(scheduler, 0);
    expect(informer.hasSynced()).toBe(true);
  });

  it('keeps no informer running whose source has completed', async () => {
    const { scheduler, informer } = startedWith(of(undefined));
    await Promise.resolve();
    await Promise.resolve();
    advanceBy(scheduler, 0);
    expect(informer.health().state).toBe('stopped');
    await informer.stopped;
  });

  it('is opened by each session until the cache has a content of its own', async () => {
    let openings = 0;
    const warm = warmStart({ open: () => of(void (openings += 1)), save: () => EMPTY });
    const scheduler = new VirtualTimeScheduler();
    const informer = createInformer(concat(of(...listed), NEVER), { resource: 'pods', parts: [warm], scheduler });
    const session = async (turns: number): Promise<unknown> => {
      const subscription = informer.resource$.subscribe();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const { state } = informer.health();
      subscription.unsubscribe();
      return [openings, state];
    };
    expect(await session(0)).toEqual([0, 'listing']);
    expect(await session(2)).toEqual([1, 'watching']);
    expect(await session(2)).toEqual([1, 'watching']);
  });
});
