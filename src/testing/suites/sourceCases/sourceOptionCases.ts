import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { connectionError, expiredStatus, statusError } from '../../fakes/serverErrors.js';
import { bookmarkOf, listOf, podOf, scripted, type SourceConformanceCase, type SourceScript } from '../sourceConformanceCase.js';
import { a, expiring, list, listing, marker, streaming } from './sourceScripts.js';

const b = podOf('b', '2');

function semantics(
  name: string,
  listSemantics: NonNullable<SourceScript['options']>['listSemantics'],
  requests: readonly [first: string, second: string],
  more: readonly string[] = [],
): SourceScript {
  return listing(
    name,
    [list, list],
    [
      `0 listing, init first, ${requests[0]}, page a@1`,
      ...more,
      '0 ready 10, WATCH 10, watching',
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      `801 listing, init expired 10, ${requests[1]}, page a@1, ready 10, WATCH 10, watching`,
    ],
    { options: { listSemantics }, watches: [expiring, ['o']] },
  );
}

const freshness: readonly SourceScript[] = [
  semantics('lists consistently when told so', 'mostRecent', ['LIST limit=500', 'LIST limit=500']),
  semantics('lists at least at a version, in pages', { notOlderThan: '5' }, [
    'LIST 5 NotOlderThan limit=500',
    'LIST 10 NotOlderThan limit=500',
  ]),
  semantics('lists at exactly a version, once', { exact: '10' }, ['LIST 10 Exact limit=500', 'LIST 10']),
  semantics(
    'reports and uses a list at another version than exactly asked for',
    { exact: '9' },
    ['LIST 9 Exact limit=500', 'LIST 10'],
    ['0 listing ERR_LIST'],
  ),
  listing(
    'survives an expired token of a list that is at least at a version',
    [
      ['(l|)', { l: listOf('7', [a], 'more') }],
      ['#', {}, apiErrorOfStatus(expiredStatus('7', '20'))],
      ['(l|)', { l: listOf('21', [b]) }],
    ],
    [
      '0 listing, init first, LIST 5 NotOlderThan limit=1, page a@1, LIST limit=1 continue=more, listing ERR_LIST',
      '0 init first, LIST 5 NotOlderThan, page b@2, ready 21, WATCH 21',
    ],
    { options: { listSemantics: { notOlderThan: '5' }, pageSize: 1 } },
  ),
  streaming(
    'streams every list but the one at exactly a version',
    [expiring, ['oM', { M: marker('20') }]],
    [
      '0 listing, init first, LIST 10 Exact limit=500, page a@1, ready 10, WATCH 10, watching',
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      '801 listing, init expired 10, WATCHLIST 10',
      '802 ready 20, watching',
    ],
    { options: { listSemantics: { exact: '10' } }, lists: [list] },
  ),
  streaming(
    'streams a list that is at least at a version',
    [['oM', { M: marker('10') }]],
    ['0 listing, init first, WATCHLIST 5', '1 ready 10, watching'],
    { options: { listSemantics: { notOlderThan: '5' } } },
  ),
];

const others: readonly SourceScript[] = [
  listing(
    "lists without a limit when the page size is 0, and with a caller's own one always (PG-02, RL-04)",
    [list],
    ['0 listing, init first, LIST 0, page a@1, ready 10, WATCH 10'],
    { options: { pageSize: 0 } },
  ),
  listing(
    'lists again, consistently, after each period, also where it waits to watch again',
    [list, list, list],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching',
      '10000 LIST limit=500, init period 10, page a@1, ready 10, WATCH 10',
      '19501 retrying ERR_WATCH #1 until 20301',
      '20301 listing, init period 10, LIST limit=500, page a@1, ready 10, WATCH 10, watching',
    ],
    {
      options: { relistPeriodMs: 10_000 },
      watches: [['o'], ['o 9500ms #', {}, statusError(429, 'TooManyRequests', 'busy')], ['o']],
      untilMs: 20_500,
    },
  ),
  listing(
    'lists at the last version again after a consistent list',
    [list, list, list],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching',
      '10000 LIST limit=500, init period 10, page a@1, ready 10, WATCH 10',
      '10001 retrying ERR_WATCH_EXPIRED #1 until 10801',
      '10801 listing, init expired 10, LIST 10, page a@1, ready 10, WATCH 10, watching',
    ],
    { options: { relistPeriodMs: 10_000 }, watches: [['o'], expiring, ['o']], untilMs: 11_000 },
  ),
  listing(
    'tells its scope in every event',
    [list],
    [
      '0 [web] listing, [web] init first, LIST 0 limit=500, [web] page a@1, [web] ready 10, WATCH 10, [web] watching',
      '1 [web] bookmark 11',
      '2 [web] retrying ERR_WATCH until 2, WATCH 11',
    ],
    { source: { scope: 'web' }, watches: [['ob#', { b: bookmarkOf('11') }, connectionError('ECONNRESET')]] },
  ),
  listing(
    'ends with the error where `onError` says stop, after telling it',
    [
      ['#', {}, statusError(403, 'Forbidden', 'no')],
      ['#', {}, statusError(401, 'Unauthorized', 'no')],
    ],
    [
      '0 listing, init first, LIST 0 limit=500, retrying ERR_LIST #1 until 800',
      '800 listing, init first, LIST 0 limit=500, retrying ERR_AUTH #2 until 2400, error ERR_AUTH',
    ],
    { options: { onError: (error) => (error.code === 'ERR_AUTH' ? 'stop' : 'retry') }, untilMs: undefined },
  ),
];

/** The required effects of a source's options. @internal */
export const sourceOptionCases: readonly SourceConformanceCase[] = [...freshness, ...others].map(scripted);
