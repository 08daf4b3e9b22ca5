import { describe, expect, it } from '@jest/globals';
import { lists } from '../../../src/source/reflector/lists.js';
import type { Memory, RelistVersion } from '../../../src/source/reflector/state.js';
import type { ReflectOptions } from '../../../src/source/reflector/reflectOptions.js';
import { contextOf, memoryOf, begin, listingOf, stepped } from './stepping.js';
import { ApiError, apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
import { connectionError, expiredStatus, statusError, tooLargeResourceVersionStatus } from '../../../src/testing/fakes/serverErrors.js';
import { podOf } from '../../../src/testing/suites/sourceConformanceCase.js';

const first: Partial<Memory> = { version: '' };

describe('lists', () => {
  it.each<[string, Partial<Memory>, ReflectOptions, object, number | undefined, boolean]>([
    ['by default', {}, {}, {}, undefined, true],
    ['where the source can', {}, {}, { watchList: true }, undefined, true],
    ['where the source cannot (LW-07)', {}, {}, { watchList: false }, undefined, false],
    ['where the server has refused', {}, {}, {}, 1001, false],
    ['where the server has refused long ago', {}, {}, {}, 1000, true],
    ['when told not to', {}, { listStrategy: 'list' }, {}, undefined, false],
    ['when told to, whatever the server says', {}, { listStrategy: 'watchList' }, {}, 1001, true],
    ['at exactly a version', first, { listSemantics: { exact: '5' } }, {}, undefined, false],
    ['after the list at exactly a version', {}, { listSemantics: { exact: '5' } }, {}, undefined, true],
    [
      'a consistent list in place of one at exactly a version',
      { ...first, consistent: true },
      { listSemantics: { exact: '5' } },
      {},
      undefined,
      true,
    ],
    ['at least at a version', first, { listSemantics: { notOlderThan: '5' } }, {}, undefined, true],
  ])('are streamed %s (WL-01)', (_, memory, options, source, refusedUntil, expected) => {
    const refusals = new Map(refusedUntil === undefined ? [] : [['pods', refusedUntil]]);
    expect(lists.streams(memoryOf(memory), { ...contextOf(options, source), refusals }, 1000)).toBe(expected);
  });

  it.each<[string, Partial<Memory>, ReflectOptions['listSemantics'], string]>([
    ['the most recent state first (WL-02)', first, 'any', ''],
    ['the last version later (WL-02)', {}, 'any', '10'],
    ['the most recent state when the version has expired (WL-08)', { versionUnavailable: true }, 'any', ''],
    ['the most recent state for a consistent list', { consistent: true }, 'any', ''],
    ['the most recent state where told so', {}, 'mostRecent', ''],
    ['a version where told so', first, { notOlderThan: '5' }, '5'],
    ['the last version after that', {}, { notOlderThan: '5' }, '10'],
  ])('ask for %s when they are streamed', (_, memory, listSemantics, expected) => {
    expect(lists.streamedVersion(memoryOf(memory), contextOf({ listSemantics }))).toBe(expected);
  });

  it.each<[string, Partial<Memory>, ReflectOptions['listSemantics'], RelistVersion]>([
    ['any version first (RL-01)', first, 'any', { resourceVersion: '0' }],
    ['the last version later (RL-02, RL-03)', {}, 'any', { resourceVersion: '10' }],
    ['the most recent state when the version has expired (RL-07)', { versionUnavailable: true }, 'any', { resourceVersion: '' }],
    ['the most recent state for a consistent list', { consistent: true }, 'any', { resourceVersion: '' }],
    ['the most recent state where told so', {}, 'mostRecent', { resourceVersion: '' }],
    ['at least a version', first, { notOlderThan: '5' }, { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' }],
    ['at least the last version after that', {}, { notOlderThan: '5' }, { resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' }],
    ['exactly a version', first, { exact: '5' }, { resourceVersion: '5', resourceVersionMatch: 'Exact' }],
    ['the last version after that', {}, { exact: '5' }, { resourceVersion: '10' }],
    [
      'the most recent state when exactly that has expired',
      { ...first, versionUnavailable: true },
      { exact: '5' },
      { resourceVersion: '' },
    ],
  ])('ask for %s when they come in pages', (_, memory, listSemantics, expected) => {
    expect(lists.pagedVersion(memoryOf(memory), contextOf({ listSemantics }))).toEqual(expected);
  });

  const notOlder = { resourceVersion: '10', resourceVersionMatch: 'NotOlderThan' } as const;
  const known = { resourceVersion: '10' };
  it.each<[string, Partial<Memory>, ReflectOptions, RelistVersion, number]>([
    ['500 at version 0 (PG-01, RL-04)', first, {}, { resourceVersion: '0' }, 500],
    ['500 of the most recent state (RL-04)', { versionUnavailable: true }, {}, { resourceVersion: '' }, 500],
    ['everything at the last version (RL-02, RL-04)', {}, {}, known, 0],
    ['500 at the last version, or a newer one, without a watch cache (RL-04, RL-05)', { paginated: true }, {}, notOlder, 500],
    ['500 where the match is spelled out', {}, { listSemantics: { notOlderThan: '5' } }, notOlder, 500],
    ["the caller's own number always, at the last version or a newer one (RL-04)", {}, { pageSize: 7 }, notOlder, 7],
    ['no version older than that after exactly a version', {}, { listSemantics: { exact: '5' }, pageSize: 7 }, notOlder, 7],
    [
      'exactly a version where told so',
      first,
      { listSemantics: { exact: '5' }, pageSize: 7 },
      { resourceVersion: '5', resourceVersionMatch: 'Exact' },
      7,
    ],
    ['everything where the caller says 0 (PG-02)', { paginated: true }, { pageSize: 0 }, known, 0],
  ])('have in a page %s', (_, memory, options, asked, limit) => {
    expect(lists.asked(memoryOf(memory), contextOf(options))).toEqual({ asked, limit });
  });
});

const expired = apiErrorOfStatus(expiredStatus('1', '2'));
const tooLarge = apiErrorOfStatus(tooLargeResourceVersionStatus('9', '8'));
const mostRecent = ['listing ERR_LIST', 'init expired 10', 'LIST most recent'];
const later = (code = 'ERR_LIST', ms = 800): string[] => ['leave', `retrying ${code} #1 in ${ms}`];

describe('listing', () => {
  it.each<[string, unknown, string[]]>([
    ['10', expired, mostRecent],
    ['0', expired, mostRecent],
    ['10', tooLarge, mostRecent],
    ['10', statusError(500, '', 'etcdserver: mvcc: required revision is a future revision'), mostRecent],
    ['', expired, later()],
    // After the wait that the server asks for.
    ['', tooLarge, ['leave', 'retrying ERR_LIST #1 in 1000']],
    ['10', statusError(401, 'Unauthorized', ''), later('ERR_AUTH')],
    ['10', Object.assign(new Error(), { code: 'ERR_CREDENTIALS' }), later('ERR_AUTH')],
    ['10', statusError(404, 'NotFound', ''), later('ERR_NOT_SERVED')],
    ['10', new SyntaxError(), later('ERR_DECODE')],
    ['10', connectionError('ECONNREFUSED'), later('ERR_LIST', 400)],
  ])('at version %j, after %s: %j (RL-07)', (resourceVersion, error, done) => {
    expect(stepped(listingOf({ asked: { resourceVersion } }), { type: 'listFailed', error }).done).toEqual(done);
  });

  it('is made again after the usual wait where the one that was asked for is no number', () => {
    const error = new ApiError({ code: 503, message: 'busy', retryAfterMs: Number('Wed, 21 Oct 2026 07:28:00 GMT') * 1000 });
    expect(stepped(listingOf(), { type: 'listFailed', error }).done).toEqual(later());
  });

  it('is made again after a failure, and counts those for want of a connection', () => {
    const after = (error: unknown): unknown => stepped(listingOf(), { type: 'listFailed', error }).state;
    const next = { type: 'list', reason: 'error' };
    expect(after(connectionError('ECONNREFUSED'))).toMatchObject({ next, memory: { failures: 1, connectionFailures: 1 } });
    expect(after(statusError(403, 'Forbidden', ''))).toMatchObject({ next, memory: { failures: 1, connectionFailures: 0 } });
  });

  it('waits as usual after a connection that broke in the middle: the list may be large', () => {
    const begun = stepped(listingOf(), { type: 'items', items: [podOf('a', '1')] }).state;
    expect(stepped(begun, { type: 'listFailed', error: connectionError('ECONNRESET') }).done).toEqual(later());
  });

  it('repeats a list without its version in the pages that it had (RL-08)', () => {
    expect(stepped(listingOf({ limit: 7 }), { type: 'listFailed', error: expired }).done.at(-1)).toBe('LIST most recent limit=7');
  });

  it('passes pages on, and begins anew where the first one has expired (RL-11, PG-05)', () => {
    expect(stepped(listingOf(), { type: 'items', items: [podOf('a', '1'), podOf('b', '2')] }).done).toEqual(['page a@1 b@2']);
    const again = stepped(listingOf(), { type: 'restart', error: expired });
    expect(again.done).toEqual(['listing ERR_LIST', 'init expired 10']);
    expect(again.state).toEqual(listingOf());
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
    expect(state.memory).toMatchObject({ failures: 3, paginated: true, relistAt: begin + 5 });
  });

  it('remembers for one list a server without a watch cache, which answers a version in pages (RL-05)', () => {
    const paginatedAfter = (resourceVersion: string, paginated: boolean): boolean =>
      stepped(listingOf({ asked: { resourceVersion }, memory: memoryOf({ paginated: true }) }), {
        type: 'end',
        resourceVersion: '12',
        paginated,
      }).state.memory.paginated;
    expect([paginatedAfter('0', true), paginatedAfter('10', true)]).toEqual([true, true]);
    expect([paginatedAfter('0', false), paginatedAfter('10', false), paginatedAfter('', true)]).toEqual([false, false, false]);
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
