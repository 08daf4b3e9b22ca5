import { describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, type Observable, of, throwError, VirtualTimeScheduler } from 'rxjs';
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
function startedWith(open$: Observable<SavedSnapshot | undefined>) {
  const scheduler = new VirtualTimeScheduler();
  const warm = warmStart({ open: () => open$, save: () => EMPTY });
  const informer = createInformer(of(...listed), { resource: 'pods', parts: [warm], scheduler });
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
});
