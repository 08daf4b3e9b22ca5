import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { expiredStatus, statusError } from '../../fakes/serverErrors.js';
import {
  bookmarkOf,
  errorEventOf,
  listOf,
  podOf,
  scripted,
  type SourceConformanceCase,
  type SourceScript,
  watchEventOf,
} from '../sourceConformanceCase.js';
import { added, begun, invalid, list, listedAt, marker } from './sourceWatchListScript.js';

const fallbacks: readonly SourceScript[] = [
  {
    name: 'lists where the server refuses to stream, and remembers that for an hour (WL-09)',
    lists: [list, ['(l|)', { l: listOf('20', []) }]],
    watches: [
      ['#', {}, invalid],
      ['o 3598s b 900ms e', { b: bookmarkOf('12'), e: errorEventOf(expiredStatus('12', '15')) }],
      ['o 100s be', { b: bookmarkOf('22'), e: errorEventOf(expiredStatus('22', '25')) }],
      ['oM', { M: marker('30') }],
    ],
    options: { idleTimeoutMs: Infinity },
    untilMs: 3_710_000,
    log: [
      begun,
      listedAt(0),
      '3598001 bookmark 12',
      '3598902 retrying ERR_WATCH_EXPIRED #1 until 3599702',
      '3599702 listing, init expired 12, LIST 12, ready 20, WATCH 20, watching',
      '3699703 bookmark 22',
      '3699704 retrying ERR_WATCH_EXPIRED #1 until 3700504',
      '3700504 listing, init expired 22, WATCHLIST 22',
      '3700505 ready 30, watching',
    ],
  },
  {
    name: 'lists where a bookmark comes without the marker',
    lists: [list],
    watches: [['oab', { a: added('a', '1'), b: bookmarkOf('9') }], ['o']],
    untilMs: 100,
    log: [begun, '1 added a@1', listedAt(2)],
  },
  {
    name: 'takes only "true" as the marker (WL-04)',
    lists: [list],
    watches: [['oaM', { a: added('a', '1'), M: marker('9', 'false') }], ['o']],
    untilMs: 100,
    log: [begun, '1 added a@1', listedAt(2)],
  },
  {
    name: 'lists when nothing comes for 2 s after the headers (WL-14)',
    lists: [list],
    watches: [['-o'], ['o']],
    untilMs: 2100,
    log: [begun, listedAt(2001)],
  },
  {
    name: 'lists when the list does not end and no new key comes for 10 s (WL-14)',
    lists: [list],
    watches: [['oa 8s b 8s c 8s c', { a: added('a', '1'), b: added('b', '2'), c: watchEventOf('MODIFIED', podOf('b', '3')) }], ['o']],
    untilMs: 19_000,
    log: [begun, '1 added a@1', '8002 added b@2', '16003 modified b@3', listedAt(18_002)],
  },
  {
    name: 'lists when a streamed list shows no sign of life',
    lists: [list],
    watches: [['-'], ['o']],
    untilMs: 60_100,
    log: [begun, listedAt(60_000)],
  },
  {
    name: 'lists this time when the stream is refused for another reason (WL-09, WL-10)',
    lists: [list],
    watches: [
      ['#', {}, statusError(403, 'Forbidden', 'no')],
      ['oe', { e: errorEventOf(expiredStatus('10', '11')) }],
      ['oM', { M: marker('30') }],
    ],
    untilMs: 900,
    log: [
      begun,
      listedAt(0),
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      '801 listing, init expired 10, WATCHLIST 10',
      '802 ready 30, watching',
    ],
  },
  {
    name: 'stays with the list when that has to begin anew',
    lists: [['#', {}, apiErrorOfStatus(expiredStatus('0', '5'))], list],
    watches: [['#', {}, statusError(403, 'Forbidden', 'no')], ['o']],
    untilMs: 100,
    log: [
      begun,
      '0 listing ERR_WATCH_LIST, init first, LIST 0 limit=500, listing ERR_LIST',
      '0 init first, LIST limit=500, page a@1, ready 10, WATCH 10, watching',
    ],
  },
  {
    name: 'lists when a stream closes at once and empty (WL-09)',
    lists: [list],
    watches: [['o|'], ['o']],
    untilMs: 100,
    log: [begun, listedAt(1)],
  },
];

/** The required behaviour of sources when the server cannot stream lists. @internal */
export const sourceFallbackCases: readonly SourceConformanceCase[] = fallbacks.map(scripted);
