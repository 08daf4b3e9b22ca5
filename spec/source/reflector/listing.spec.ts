import { describe, expect, it } from '@jest/globals';
import { apiErrorOfStatus } from '../../../src/api/errors/apiErrorOfStatus.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';
import { podOf } from '../../../src/testing/suites/sourceConformanceCase.js';
import { begin, listingOf, memoryOf, stepped } from './stepping.js';

const expired = apiErrorOfStatus(expiredStatus('1', '2'));
const tooLarge = apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8'));
const mostRecent = ['listing ERR_LIST', 'init expired 10', 'LIST most recent'];
const later = (code = 'ERR_LIST'): string[] => ['leave', `retrying ${code} #1 in 800`];

describe('listing', () => {
  it.each<[string, unknown, string[]]>([
    ['10', expired, mostRecent],
    ['0', expired, mostRecent],
    ['10', tooLarge, mostRecent],
    ['', expired, later()],
    // With the wait that it asks for.
    ['', tooLarge, ['leave', 'retrying ERR_LIST #1 in 1000']],
    ['10', statusError(401, 'Unauthorized', ''), later('ERR_AUTH')],
    ['10', Object.assign(new Error(), { code: 'ERR_CREDENTIALS' }), later('ERR_AUTH')],
    ['10', statusError(404, 'NotFound', ''), later('ERR_NOT_SERVED')],
    ['10', new SyntaxError(), later('ERR_DECODE')],
    ['10', connectionError('ECONNREFUSED'), later()],
  ])('at version %j, after %s: %j (RL-07)', (resourceVersion, error, done) => {
    expect(stepped(listingOf({ asked: { resourceVersion } }), { type: 'listFailed', error }).done).toEqual(done);
  });

  it('repeats a list without its version in the pages that it had (RL-08)', () => {
    expect(stepped(listingOf({ limit: 7 }), { type: 'listFailed', error: expired }).done.at(-1)).toBe('LIST most recent limit=7');
  });

  it('passes pages on, and begins anew where the first one has expired (RL-11, PG-05)', () => {
    expect(stepped(listingOf(), { type: 'items', items: [podOf('a', '1'), podOf('b', '2')] }).done).toEqual(['page a@1 b@2']);
    expect(stepped(listingOf(), { type: 'restart', error: expired }).done).toEqual(['listing ERR_LIST', 'init expired 10']);
  });

  it('watches from the version of the list when it is complete', () => {
    const memory = memoryOf({ versionUnavailable: true, consistent: true, doubtedAt: '10', failures: 3 });
    const { state, done } = stepped(
      listingOf({ memory }),
      { type: 'end', resourceVersion: '12', paginated: true },
      { options: { relistPeriodMs: 5 } },
    );
    expect(done).toEqual(['ready 12', 'WATCH 12']);
    expect(state).toMatchObject({ type: 'watching', look: undefined, dueAt: begin + 75_000 });
    expect(state.memory).toMatchObject({ version: '12', versionUnavailable: false, consistent: false, doubtedAt: undefined });
    expect(state.memory).toMatchObject({ failures: 3, paginated: false, relistAt: begin + 5 });
  });

  it('remembers a server without a watch cache: a list at version 0 that came in pages (RL-05)', () => {
    const paginatedAt = (resourceVersion: string, paginated: boolean): boolean =>
      stepped(listingOf({ asked: { resourceVersion } }), { type: 'end', resourceVersion: '12', paginated }).state.memory.paginated;
    expect([paginatedAt('0', true), paginatedAt('0', false), paginatedAt('10', true)]).toEqual([true, false, false]);
  });

  it('reports and uses a list at another version than exactly asked for', () => {
    const asked = { resourceVersion: '9', resourceVersionMatch: 'Exact' } as const;
    expect(stepped(listingOf({ asked }), { type: 'end', resourceVersion: '12', paginated: false }).done).toEqual([
      'listing ERR_LIST',
      'ready 12',
      'WATCH 12',
    ]);
    expect(stepped(listingOf({ asked }), { type: 'end', resourceVersion: '9', paginated: false }).done).toEqual(['ready 9', 'WATCH 9']);
  });
});
