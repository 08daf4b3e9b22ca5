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
import { addedPod, begun, invalid, list, listedAt, marker, streaming } from './sourceScripts.js';

const fallbacks: readonly SourceScript[] = [
  streaming(
    'lists where the server refuses to stream, and remembers that for an hour (WL-09)',
    [
      ['#', {}, invalid],
      ['o 3598s b 900ms e', { b: bookmarkOf('12'), e: errorEventOf(expiredStatus('12', '15')) }],
      ['o 100s be', { b: bookmarkOf('22'), e: errorEventOf(expiredStatus('22', '25')) }],
      ['oM', { M: marker('30') }],
    ],
    [
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
    { options: { idleTimeoutMs: Infinity }, lists: [list, ['(l|)', { l: listOf('20', []) }]], untilMs: 3_710_000 },
  ),
  streaming(
    'lists where a bookmark comes without the marker',
    [['oab', { a: addedPod('a', '1'), b: bookmarkOf('9') }], ['o']],
    [begun, '1 added a@1', listedAt(2)],
    { lists: [list] },
  ),
  streaming(
    'takes only "true" as the marker (WL-04)',
    [['oaM', { a: addedPod('a', '1'), M: marker('9', 'false') }], ['o']],
    [begun, '1 added a@1', listedAt(2)],
    { lists: [list] },
  ),
  streaming('lists when nothing comes for 2 s after the headers (WL-14)', [['-o'], ['o']], [begun, listedAt(2001)], {
    lists: [list],
  }),
  streaming(
    'lists when the list does not end and no new key comes for 10 s (WL-14)',
    [['oa 8s b 8s c 8s c', { a: addedPod('a', '1'), b: addedPod('b', '2'), c: watchEventOf('MODIFIED', podOf('b', '3')) }], ['o']],
    [begun, '1 added a@1', '8002 added b@2', '16003 modified b@3', listedAt(18_002)],
    { lists: [list] },
  ),
  streaming('lists when a streamed list shows no sign of life', [['-'], ['o']], [begun, listedAt(60_000)], {
    lists: [list],
  }),
  streaming(
    'lists this time when the stream is refused for another reason (WL-09, WL-10)',
    [
      ['#', {}, statusError(403, 'Forbidden', 'no')],
      ['oe', { e: errorEventOf(expiredStatus('10', '11')) }],
      ['oM', { M: marker('30') }],
    ],
    [
      begun,
      listedAt(0),
      '1 retrying ERR_WATCH_EXPIRED #1 until 801',
      '801 listing, init expired 10, WATCHLIST 10',
      '802 ready 30, watching',
    ],
    { lists: [list] },
  ),
  streaming(
    'stays with the list when that has to begin anew',
    [['#', {}, statusError(403, 'Forbidden', 'no')], ['o']],
    [
      begun,
      '0 listing ERR_WATCH_LIST, init first, LIST 0 limit=500, listing ERR_LIST',
      '0 init first, LIST limit=500, page a@1, ready 10, WATCH 10, watching',
    ],
    { lists: [['#', {}, apiErrorOfStatus(expiredStatus('0', '5'))], list] },
  ),
  streaming('lists when a stream closes at once and empty (WL-09)', [['o|'], ['o']], [begun, listedAt(1)], { lists: [list] }),
];

/** The required behaviour of sources when the server cannot stream lists. @internal */
export const sourceFallbackCases: readonly SourceConformanceCase[] = fallbacks.map(scripted);
