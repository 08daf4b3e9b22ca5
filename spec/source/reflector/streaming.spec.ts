import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import { initialEventsEndAnnotation } from '../../../src/api/listerWatcher.js';
import type { Happening, StreamingState } from '../../../src/source/reflector/state.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';
import { bookmarkOf, errorEventOf, podOf, watchEventOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { begin, contextOf, stepped, streamingOf } from './stepping.js';
import { step } from '../../../src/source/reflector/step.js';

type Line = Extract<Happening<KubernetesObject>, { readonly type: 'line' }>;

const progress: Happening<KubernetesObject> = { type: 'progress' };
const added = (isNew = true): Line => ({ type: 'line', line: watchEventOf('ADDED', podOf('a', '1')), isNew });
const bookmark = (version: string, mark?: string): Line => ({
  type: 'line',
  line: bookmarkOf(version, mark === undefined ? undefined : { [initialEventsEndAnnotation]: mark }),
  isNew: false,
});
const closed: Happening<KubernetesObject> = { type: 'closed' };

function failed(error: unknown): Happening<KubernetesObject> {
  return { type: 'watchFailed', error };
}

const fresh: Partial<StreamingState> = { openedAt: undefined, framed: false, dueAt: begin + 60_000 };
const half: Partial<StreamingState> = { events: 3 };
const expired = failed(apiErrorOfStatus(expiredStatus('1', '2')));
const tooLarge = failed(apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8')));
const reset = failed(connectionError('ECONNRESET'));

const told = (code = 'ERR_WATCH_LIST'): string[] => ['leave', `listing ${code}`];
const again = ['init expired 10', 'WATCHLIST 10'];
const mostRecent = ['init expired 10', 'WATCHLIST most recent'];
const list = ['init expired 10', 'LIST 10'];
const refused = ['refuse in 3600050', ...list];
const later = (code = 'ERR_WATCH_LIST', ms = 850): string[] => ['leave', `retrying ${code} #1 in ${ms}`];

describe('streaming', () => {
  it('says for how long there was no sign of life', () => {
    const { effects } = step<KubernetesObject>(streamingOf(fresh), { type: 'due' }, begin + 60_000, contextOf());
    const messages = effects.map((effect) => (effect.do === 'emit' && effect.event.type === 'status' ? effect.event.error?.message : ''));
    expect(messages).toContain('Cannot stream the list of pods: no sign of life for 60000 ms');
  });

  it.each<[string, Partial<StreamingState>, Happening<KubernetesObject>, string[]]>([
    ['closed half-way (WL-06)', half, closed, [...told(), ...again]],
    ['closed half-way again', { ...half, restarted: true }, closed, [...told(), ...list]],
    ['closed at once', fresh, closed, [...told(), ...list]],
    ['connection refused (WL-07)', fresh, failed(connectionError('ECONNREFUSED')), later('ERR_WATCH_LIST', 450)],
    ['connection broken half-way', half, reset, [...told(), ...again]],
    ['connection broken half-way again', { ...half, restarted: true }, reset, [...told(), ...list]],
    ['busy (WL-07)', fresh, failed(statusError(429, 'TooManyRequests', '')), later()],
    ['expired (WL-08)', half, expired, [...told(), ...mostRecent]],
    ['expired without a version', { ...half, resourceVersion: '' }, expired, [...told(), ...list]],
    ['too large (WL-08)', half, tooLarge, [...told(), ...mostRecent]],
    ['too large without a version', { ...half, resourceVersion: '' }, tooLarge, [...told(), ...list]],
    ['invalid (WL-09)', fresh, failed(statusError(422, 'Invalid', '')), [...told(), ...refused]],
    ['forbidden (WL-09)', fresh, failed(statusError(403, 'Forbidden', '')), [...told(), ...list]],
    ['internal error (WL-09)', half, failed(statusError(500, 'InternalError', '')), [...told(), ...list]],
    ['undecodable', half, failed(new SyntaxError()), [...told('ERR_DECODE'), ...list]],
    ['unauthorized', fresh, failed(statusError(401, 'Unauthorized', '')), later('ERR_AUTH')],
    ['no credentials', fresh, failed(Object.assign(new Error(), { code: 'ERR_CREDENTIALS' })), later('ERR_AUTH')],
    ['not served', fresh, failed(statusError(404, 'NotFound', '')), later('ERR_NOT_SERVED')],
    ['a bookmark without the mark (WL-04)', half, bookmark('9'), [...told(), ...refused]],
    ['a bookmark with another mark (WL-04)', half, bookmark('9', 'false'), [...told(), ...refused]],
    ['the mark without a version', half, bookmark('', 'true'), [...told('ERR_NO_RESOURCE_VERSION'), ...list]],
    ['the mark with a number as version', half, bookmark(12 as never, 'true'), [...told('ERR_NO_RESOURCE_VERSION'), ...list]],
    ['the mark (WL-04)', half, bookmark('12', 'true'), ['ready 12', 'watching']],
    ['an object (WL-03)', half, added(), ['added a@1']],
    [
      'an object without a version',
      half,
      { ...added(), line: watchEventOf('ADDED', podOf('a', '')) },
      ['listing ERR_NO_RESOURCE_VERSION', 'added a@'],
    ],
    [
      'an object with a number as version',
      half,
      { ...added(), line: watchEventOf('ADDED', podOf('a', 12 as never)) },
      ['listing ERR_NO_RESOURCE_VERSION', 'added a@12'],
    ],
    ['an ERROR event (WL-08)', half, { ...added(), line: errorEventOf(expiredStatus('1', '2')) }, [...told(), ...mostRecent]],
    ['an object without metadata', half, { ...added(), line: watchEventOf('ADDED', {}) }, ['listing ERR_WATCH']],
  ])('%s', (_, state, happening, done) => {
    expect(stepped(streamingOf(state), happening, { ms: 50 }).done).toEqual(done);
  });

  it('goes on with an object without a version', () => {
    const { state } = stepped(streamingOf(half), { ...added(), line: watchEventOf('ADDED', podOf('a', '')) });
    expect(state).toMatchObject({ type: 'streaming', events: 4, memory: { link: 'listing' } });
  });

  it('is streamed again once only', () => {
    expect(stepped(streamingOf(half), closed).state).toMatchObject({ type: 'streaming', restarted: true });
  });

  it('counts objects, from the first sign of life on', () => {
    const first = stepped(streamingOf(fresh), progress, { ms: 50 }).state;
    const second = stepped(first, added(), { ms: 60 });
    expect(second.state).toMatchObject({ openedAt: begin + 50, events: 1 });
    expect(stepped(second.state, progress, { ms: 70 }).state).toMatchObject({ openedAt: begin + 50, events: 1 });
    const object = podOf('a', '1');
    const { effects } = step(streamingOf(), added(), begin, contextOf());
    expect(effects).toEqual([{ do: 'emit', event: { type: 'added', object, resourceVersion: '1' } }]);
  });

  it('closed late without an event is closed half-way (WL-06)', () => {
    expect(stepped(streamingOf(), closed, { ms: 1000 }).done).toEqual([...told(), ...again]);
    expect(stepped(streamingOf(), closed, { ms: 999 }).done).toEqual([...told(), ...list]);
  });

  it.each<[string, Partial<StreamingState>, Happening<KubernetesObject>, Partial<StreamingState>]>([
    ['the headers: 2 s for something behind them', fresh, progress, { openedAt: begin + 50, framed: false, dueAt: begin + 2050 }],
    ['a second sign of life: 10 s for a new key', { framed: false }, progress, { framed: true, dueAt: begin + 10_050 }],
    ['an object without headers before it', fresh, added(), { openedAt: begin + 50, framed: true, dueAt: begin + 10_050 }],
    ['a new key: 10 s more', {}, added(), { dueAt: begin + 10_050 }],
    ['a key that has come before: nothing more', {}, added(false), { dueAt: begin + 10_000 }],
    ['a sign of life later: nothing more', {}, progress, { dueAt: begin + 10_000 }],
  ])('waits after %s (WL-14)', (_, before, happening, after) => {
    expect(stepped(streamingOf(before), happening, { ms: 50 }).state).toMatchObject(after);
  });

  it.each<[string, Partial<StreamingState>, string[]]>([
    ['without any sign of life', { openedAt: undefined }, [...told(), ...list]],
    ['without the end of the list (WL-14)', { framed: true }, [...told(), 'refuse in 3610000', ...list]],
    ['behind the headers (WL-14)', { framed: false }, [...told(), 'refuse in 3610000', ...list]],
  ])('lists when it is silent for too long %s', (_, state, done) => {
    expect(stepped(streamingOf(state), { type: 'due' }, { ms: 10_000 }).done).toEqual(done);
    expect(stepped(streamingOf(state), { type: 'due' }, { ms: 9999 }).done).toEqual([]);
  });

  it.each<[string, Partial<StreamingState>, Happening<KubernetesObject>, number]>([
    ['silence', { openedAt: undefined }, { type: 'due' }, 1],
    ['a connection that was refused', fresh, failed(connectionError('ECONNREFUSED')), 1],
    ['an answer', fresh, failed(statusError(429, 'TooManyRequests', '')), 0],
    ['a bookmark without the mark', half, bookmark('9'), 0],
  ])('counts what failed for want of a connection: %s', (_, state, happening, lost) => {
    const after = stepped(streamingOf(state), happening, { ms: 60_000, options: { listStrategy: 'watchList' } }).state;
    expect(after).toMatchObject({ type: 'waiting', next: { type: 'list', reason: 'error' } });
    expect(after.memory).toMatchObject({ failures: 1, connectionFailures: lost });
  });

  it('never lists where it is to stream', () => {
    const options = { listStrategy: 'watchList' } as const;
    for (const happening of [bookmark('9'), failed(statusError(422, 'Invalid', ''))]) {
      expect(stepped(streamingOf(half), happening, { ms: 50, options }).done).toEqual(later());
    }
    expect(stepped(streamingOf(half), closed, { ms: 50, options }).done).toEqual([...told(), ...again]);
  });

  it('becomes a watch that is judged anew: the list alone proves nothing (WL-04)', () => {
    const { state } = stepped(streamingOf({ events: 500 }), bookmark('12', 'true'), { ms: 50 });
    expect(state).toMatchObject({
      ...{ type: 'watching', startVersion: '12', version: '12', ordered: true, events: 0, openedAt: begin + 50, startedAt: begin + 50 },
      ...{ dueAt: begin + 75_050, look: undefined, memory: { version: '12', doubtedAt: undefined } },
    });
  });
});
