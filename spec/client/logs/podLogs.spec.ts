import { describe, expect, it } from '@jest/globals';
import { concat, EMPTY, NEVER, of, Subject, VirtualTimeScheduler } from 'rxjs';
import type { V1Pod } from '../../../src/api/kubernetes/coreV1.js';
import type { ResourceEvent } from '../../../src/api/events.js';
import { podLogs } from '../../../src/client/logs/podLogs.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

const terminated = { exitCode: 0, startedAt: '2026-01-01T00:00:00Z' };
const status = { name: 'main', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated } };
const done = pod('jobs/one', { status: { phase: 'Succeeded', containerStatuses: [status] } });

describe('podLogs', () => {
  it('fails when the connection goes silent, also without follow', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = { readPath: () => concat(of(new TextEncoder().encode('a line\nand')), NEVER), get: () => NEVER };
    const seen: unknown[] = [];
    podLogs(client as never, done, { follow: false, scheduler }).subscribe({
      next: ({ text }) => seen.push(text),
      error: (error: unknown) => seen.push(String(error)),
    });
    advanceBy(scheduler, 299_999);
    expect(seen).toEqual(['a line']);
    advanceBy(scheduler, 1);
    expect(seen).toEqual(['a line', 'RequestError: The log of one failed: nothing came for 300000 ms']);
  });
});

describe('podLogs of a collection', () => {
  it.each([
    ['with uids', ['first', 'second']],
    ['without uids, as a transform may leave them', ['', '']],
  ])('read the log of a pod anew that was deleted after its log had ended: %s', (_, uids) => {
    const scheduler = new VirtualTimeScheduler();
    const resource$ = new Subject<ResourceEvent<V1Pod>>();
    const held = new Map<string, V1Pod>();
    let reads = 0;
    const client = { readPath: () => of(new TextEncoder().encode(`line ${(reads += 1)}\n`)), get: () => EMPTY };
    const pods = {
      ...{ resource$, indexer: { getByKey: (key: string) => held.get(key) } },
      ...{ lister: { list: () => [...held.values()] }, whenSynced: () => Promise.resolve() },
    };
    const lines: string[] = [];
    const following = podLogs(client as never, pods, { scheduler }).subscribe(({ text }) => lines.push(text));
    const key = 'jobs/one';
    for (const uid of uids) {
      const object = { ...done, metadata: { ...done.metadata, uid: uid === '' ? undefined : uid } };
      held.set(key, object);
      const event = { type: 'added', key, object, initial: false, inferred: false } as const;
      resource$.next(event);
      advanceBy(scheduler, 10_000);
      resource$.next({ ...event, type: 'updated', oldObject: object, resync: false });
      advanceBy(scheduler, 10_000);
      held.delete(key);
      resource$.next({ type: 'deleted', key, object, finalStateUnknown: false, inferred: false });
      advanceBy(scheduler, 10_000);
    }
    expect(lines).toEqual(['line 1', 'line 2']);
    following.unsubscribe();
    expect(scheduler.actions).toHaveLength(0);
  });
});
