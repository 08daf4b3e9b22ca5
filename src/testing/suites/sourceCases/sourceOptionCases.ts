import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { initialEventsEndAnnotation } from '../../../api/listerWatcher.js';
import { connectionError, expiredStatus, statusError } from '../../fakes/serverErrors.js';
import {
  bookmarkOf,
  errorEventOf,
  listOf,
  podOf,
  scripted,
  type SourceConformanceCase,
  type SourceScript,
} from '../sourceConformanceCase.js';

const a = podOf('a', '1');
const b = podOf('b', '2');
const list = ['(l|)', { l: listOf('10', [a]) }] as const;
const expiring = ['oe', { e: errorEventOf(expiredStatus('10', '11')) }] as const;

function semantics(
  name: string,
  listSemantics: NonNullable<SourceScript['options']>['listSemantics'],
  requests: readonly [first: string, second: string],
  more: readonly string[] = [],
): SourceScript {
  return {
    name,
    options: { listStrategy: 'list', listSemantics },
    lists: [list, list],
    watches: [expiring, ['o']],
    untilMs: 900,
    log: [
      `0 listing, init first, ${requests[0]}, page a@1`,
      ...more,
      '0 ready 10, WATCH 10, watching',
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      `801 listing, init expired 10, ${requests[1]}, page a@1, ready 10, WATCH 10, watching`,
    ],
  };
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
  {
    name: 'survives an expired token of a list that is at least at a version',
    options: { listStrategy: 'list', listSemantics: { notOlderThan: '5' }, pageSize: 1 },
    lists: [
      ['(l|)', { l: listOf('7', [a], 'more') }],
      ['#', {}, apiErrorOfStatus(expiredStatus('7', '20'))],
      ['(l|)', { l: listOf('21', [b]) }],
    ],
    untilMs: 100,
    log: [
      '0 listing, init first, LIST 5 NotOlderThan limit=1, page a@1, LIST limit=1 continue=more, listing ERR_LIST',
      '0 init first, LIST 5 NotOlderThan, page b@2, ready 21, WATCH 21',
    ],
  },
  {
    name: 'streams every list but the one at exactly a version',
    options: { listSemantics: { exact: '10' } },
    lists: [list],
    watches: [expiring, ['oM', { M: bookmarkOf('20', { [initialEventsEndAnnotation]: 'true' }) }]],
    untilMs: 900,
    log: [
      '0 listing, init first, LIST 10 Exact limit=500, page a@1, ready 10, WATCH 10, watching',
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      '801 listing, init expired 10, WATCHLIST 10',
      '802 ready 20, watching',
    ],
  },
  {
    name: 'streams a list that is at least at a version',
    options: { listSemantics: { notOlderThan: '5' } },
    watches: [['oM', { M: bookmarkOf('10', { [initialEventsEndAnnotation]: 'true' }) }]],
    untilMs: 100,
    log: ['0 listing, init first, WATCHLIST 5', '1 ready 10, watching'],
  },
];

const others: readonly SourceScript[] = [
  {
    name: "lists without a limit when the page size is 0, and with a caller's own one always (PG-02, RL-04)",
    options: { listStrategy: 'list', pageSize: 0 },
    lists: [list],
    untilMs: 100,
    log: ['0 listing, init first, LIST 0, page a@1, ready 10, WATCH 10'],
  },
  {
    name: 'lists again, consistently, after each period, also where it waits to watch again',
    options: { listStrategy: 'list', relistPeriodMs: 10_000 },
    lists: [list, list, list],
    watches: [['o'], ['o 9500ms #', {}, statusError(429, 'TooManyRequests', 'busy')], ['o']],
    untilMs: 20_500,
    log: [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching',
      '10000 LIST limit=500, init period 10, page a@1, ready 10, WATCH 10',
      '19501 retrying ERR_WATCH #1 until 20301',
      '20301 listing, init period 10, LIST limit=500, page a@1, ready 10, WATCH 10, watching',
    ],
  },
  {
    name: 'lists at the last version again after a consistent list',
    options: { listStrategy: 'list', relistPeriodMs: 10_000 },
    lists: [list, list, list],
    watches: [['o'], expiring, ['o']],
    untilMs: 11_000,
    log: [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching',
      '10000 LIST limit=500, init period 10, page a@1, ready 10, WATCH 10',
      '10001 retrying ERR_WATCH_EXPIRED #1 until 10801',
      '10801 listing, init expired 10, LIST 10, page a@1, ready 10, WATCH 10, watching',
    ],
  },
  {
    name: 'tells its scope in every event',
    options: { listStrategy: 'list' },
    source: { scope: 'web' },
    lists: [list],
    watches: [['ob#', { b: bookmarkOf('11') }, connectionError('ECONNRESET')]],
    untilMs: 100,
    log: [
      '0 [web] listing, [web] init first, LIST 0 limit=500, [web] page a@1, [web] ready 10, WATCH 10, [web] watching',
      '1 [web] bookmark 11',
      '2 [web] retrying ERR_WATCH until 2, WATCH 11',
    ],
  },
  {
    name: 'ends with the error where `onError` says stop, after telling it',
    options: { listStrategy: 'list', onError: (error) => (error.code === 'ERR_AUTH' ? 'stop' : 'retry') },
    lists: [
      ['#', {}, statusError(403, 'Forbidden', 'no')],
      ['#', {}, statusError(401, 'Unauthorized', 'no')],
    ],
    log: [
      '0 listing, init first, LIST 0 limit=500, retrying ERR_LIST #1 until 800',
      '800 listing, init first, LIST 0 limit=500, retrying ERR_AUTH #2 until 2400, error ERR_AUTH',
    ],
  },
];

/** The required effects of a source's options. @internal */
export const sourceOptionCases: readonly SourceConformanceCase[] = [...freshness, ...others].map(scripted);
