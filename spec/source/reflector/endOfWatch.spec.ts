import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import type { State, WatchingState } from '../../../src/source/reflector/state.js';
import { connectionError, expiredStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { step } from '../../../src/source/reflector/step.js';
import { begin, busy, contextOf, memoryOf, stepped, unopened, watchingOf } from './stepping.js';

const expired = apiErrorOfStatus(expiredStatus('1', '2'));
const reset = connectionError('ECONNRESET');
const internal = statusError(500, 'InternalError', 'etcd');
const quiet: Partial<WatchingState> = {};

const watchedAgain = 'WATCH';

describe('endOfWatch', () => {
  it.each<[string, Partial<WatchingState>, number, string[]]>([
    ['closed after a second (RW-04)', quiet, 1000, ['WATCH 10']],
    ['closed after an event (RW-04)', busy, 50, ['WATCH 13']],
    ['closed within a second, empty (RW-05)', quiet, 999, ['leave', 'retrying ERR_WATCH #1 in 1799']],
    ['closed within a second, no news (RW-04)', { ...busy, version: '10' }, 50, ['leave', 'retrying ERR_WATCH #1 in 850']],
  ])('%s', (_, state, ms, done) => {
    expect(stepped(watchingOf(state), { type: 'closed' }, { ms }).done).toEqual(done);
  });

  it('says for how long there was no sign of life', () => {
    const { effects } = step<KubernetesObject>(watchingOf(unopened), { type: 'due' }, begin + 75_000.6, contextOf());
    const messages = effects.map((effect) => (effect.do === 'emit' && effect.event.type === 'status' ? effect.event.error?.message : ''));
    expect(messages).toContain('Cannot watch pods: no sign of life for 75001 ms');
  });

  it('lists when the server closes early without an event, and watches on when it has brought old ones (RW-04, RW-05)', () => {
    const nextAfter = (state: Partial<WatchingState>): unknown => stepped(watchingOf(state), { type: 'closed' }, { ms: 50 }).state;
    expect(nextAfter(quiet)).toMatchObject({ type: 'waiting', next: { type: 'list', reason: 'error' } });
    expect(nextAfter({ ...busy, version: '10' })).toMatchObject({ type: 'waiting', next: { type: 'watch' } });
  });

  it.each<[string, unknown, next: string, atOnce: string, later: string]>([
    ['410 (RW-10)', expired, 'list expired', 'ERR_WATCH_EXPIRED', 'ERR_WATCH_EXPIRED'],
    ['429 (RW-07, RW-08)', statusError(429, 'TooManyRequests', ''), watchedAgain, 'ERR_WATCH_START', 'ERR_WATCH'],
    ['401 (RW-09)', statusError(401, 'Unauthorized', ''), 'list error', 'ERR_AUTH', 'ERR_AUTH'],
    ['404 (RW-09)', statusError(404, 'NotFound', ''), 'list error', 'ERR_NOT_SERVED', 'ERR_NOT_SERVED'],
    ['403 (RW-09)', statusError(403, 'Forbidden', ''), 'list error', 'ERR_WATCH_START', 'ERR_WATCH'],
    ['500 (RW-09, RW-11)', internal, 'list error', 'ERR_WATCH_START', 'ERR_WATCH'],
    ['cut off (RW-07)', reset, watchedAgain, 'ERR_WATCH_START', ''],
    ['undecodable (RT-10)', new SyntaxError(), watchedAgain, 'ERR_DECODE', 'ERR_DECODE'],
    ['no credentials', Object.assign(new Error(), { code: 'ERR_CREDENTIALS' }), watchedAgain, 'ERR_AUTH', 'ERR_AUTH'],
  ])('failed at once, and after events: %s', (_, error, next, atOnce, later) => {
    const nextOf = ({ state, done }: ReturnType<typeof stepped>): string[] => [
      state.type === 'waiting' ? (state.next.type === 'watch' ? watchedAgain : `list ${state.next.reason}`) : state.type,
      ...done,
    ];
    const failed = { type: 'watchFailed', error } as const;
    const wait = error === reset ? 400 : 800;
    expect(nextOf(stepped(watchingOf(unopened), failed, { ms: 50 }))).toEqual([next, 'leave', `retrying ${atOnce} #1 in ${50 + wait}`]);
    const waits = [next, 'leave', `retrying ${later} #1 in 850`];
    const goesOn = ['watching', 'retrying ERR_WATCH in 50', 'WATCH 13'];
    expect(nextOf(stepped(watchingOf(busy), failed, { ms: 50 }))).toEqual(later === '' ? goesOn : waits);
  });

  it('lists after a second undecodable answer at the same version (RT-10)', () => {
    const state = watchingOf({ ...busy, memory: memoryOf({ undecodableVersion: '13' }) });
    expect(stepped(state, { type: 'watchFailed', error: new SyntaxError() }).state).toMatchObject({
      next: { type: 'list', reason: 'error' },
    });
    const first = stepped(watchingOf(busy), { type: 'watchFailed', error: new SyntaxError() });
    expect(first.state.memory.undecodableVersion).toBe('13');
  });

  it('lists the most recent state after a second expiry of the same version, which a server without NotOlderThan lists again', () => {
    const expired = { type: 'watchFailed', error: statusError(410, 'Expired', '') } as const;
    const first = stepped(watchingOf(busy), expired).state.memory;
    expect(first).toMatchObject({ versionUnavailable: false, expiredVersion: '13' });
    const again = (version: string): boolean => stepped(watchingOf({ version, memory: first }), expired).state.memory.versionUnavailable;
    expect([again('13'), again('14')]).toEqual([true, false]);
    // Bookmarks of that version prove health, and are no news.
    const marked = stepped(watchingOf({ ...busy, version: '13', memory: first }), expired).state.memory;
    expect(marked).toMatchObject({ versionUnavailable: true, failures: 1 });
  });

  it('waits after a connection that broke within a second without news; a longer one proves health, and resets the backoff, after 30 s', () => {
    const broken = { type: 'watchFailed', error: reset } as const;
    const after = (ms: number): State => stepped(watchingOf({ ...quiet, memory: memoryOf({ failures: 3 }) }), broken, { ms }).state;
    expect(after(999)).toMatchObject({ type: 'waiting', memory: { failures: 4 } });
    expect(after(1000)).toMatchObject({ type: 'watching', memory: { failures: 3 } });
    expect(after(30_000)).toMatchObject({ type: 'watching', memory: { failures: 0 } });
    expect(stepped(watchingOf({ ...busy, version: '10' }), broken, { ms: 999 }).state.type).toBe('waiting');
    expect(stepped(watchingOf({ ...busy, version: '10' }), broken, { ms: 1000 }).state.type).toBe('watching');
  });

  it('watches again at once when it was silent, later when it never opened, and lets the clock tell which (RW-03)', () => {
    expect(stepped(watchingOf(), { type: 'due' }, { ms: 74_999 })).toMatchObject({ state: watchingOf(), done: [] });
    expect(stepped(watchingOf(), { type: 'due' }, { ms: 75_000 }).done).toEqual(['WATCH 10']);
    const later = stepped(watchingOf(unopened), { type: 'due' }, { ms: 75_000 });
    expect(later.done).toEqual(['leave', 'retrying ERR_WATCH_START #1 in 75400']);
    expect(later.state).toMatchObject({ type: 'waiting', next: { type: 'watch' } });
  });

  it.each([busy, unopened])('lists after an internal error (RW-11)', (begun) => {
    const { state } = stepped(watchingOf(begun), { type: 'watchFailed', error: internal });
    expect(state).toMatchObject({ type: 'waiting', next: { type: 'list', reason: 'error' } });
  });

  describe('waits', () => {
    const failing = (failures: number, connectionFailures: number, error: unknown, state: Partial<WatchingState> = unopened): string[] =>
      stepped(watchingOf({ ...state, memory: memoryOf({ failures, connectionFailures }) }), { type: 'watchFailed', error }).done;

    it.each([0, 1, 2, 3, 4, 5, 6])('longer after each failure, up to 30 s: %i before (RX-05, RX-06)', (failures) => {
      const wait = [800, 1600, 3200, 6400, 12_800, 25_600, 30_000][failures];
      expect(failing(failures, 0, statusError(403, 'Forbidden', ''))).toEqual([
        'leave',
        `retrying ERR_WATCH_START #${failures + 1} in ${wait}`,
      ]);
    });

    it('for chance on top of that (RX-05)', () => {
      const failed = { type: 'watchFailed', error: statusError(403, 'Forbidden', '') } as const;
      expect(stepped(watchingOf(unopened), failed, { options: { random: () => 0.5 } }).done.at(-1)).toBe(
        'retrying ERR_WATCH_START #1 in 1200',
      );
    });

    it('half of the first delay, and chance, for each of the first 50 failures to connect, and then from the beginning (RT-04)', () => {
      const wait = (failures: number, lost: number, random = 0): string | undefined => {
        const state = watchingOf({ ...unopened, memory: memoryOf({ failures, connectionFailures: lost }) });
        return stepped(state, { type: 'watchFailed', error: reset }, { options: { random: () => random } }).done.at(-1);
      };
      expect([wait(0, 0), wait(0, 0, 0.5), wait(49, 49)]).toEqual([
        'retrying ERR_WATCH_START #1 in 400',
        'retrying ERR_WATCH_START #1 in 600',
        'retrying ERR_WATCH_START #50 in 400',
      ]);
      expect([wait(50, 50), wait(52, 52), wait(60, 60)]).toEqual([
        'retrying ERR_WATCH_START #51 in 800',
        'retrying ERR_WATCH_START #53 in 3200',
        'retrying ERR_WATCH_START #61 in 30000',
      ]);
      expect(wait(7, 2)).toBe('retrying ERR_WATCH_START #8 in 400');
    });

    it.each(['CERT_HAS_EXPIRED', 'ENOTFOUND', 'ERR_CONTENT_TYPE', 'ERR_REQUEST'])('no less than the usual after %s', (code) => {
      expect(failing(0, 0, Object.assign(new Error('no'), { code })).at(-1)).toBe('retrying ERR_WATCH_START #1 in 800');
    });

    it('as long as the server asks for, up to a minute, and up to a tenth of the first delay longer (RT-03)', () => {
      const asked = (ms: number, failures = 0, random = 0): string | undefined => {
        const state = watchingOf({ ...unopened, memory: memoryOf({ failures }) });
        const error = statusError(429, 'TooManyRequests', '', ms);
        return stepped(state, { type: 'watchFailed', error }, { options: { random: () => random } }).done.at(-1);
      };
      expect(asked(500)).toBe('retrying ERR_WATCH_START #1 in 500');
      expect(asked(5000)).toBe('retrying ERR_WATCH_START #1 in 5000');
      expect(asked(3000, 9)).toBe('retrying ERR_WATCH_START #10 in 3000');
      expect([asked(500, 9, 1), asked(5000, 0, 1)]).toEqual(['retrying ERR_WATCH_START #10 in 550', 'retrying ERR_WATCH_START #1 in 5080']);
      expect(asked(Number.MAX_SAFE_INTEGER)).toBe('retrying ERR_WATCH_START #1 in 60000');
    });

    it.each<[string, Parameters<typeof stepped>[1], number, lost: number]>([
      ['no sign of life', { type: 'due' }, 75_000, 1],
      ['a connection that was refused', { type: 'watchFailed', error: reset }, 50, 1],
      ['an answer', { type: 'watchFailed', error: internal }, 50, 0],
      ['an early end', { type: 'closed' }, 50, 0],
    ])('and counts what failed for want of a connection: %s', (_, happening, ms, lost) => {
      const { failures, connectionFailures } = stepped(watchingOf(unopened), happening, { ms }).state.memory;
      expect({ failures, connectionFailures }).toEqual({ failures: 1, connectionFailures: lost });
    });

    it('from the beginning after proof of health (RX-07)', () => {
      expect(failing(5, 3, new SyntaxError(), busy)).toEqual(['leave', 'retrying ERR_DECODE #1 in 800']);
    });

    it('from the beginning when a version has expired, once until health is proven', () => {
      expect(failing(6, 0, expired)).toEqual(['leave', 'retrying ERR_WATCH_EXPIRED #1 in 800']);
      const again = memoryOf({ failures: 6, expiredVersion: '7' });
      const after = (state: Partial<WatchingState>): unknown =>
        stepped(watchingOf({ ...state, memory: again }), { type: 'watchFailed', error: expired }).done.at(-1);
      expect([after(unopened), after(busy)]).toEqual(['retrying ERR_WATCH_EXPIRED #7 in 30000', 'retrying ERR_WATCH_EXPIRED #1 in 800']);
    });

    it('after an answer as if the connection had never failed', () => {
      const before = memoryOf({ failures: 6, connectionFailures: 4, expiredVersion: '7' });
      const step = stepped(watchingOf({ ...unopened, memory: before }), { type: 'watchFailed', error: expired });
      expect(step.done.at(-1)).toBe('retrying ERR_WATCH_EXPIRED #3 in 3200');
      expect(failing(6, 6, statusError(403, 'Forbidden', ''))).toEqual(['leave', 'retrying ERR_WATCH_START #7 in 800']);
      const left = (error: unknown): number =>
        stepped(watchingOf({ ...unopened, memory: memoryOf({ failures: 6, connectionFailures: 4 }) }), { type: 'watchFailed', error }).state
          .memory.connectionFailures;
      expect([left(expired), left(internal)]).toEqual([0, 4]);
    });
  });

  describe('doubts the server', () => {
    const doubtedAt = (state: WatchingState, happening: Parameters<typeof stepped>[1], ms: number): unknown =>
      stepped(state, happening, { ms }).state.memory.doubtedAt;

    it.each<[string, WatchingState, Parameters<typeof stepped>[1], number, string | undefined]>([
      ['closed early', watchingOf(busy), { type: 'closed' }, 45_000, '13'],
      ['closed on time', watchingOf(busy), { type: 'closed' }, 300_000, undefined],
      ['closed on time, as clocks go', watchingOf(busy), { type: 'closed' }, 299_000, undefined],
      ['silent', watchingOf(), { type: 'due' }, 75_000, '10'],
      ['refused', watchingOf(unopened), { type: 'watchFailed', error: reset }, 5, '10'],
      ['broken', watchingOf(busy), { type: 'watchFailed', error: reset }, 5, '13'],
      [
        'closed on time, but not looked at yet',
        watchingOf({ look: { version: '12', asked: false, dueAt: 0, failures: 1, ofOrder: false, again: false } }),
        { type: 'closed' },
        600_000,
        '12',
      ],
    ])('%s', (_, state, happening, ms, expected) => {
      expect(doubtedAt(state, happening, ms)).toBe(expected);
    });
  });

  it('goes on with a list beside it where it watches again at once, and gives that up where it has to wait', () => {
    const state = watchingOf({ ...busy, relistedFrom: '11' });
    expect(stepped(state, { type: 'closed' }, { ms: 50 }).state).toMatchObject({ type: 'watching', relistedFrom: '11' });
    const waits = stepped(state, { type: 'watchFailed', error: expired }, { ms: 50 });
    expect(waits.state).toMatchObject({ type: 'waiting', memory: { relistAt: 1_000_050 } });
    expect(waits.done).toContain('leave');
  });
});
