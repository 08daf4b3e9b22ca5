import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiErrorOfStatus.js';
import { afterWatchListEnd, type AfterWatchListContext } from '../../../src/source/reflector/afterWatchListEnd.js';
import type { WatchEnd, WatchFacts } from '../../../src/source/reflector/watchEnd.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';

const context: AfterWatchListContext = { veryShortWatchMs: 1000, resourceVersion: '10', restarted: false, mustStream: false };
const unopened: WatchFacts = { opened: false, eventCount: 0, lastedMs: 10, openMs: 0, advanced: false };
const busy: WatchFacts = { opened: true, eventCount: 3, lastedMs: 50, openMs: 50, advanced: false };
const closed: WatchEnd = { type: 'closed' };
const unmarked: WatchEnd = { type: 'unmarked', why: 'no marker' };

function failed(error: unknown): WatchEnd {
  return { type: 'failed', error };
}

const reset = failed(connectionError('ECONNRESET'));
const expired = failed(apiErrorOfStatus(expiredStatus('1', '2')));
const tooLarge = failed(apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8')));

describe('afterWatchListEnd', () => {
  it.each<[string, WatchEnd, WatchFacts, Partial<AfterWatchListContext>, object]>([
    ['closed half-way', closed, busy, {}, { next: 'restart' }],
    ['closed half-way again', closed, busy, { restarted: true }, { next: 'list', remember: false }],
    ['closed late without an event', closed, { ...unopened, lastedMs: 1000 }, {}, { next: 'restart' }],
    ['closed at once', closed, unopened, {}, { next: 'list', remember: false }],
    ['unopened', { type: 'unopened' }, unopened, {}, { next: 'list', remember: false }],
    ['unmarked', unmarked, busy, {}, { next: 'list', remember: true, why: 'no marker' }],
    ['connection refused', failed(connectionError('ECONNREFUSED')), unopened, {}, { next: 'later' }],
    ['connection broken half-way', reset, busy, {}, { next: 'restart' }],
    ['connection broken half-way again', reset, busy, { restarted: true }, { next: 'list', remember: false }],
    ['busy', failed(statusError(429, 'TooManyRequests', '')), unopened, {}, { next: 'later' }],
    ['expired', expired, busy, {}, { next: 'mostRecent' }],
    ['expired without a version', expired, busy, { resourceVersion: '' }, { next: 'list', remember: false }],
    ['too large', tooLarge, busy, {}, { next: 'mostRecent' }],
    ['too large without a version', tooLarge, busy, { resourceVersion: '' }, { next: 'list', remember: false }],
    ['invalid', failed(statusError(422, 'Invalid', '')), unopened, {}, { next: 'list', remember: true }],
    ['forbidden', failed(statusError(403, 'Forbidden', '')), unopened, {}, { next: 'list', remember: false }],
    ['internal error', failed(statusError(500, 'InternalError', '')), busy, {}, { next: 'list', remember: false }],
    ['undecodable', failed(new SyntaxError()), busy, {}, { next: 'list', remember: false, code: 'ERR_DECODE' }],
    ['unauthorized', failed(statusError(401, 'Unauthorized', '')), unopened, {}, { next: 'later', code: 'ERR_AUTH' }],
    ['not served', failed(statusError(404, 'NotFound', '')), unopened, {}, { next: 'later', code: 'ERR_NOT_SERVED' }],
  ])('%s (WL-06, WL-09)', (_, end, facts, more, expected) => {
    expect(afterWatchListEnd(end, facts, { ...context, ...more })).toMatchObject({ code: 'ERR_WATCH_LIST', ...expected });
  });

  it('never lists where the list must be streamed', () => {
    const mustStream = { ...context, mustStream: true };
    expect(afterWatchListEnd(unmarked, busy, mustStream)).toMatchObject({ next: 'later', remember: false });
    expect(afterWatchListEnd(failed(statusError(422, 'Invalid', '')), unopened, mustStream)).toMatchObject({
      next: 'later',
      remember: false,
    });
    expect(afterWatchListEnd(closed, busy, mustStream)).toMatchObject({ next: 'restart' });
  });
});
