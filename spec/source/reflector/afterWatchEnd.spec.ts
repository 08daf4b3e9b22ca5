import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiErrorOfStatus.js';
import { afterWatchEnd, provesHealth } from '../../../src/source/reflector/afterWatchEnd.js';
import type { WatchEnd, WatchFacts } from '../../../src/source/reflector/watchEnd.js';
import { connectionError, expiredStatus, statusError } from '../../../src/testing/fakes/serverErrors.js';

const context = { veryShortWatchMs: 1000, healthyWatchMs: 30_000, undecodableBefore: false, internalErrorRetry: false };
const unopened: WatchFacts = { opened: false, eventCount: 0, lastedMs: 10, openMs: 0, advanced: false };
const quiet: WatchFacts = { opened: true, eventCount: 0, lastedMs: 5000, openMs: 5000, advanced: false };
const busy: WatchFacts = { opened: true, eventCount: 3, lastedMs: 50, openMs: 50, advanced: true };
const closed: WatchEnd = { type: 'closed' };

function failed(error: unknown): WatchEnd {
  return { type: 'failed', error };
}

describe('afterWatchEnd', () => {
  it.each<[string, WatchEnd, WatchFacts, object]>([
    ['closed after a second', closed, { ...quiet, lastedMs: 1000 }, { next: 'watch', wait: false }],
    ['closed after an event', closed, busy, { next: 'watch', wait: false }],
    [
      'closed within a second, empty',
      closed,
      { ...quiet, lastedMs: 999 },
      { next: 'list', wait: true, reason: 'error', code: 'ERR_WATCH' },
    ],
    ['closed within a second, no news', closed, { ...busy, advanced: false }, { next: 'watch', wait: true, code: 'ERR_WATCH' }],
    ['silent', { type: 'silent' }, quiet, { next: 'watch', wait: false }],
    ['unopened', { type: 'unopened' }, unopened, { next: 'watch', wait: true, code: 'ERR_WATCH_START' }],
  ])('%s (RW-04, RW-05)', (_, end, facts, expected) => {
    expect(afterWatchEnd(end, facts, context)).toMatchObject(expected);
  });

  it.each<[string, Error, object, object]>([
    [
      '410',
      apiErrorOfStatus(expiredStatus('1', '2')),
      { next: 'list', reason: 'expired', code: 'ERR_WATCH_EXPIRED' },
      { next: 'list', code: 'ERR_WATCH_EXPIRED' },
    ],
    ['429', statusError(429, 'TooManyRequests', ''), { next: 'watch', code: 'ERR_WATCH_START' }, { next: 'watch', code: 'ERR_WATCH' }],
    ['401', statusError(401, 'Unauthorized', ''), { next: 'list', code: 'ERR_AUTH' }, { next: 'list', code: 'ERR_AUTH' }],
    ['404', statusError(404, 'NotFound', ''), { next: 'list', code: 'ERR_NOT_SERVED' }, { next: 'list', code: 'ERR_NOT_SERVED' }],
    ['403', statusError(403, 'Forbidden', ''), { next: 'list', code: 'ERR_WATCH_START' }, { next: 'list', code: 'ERR_WATCH' }],
    ['500', statusError(500, 'InternalError', ''), { next: 'list', code: 'ERR_WATCH_START' }, { next: 'list', code: 'ERR_WATCH' }],
    [
      'refused',
      connectionError('ECONNREFUSED'),
      { next: 'watch', code: 'ERR_WATCH_START' },
      { next: 'watch', wait: false, code: 'ERR_WATCH' },
    ],
    ['undecodable', new SyntaxError(), { next: 'watch', code: 'ERR_DECODE' }, { next: 'watch', code: 'ERR_DECODE' }],
    [
      'no credentials',
      Object.assign(new Error(), { code: 'ERR_CREDENTIALS' }),
      { next: 'watch', code: 'ERR_AUTH' },
      { next: 'watch', code: 'ERR_AUTH' },
    ],
  ])('failed at once, and after events: %s (RW-07, RW-09)', (_, error, atOnce, later) => {
    expect(afterWatchEnd(failed(error), unopened, context)).toMatchObject({ wait: true, ...atOnce });
    expect(afterWatchEnd(failed(error), busy, context)).toMatchObject({ wait: true, ...later });
  });

  it('lists after a second undecodable answer at the same version', () => {
    expect(afterWatchEnd(failed(new SyntaxError()), busy, { ...context, undecodableBefore: true })).toMatchObject({
      next: 'list',
      wait: true,
    });
  });

  it('watches again after an internal error inside a watch where told so, and lists after one at its beginning (RW-11)', () => {
    const internal = failed(statusError(500, 'InternalError', ''));
    const retrying = { ...context, internalErrorRetry: true };
    expect(afterWatchEnd(internal, busy, retrying)).toMatchObject({ next: 'watch', wait: true, code: 'ERR_WATCH' });
    expect(afterWatchEnd(internal, unopened, retrying)).toMatchObject({ next: 'list', wait: true });
    expect(afterWatchEnd(failed(statusError(403, 'Forbidden', '')), busy, retrying)).toMatchObject({ next: 'list' });
  });

  it('waits after a broken connection that brought neither news nor proof of health', () => {
    const broken = failed(connectionError('ECONNRESET'));
    expect(afterWatchEnd(broken, quiet, context)).toMatchObject({ next: 'watch', wait: true });
    expect(afterWatchEnd(broken, { ...quiet, openMs: 30_000 }, context)).toMatchObject({ next: 'watch', wait: false });
    expect(afterWatchEnd(broken, { ...busy, advanced: false }, context)).toMatchObject({ next: 'watch', wait: true });
  });
});

describe('provesHealth', () => {
  it('wants an event, or time enough while open', () => {
    expect(provesHealth(busy, 30_000)).toBe(true);
    expect(provesHealth({ ...quiet, openMs: 29_999 }, 30_000)).toBe(false);
    expect(provesHealth({ ...quiet, openMs: 30_000 }, 30_000)).toBe(true);
    expect(provesHealth(unopened, 0)).toBe(false);
  });
});
