import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { connectionError, expiredStatus, failureStatus, statusError, tooLargeResourceVersionStatus } from '../../fakes/serverErrors.js';
import { errorEventOf, podOf, scripted, type SourceConformanceCase, type SourceScript, watchEventOf } from '../sourceConformanceCase.js';
import { addedPod, begun, invalid, list, listedAt, marker, streaming } from './sourceScripts.js';

const streamed: readonly SourceScript[] = [
  streaming(
    'streams a list up to its marker, and goes on with the same watch (WL-02, WL-04)',
    [['oabMc', { a: addedPod('a', '1'), b: addedPod('b', '2'), M: marker('10'), c: addedPod('c', '11') }]],
    [begun, '1 added a@1', '2 added b@2', '3 ready 10, watching', '4 added c@11'],
  ),
  streaming(
    'takes changes and deletions while a list streams (WL-03)',
    [
      [
        'oamdM',
        {
          a: addedPod('a', '1'),
          m: watchEventOf('MODIFIED', podOf('a', '8')),
          d: watchEventOf('DELETED', podOf('a', '9')),
          M: marker('10'),
        },
      ],
    ],
    [begun, '1 added a@1', '2 modified a@8', '3 deleted a@9', '4 ready 10, watching'],
  ),
  streaming(
    'asks the next streamed list to be at least as new as the last event (WL-02)',
    [
      ['oMae', { M: marker('10'), a: addedPod('a', '11'), e: errorEventOf(expiredStatus('11', '20')) }],
      ['oM', { M: marker('30') }],
    ],
    [
      begun,
      '1 ready 10, watching',
      '2 added a@11',
      '3 retrying ERR_WATCH_EXPIRED #1 until 803',
      '803 listing, init expired 11, WATCHLIST 11',
      '804 ready 30, watching',
    ],
  ),
  streaming(
    'watches on from the marker when the stream ends after it (WL-04)',
    [['oM 5s |', { M: marker('10') }], ['o']],
    [begun, '1 ready 10, watching', '5002 WATCH 10, LIST limit=1'],
    { untilMs: 6000 },
  ),
  streaming(
    'ends without a word when it is left before the marker (WL-11)',
    [['oab 5s M', { a: addedPod('a', '1'), b: addedPod('b', '2'), M: marker('10') }]],
    [begun, '1 added a@1', '2 added b@2'],
    { untilMs: 1000 },
  ),
  streaming(
    'does not stream lists from a source that cannot (LW-07)',
    [['o']],
    ['0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching'],
    { source: { watchList: false }, lists: [list] },
  ),
];

const repetitions: readonly SourceScript[] = [
  streaming(
    'streams again at once when a stream closes half-way, and keeps nothing of it (WL-06)',
    [
      ['oab|', { a: addedPod('a', '1'), b: addedPod('b', '2') }],
      ['obM', { b: addedPod('b', '2'), M: marker('10') }],
    ],
    [begun, '1 added a@1', '2 added b@2', '3 listing ERR_WATCH_LIST, init first, WATCHLIST', '4 added b@2', '5 ready 10, watching'],
  ),
  streaming(
    'lists when a stream closes half-way for the second time',
    [['oa|', { a: addedPod('a', '1') }], ['oa#', { a: addedPod('a', '1') }, connectionError('ECONNRESET')], ['o']],
    [begun, '1 added a@1', '2 listing ERR_WATCH_LIST, init first, WATCHLIST', '3 added a@1', listedAt(4)],
    { lists: [list] },
  ),
  streaming(
    'streams later when the server is busy or refuses the connection (WL-07)',
    [
      ['#', {}, statusError(429, 'TooManyRequests', 'busy', 5000)],
      ['#', {}, connectionError('ECONNREFUSED')],
      ['oM', { M: marker('10') }],
    ],
    [
      begun,
      '0 retrying ERR_WATCH_LIST #1 until 5000',
      '5000 listing, init first, WATCHLIST, retrying ERR_WATCH_LIST #2 until 5400',
      '5400 listing, init first, WATCHLIST',
      '5401 ready 10, watching',
    ],
  ),
  streaming(
    'streams later when the credentials are refused or the kind is not served',
    [
      ['#', {}, statusError(401, 'Unauthorized', 'no')],
      ['#', {}, statusError(404, 'NotFound', 'no')],
      ['oM', { M: marker('10') }],
    ],
    [
      begun,
      '0 retrying ERR_AUTH #1 until 800',
      '800 listing, init first, WATCHLIST, retrying ERR_NOT_SERVED #2 until 2400',
      '2400 listing, init first, WATCHLIST',
      '2401 ready 10, watching',
    ],
  ),
  streaming(
    'streams again at once, without a version, when the version is too new or has expired (WL-08)',
    [
      ['oMe', { M: marker('10'), e: errorEventOf(expiredStatus('10', '11')) }],
      ['oe', { e: errorEventOf(tooLargeResourceVersionStatus('10', '5')) }],
      ['oMe', { M: marker('5'), e: errorEventOf(failureStatus(410, 'Gone', 'gone')) }],
      ['#', {}, apiErrorOfStatus(expiredStatus('5', '6'))],
      ['oM', { M: marker('7') }],
    ],
    [
      begun,
      '1 ready 10, watching',
      '2 retrying ERR_WATCH_EXPIRED #1 until 802',
      '802 listing, init expired 10, WATCHLIST 10',
      '803 listing ERR_WATCH_LIST, init expired 10, WATCHLIST',
      '804 ready 5, watching',
      '805 retrying ERR_WATCH_EXPIRED #2 until 2405',
      '2405 listing, init expired 5, WATCHLIST 5, listing ERR_WATCH_LIST, init expired 5, WATCHLIST',
      '2406 ready 7, watching',
    ],
  ),
  streaming(
    'streams lists and nothing else when told so',
    [
      ['#', {}, invalid],
      ['oM', { M: marker('10') }],
    ],
    [begun, '0 retrying ERR_WATCH_LIST #1 until 800', '800 listing, init first, WATCHLIST', '801 ready 10, watching'],
    { options: { listStrategy: 'watchList' } },
  ),
];

/** The required behaviour of sources for streamed lists. @internal */
export const sourceWatchListCases: readonly SourceConformanceCase[] = [...streamed, ...repetitions].map(scripted);
