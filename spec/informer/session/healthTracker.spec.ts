import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { InformerHealth } from '../../../src/api/events.js';
import { added, bookmark, brief, deleted, init, list, page, type Pod, pod, ready } from '../../delta/pods.js';
import { scripted } from '../scripted.js';

const error = new InformerError({ code: 'ERR_WATCH', message: 'reset' });

function timed(options: Parameters<typeof scripted>[0] = {}) {
  const scheduler = new VirtualTimeScheduler();
  const script = scripted({ scheduler, ...(options as object) });
  const told: InformerHealth[] = [];
  script.informer.health$.subscribe((health) => told.push(health));
  const at = (ms: number, action: () => void) => scheduler.schedule(action, ms);
  return { ...script, told, states: () => told.map(({ state }) => state), at, run: () => scheduler.flush() };
}

describe('health', () => {
  it('follows the link, and knows since when', () => {
    const { informer, send, states, told, at, run } = timed();
    at(5, () => informer.start());
    at(10, () => send({ type: 'status', state: 'listing' }, ...list('3', [])));
    at(20, () => send({ type: 'status', state: 'watching' }));
    at(30, () => send({ type: 'status', state: 'retrying', error, attempt: 1, nextAttemptAt: 45 }));
    at(45, () => send({ type: 'status', state: 'watching' }));
    at(60, () => void informer.stop());
    run();
    expect(states()).toEqual(['idle', 'listing', 'watching', 'retrying', 'watching', 'stopped']);
    expect(told.map(({ since }) => since)).toEqual([0, 5, 20, 30, 45, 60]);
    expect(told[2]).toMatchObject({ synced: true, resourceVersion: '3' });
    expect(told[3]).toMatchObject({ attempt: 1, nextAttemptAt: 45, error });
    expect(told[4]).not.toHaveProperty('error');
    expect(told[4]).not.toHaveProperty('attempt');
  });

  it('tells each further attempt, and keeps the failure while it lists again', () => {
    const { informer, send, told } = timed();
    informer.start();
    const failing = (attempt: number) => send({ type: 'status', state: 'retrying', error, attempt });
    send({ type: 'status', state: 'listing' });
    failing(1);
    failing(2);
    send({ type: 'status', state: 'listing' });
    expect(told.slice(2).map(({ state, attempt }) => [state, attempt])).toEqual([
      ['retrying', 1],
      ['retrying', 2],
      ['listing', 2],
    ]);
    expect(informer.health().error).toBe(error);
  });

  it('knows when the last event and the last bookmark came, without telling', () => {
    const { informer, send, told, at, run } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' });
    const count = told.length;
    at(7, () => send(added(pod('a', '4'))));
    at(9, () => send(bookmark('5')));
    run();
    expect(informer.health()).toMatchObject({ lastEventAt: 7, lastBookmarkAt: 9, resourceVersion: '5' });
    expect(told).toHaveLength(count);
  });

  it.each([
    ['a bookmark', bookmark('4')],
    ['an event', added(pod('a', '4'))],
    ['the link', { type: 'status', state: 'watching' } as const],
  ])('tells a failure of an open watch, and that %s ended it', (_, next) => {
    const { informer, send, told } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' });
    const count = told.length;
    send({ type: 'status', state: 'watching', error });
    send({ type: 'status', state: 'watching', error });
    send(next, bookmark('5'));
    expect(told.slice(count).map((health) => [health.state, health.error])).toEqual([
      ['watching', error],
      ['watching', undefined],
    ]);
  });

  it('says how far the cache may be behind: by the time since it was last known to be current', () => {
    const { informer, send, at, run } = timed();
    const stale: (number | undefined)[] = [];
    const look = (): unknown => stale.push(informer.health().staleMs);
    informer.start();
    look();
    send(...list('3', []));
    at(7, look);
    at(8, () => send({ type: 'status', state: 'watching' }));
    at(10, look);
    at(12, () => send(added(pod('a', '4'))));
    at(13, () => send({ type: 'status', state: 'retrying', error, attempt: 1, nextAttemptAt: 45 }));
    at(14, () => send(init(), page([pod('a', '5')]), { type: 'status', state: 'watching', error }));
    at(20, look);
    at(21, () => send(ready('6')));
    at(22, () => send(bookmark('7')));
    at(24, look);
    run();
    expect(stale).toEqual([undefined, 7, 2, 7, 2]);
  });

  const refused = new InformerError({ code: 'ERR_LIST', message: 'forbidden', cause: new Error('403') });
  const silence = new InformerError({ code: 'ERR_WATCH_START', message: 'no sign of life for 75000 ms' });
  const retrying = (failure: InformerError) => ({ type: 'status', state: 'retrying', error: failure, attempt: 1 }) as const;

  it('counts an outage through all attempts, from the end of the watch', () => {
    const { informer, send, at, run } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' });
    // A quiet watch was open until it ended.
    at(1_000, () => send(retrying(refused)));
    for (let ms = 1_100; ms < 61_000; ms += 1_000) {
      at(ms, () => send({ type: 'status', state: 'listing' }, init()));
      at(ms + 500, () => send(retrying(refused)));
    }
    run();
    expect(informer.health().staleMs).toBe(informer.health().since - 1_000);
    expect(informer.health().staleMs).toBeGreaterThan(59_000);
    expect(informer.health().since).toBeGreaterThan(60_000);
  });

  it('does not take silence for a sign that the cache is current', () => {
    const { informer, send, at, run } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' });
    at(10, () => send(bookmark('4')));
    at(150, () => send(retrying(silence)));
    at(160, () => void informer.health());
    run();
    expect(informer.health().staleMs).toBe(150);
  });

  it('counts the objects of lists under way, in pages or one by one, without telling', () => {
    const { informer, send, told } = timed();
    informer.start();
    send({ type: 'status', state: 'listing' });
    expect(informer.health()).not.toHaveProperty('received');
    send(init('n'));
    const count = told.length;
    expect(informer.health().received).toBe(0);
    send(page([pod('a', '1'), pod('b', '1')], 'n'), init('m'), added(pod('c', '1'), 'm'), deleted(pod('c', '2'), 'm'));
    expect(informer.health().received).toBe(3);
    send(init('n'), page([pod('a', '1')], 'n'));
    expect(informer.health().received).toBe(2);
    expect(told).toHaveLength(count);
    send(ready('3', 'n'));
    expect(informer.health().received).toBe(1);
    send(ready('3', 'm'), added(pod('d', '4'), 'm'));
    expect(informer.health()).not.toHaveProperty('received');
  });

  it('stops counting when a list fails, or nobody listens any more', () => {
    const { informer, send } = timed();
    const subscription = informer.resource$.subscribe();
    send(init(), page([pod('a', '1')]), { type: 'status', state: 'retrying', error, attempt: 1 });
    expect(informer.health()).not.toHaveProperty('received');
    send(init(), page([pod('a', '1')]));
    expect(informer.health().received).toBe(1);
    subscription.unsubscribe();
    expect(informer.health()).not.toHaveProperty('received');
  });

  it('forgets a failure of a link that is up, with the next event', () => {
    const { informer, send } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' }, { type: 'status', state: 'watching', error });
    expect(informer.health().error).toBe(error);
    send(bookmark('4'));
    expect(informer.health().error).toBeUndefined();
  });

  it('forgets a failure of a list beside the watch when one is complete', () => {
    const { informer, send, told } = timed();
    informer.start();
    send({ type: 'status', state: 'listing' }, ...list('3', []), { type: 'status', state: 'watching' });
    send({ type: 'status', state: 'watching', error, attempt: 1, nextAttemptAt: 45 });
    send(...list('4', []));
    expect(informer.health()).toMatchObject({ state: 'watching', resourceVersion: '4' });
    expect(informer.health().error).toBeUndefined();
    expect(told.slice(-2).map(({ attempt }) => attempt)).toEqual([1, undefined]);
  });

  it('is as bad as the worst of several links', () => {
    const { informer, send } = timed({ scopes: new Set(['n', 'm']) });
    informer.start();
    const status = (scope: string, state: 'listing' | 'watching' | 'retrying') => send({ type: 'status', scope, state });
    status('n', 'listing');
    status('m', 'listing');
    send(...list('3', [], 'n'));
    status('n', 'watching');
    expect(informer.health()).toMatchObject({ state: 'listing', synced: false });
    status('n', 'retrying');
    send(...list('4', [], 'm'));
    status('m', 'watching');
    expect(informer.health()).toMatchObject({ state: 'retrying', synced: true });
    status('n', 'watching');
    expect(informer.health().state).toBe('watching');
  });

  it('tells that it has synced while a link is down', () => {
    const { informer, send, told } = timed({ scopes: new Set(['n', 'm']) });
    informer.start();
    send({ type: 'status', scope: 'n', state: 'listing' }, ...list('3', [], 'n'), { type: 'status', scope: 'n', state: 'retrying' });
    send(...list('4', [], 'm'));
    expect(told.at(-1)).toMatchObject({ state: 'retrying', synced: true });
  });

  it('is watching after a list of a source that tells no states', () => {
    const { informer, send, states } = timed();
    informer.start();
    send(init(), ready('3'), init(), ready('4'));
    expect(states()).toEqual(['idle', 'listing', 'watching', 'listing', 'watching']);
  });

  it('tells of keys whose transform begins and ceases to fail', () => {
    let works = false;
    const transform = (object: Pod): Pod => {
      if (!works) throw new Error('not yet');
      return object;
    };
    const { informer, send, told } = timed({ transform });
    informer.start();
    send(...list('3', []), added(pod('a', '4')));
    expect(told.at(-1)?.degraded).toEqual(['default/a']);
    works = true;
    send(added(pod('a', '5')));
    expect(told.at(-1)?.degraded).toEqual([]);
  });

  it('begins with the current state for whoever comes, and completes with stop', async () => {
    const { informer, send } = timed();
    informer.start();
    send(...list('3', []), { type: 'status', state: 'watching' });
    await informer.stop();
    const seen: string[] = [];
    informer.health$.subscribe({ next: ({ state }) => seen.push(state), complete: () => seen.push('|') });
    expect(seen).toEqual(['stopped', '|']);
  });

  it('lets a subscriber subscribe to the informer in its callback, when the session begins', () => {
    const { informer, send } = timed();
    const [first, second]: [string[], string[]] = [[], []];
    let joined = false;
    informer.health$.subscribe(({ state }) => {
      if (state !== 'listing' || joined) return;
      joined = true;
      informer.resource$.subscribe((event) => second.push(brief(event)));
    });
    informer.resource$.subscribe((event) => first.push(brief(event)));
    send(...list('3', [pod('a', '1')]));
    expect([first, second]).toEqual([
      ['+default/a@1 initial', 'synced@3'],
      ['+default/a@1 initial', 'synced@3'],
    ]);
  });

  it('emits states to everybody in their order, also when one of them starts the informer again', () => {
    const { informer } = timed();
    const states: string[] = [];
    let started = false;
    informer.health$.subscribe(({ state }) => {
      if (state === 'idle' && started) informer.resource$.subscribe();
    });
    informer.health$.subscribe(({ state }) => states.push(state));
    const first = informer.resource$.subscribe();
    started = true;
    first.unsubscribe();
    expect(states).toEqual(['idle', 'listing', 'idle', 'listing']);
    expect(informer.health().state).toBe('listing');
  });
});
