import { apiErrorOfStatus, type Status } from '../../../api/errors/apiError.js';
import { connectionError, expiredStatus, failureStatus, tooLargeResourceVersionStatus } from '../../fakes/serverErrors.js';
import {
  errorEventOf,
  listOf,
  podOf,
  scripted,
  type SourceConformanceCase,
  type SourceScript,
  watchEventOf,
} from '../sourceConformanceCase.js';
import { a, expiring, list, listing } from './sourceScripts.js';

const b = podOf('b', '2');
const c = podOf('c', '3');

const expired = ['0 WATCH 10, watching', '1 retrying ERR_WATCH_EXPIRED #1 until 801', '801 listing, init expired 10'];

const gone: Status = failureStatus(410, 'Gone', 'gone');
const tooLarge: Status = tooLargeResourceVersionStatus('10', '7');
const timeout = connectionError('ETIMEDOUT');

const complete: readonly SourceScript[] = [
  listing(
    'lists nothing as an init and a ready (RL-01)',
    [['-(l|)', { l: listOf('10', []) }]],
    ['0 listing, init first, LIST 0 limit=500', '1 ready 10, WATCH 10', '2 watching'],
    { watches: [['-o']] },
  ),
  listing(
    'passes on the parts of an answer as they arrive (RL-11)',
    [['a-b-(c|)', { a: { items: [a] }, b: { items: [b] }, c: listOf('10', [c]) }]],
    ['0 listing, init first, LIST 0 limit=500, page a@1', '2 page b@2', '4 page c@3, ready 10, WATCH 10'],
  ),
  listing(
    'takes what a list brings, whatever kind it says it is (RL-12)',
    [['(l|)', { l: listOf('10', [a, { ...podOf('s', '2'), kind: 'Service' }]) }]],
    ['0 listing, init first, LIST 0 limit=500, page a@1 s@2, ready 10, WATCH 10'],
    { source: { expected: { apiVersion: 'v1', kind: 'Pod' } } },
  ),
  listing(
    "follows continue tokens without the version, which is the first page's (PG-04)",
    [
      ['-(l|)', { l: listOf('10', [a], 'token1') }],
      ['-(l|)', { l: listOf('11', [b], 'token2') }],
      ['-(l|)', { l: listOf('12', [c]) }],
    ],
    [
      '0 listing, init first, LIST 0 limit=500',
      '1 page a@1, LIST limit=500 continue=token1',
      '2 page b@2, LIST limit=500 continue=token2',
      '3 page c@3, ready 10, WATCH 10',
    ],
  ),
  listing(
    'lists again at the last version seen, without a limit (RL-02, RW-10)',
    [list, ['(l|)', { l: listOf('14', [a, b]) }]],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching',
      '1 added b@12',
      '2 retrying ERR_WATCH_EXPIRED #1 until 802',
      '802 listing, init expired 12, LIST 12, page a@1 b@2, ready 14, WATCH 14, watching',
    ],
    { watches: [['oae', { a: watchEventOf('ADDED', podOf('b', '12')), e: errorEventOf(expiredStatus('12', '13')) }], ['o']] },
  ),
  listing(
    'keeps asking for pages where the server has shown that it has no watch cache (RL-04, RL-05)',
    [
      ['(l|)', { l: listOf('10', [a], 'more') }],
      ['(l|)', { l: listOf('10', [b]) }],
      ['(l|)', { l: listOf('12', [a]) }],
    ],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1, LIST limit=500 continue=more, page b@2, ready 10',
      ...expired,
      '801 LIST 10 NotOlderThan limit=500, page a@1, ready 12, WATCH 12, watching',
    ],
    { watches: [expiring, ['o']] },
  ),
  listing(
    'abandons a half-received list by a new init (PG-05)',
    [
      ['(l|)', { l: listOf('10', [a, b], 'more') }],
      ['#', {}, apiErrorOfStatus(expiredStatus('10', '20'))],
      ['(l|)', { l: listOf('21', [b, c]) }],
    ],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1 b@2, LIST limit=500 continue=more, listing ERR_LIST',
      '0 init first, LIST 0, page b@2 c@3, ready 21, WATCH 21',
    ],
  ),
];

const versionFailures: readonly SourceScript[] = [
  ...(
    [
      ['expired (RL-07, RL-10)', expiredStatus('10', '20')],
      ['gone (RL-07, RL-10)', gone],
      ['too new (RL-07, RL-09)', tooLarge],
    ] as const
  ).map(([what, status]): SourceScript =>
    listing(
      `lists at once without a version when the version is ${what}`,
      [list, ['#', {}, apiErrorOfStatus(status)], ['(l|)', { l: listOf('30', [b]) }]],
      [
        '0 listing, init first, LIST 0 limit=500, page a@1, ready 10',
        ...expired,
        '801 LIST 10, listing ERR_LIST, init expired 10, LIST, page b@2, ready 30, WATCH 30, watching',
      ],
      { watches: [expiring, ['o']] },
    ),
  ),
  listing(
    'goes on without a version until a list succeeds (RL-07, RL-08)',
    [list, ['#', {}, apiErrorOfStatus(gone)], ['#', {}, timeout], ['(l|)', { l: listOf('30', [b]) }], ['(l|)', { l: listOf('31', [b]) }]],
    [
      '0 listing, init first, LIST 0 limit=500, page a@1, ready 10',
      ...expired,
      '801 LIST 10, listing ERR_LIST, init expired 10, LIST, retrying ERR_LIST #2 until 1201',
      '1201 listing, init error 10, LIST limit=500, page b@2, ready 30, WATCH 30, watching',
      // The earlier connection failure does not count any more: the server has answered since.
      '1202 retrying ERR_WATCH_EXPIRED #2 until 2802',
      '2802 listing, init expired 30, LIST 30, page b@2, ready 31, WATCH 31, watching',
    ],
    { watches: [expiring, expiring, ['o']], untilMs: 9000 },
  ),
];

/** The required behaviour of sources for lists, and for versions that cannot be listed. @internal */
export const sourceListCases: readonly SourceConformanceCase[] = [...complete, ...versionFailures].map(scripted);
