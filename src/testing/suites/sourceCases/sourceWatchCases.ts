import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { connectionError, expiredStatus, failureStatus, statusError } from '../../fakes/serverErrors.js';
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
import { a, added, listing, open, relist, relistedAt, watching } from './sourceScripts.js';

const internal = errorEventOf(failureStatus(500, 'InternalError', 'etcd'));

const events: readonly SourceScript[] = [
  watching(
    'tells added, modified, deleted and bookmark, each with the version reached (RW-17, RW-18)',
    [
      [
        'oamdb',
        {
          a: added,
          m: watchEventOf('MODIFIED', podOf('b', '13')),
          d: watchEventOf('DELETED', podOf('b', '14')),
          b: bookmarkOf('20'),
        },
      ],
    ],
    ['0 watching', '1 added b@12', '2 modified b@13', '3 deleted b@14', '4 bookmark 20'],
  ),
  watching(
    'takes versions as they come, also smaller ones (RW-21)',
    [['oab|', { a: watchEventOf('MODIFIED', podOf('a', '55')), b: watchEventOf('MODIFIED', podOf('a', '32')) }], open],
    ['0 watching', '1 modified a@55', '2 modified a@32, LIST limit=1', '3 WATCH 32, LIST limit=1'],
  ),
  listing(
    'does not take versions from the initial events of a watch without a version (RW-22)',
    [['(l|)', { l: listOf('0', []) }]],
    [
      '0 listing, init first, LIST 0 limit=500, ready 0, WATCH 0, watching',
      '1 added a@7 at 0',
      '2 retrying ERR_WATCH #1 until 402',
      '402 WATCH 0, LIST limit=1, watching',
      '403 added a@7 at 0',
      '404 modified a@8',
      '1405 WATCH 8',
    ],
    {
      watches: [
        ['oa#', { a: watchEventOf('ADDED', podOf('a', '7')) }, connectionError('ECONNRESET')],
        ['oam 1s |', { a: watchEventOf('ADDED', podOf('a', '7')), m: watchEventOf('MODIFIED', podOf('a', '8')) }],
      ],
      untilMs: 2000,
    },
  ),
  watching(
    'leaves out and reports what is not of the expected kind (RW-19)',
    [
      [
        'osat',
        {
          s: watchEventOf('ADDED', { ...podOf('s', '99'), kind: 'Service' }),
          a: added,
          t: watchEventOf('ADDED', { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '98' } }),
        },
      ],
    ],
    ['0 watching', '1 watching ERR_WATCH', '2 added b@12', '3 watching ERR_WATCH'],
    { source: { expected: { apiVersion: 'v1', kind: 'Pod' } } },
  ),
  watching(
    'leaves out and reports an event without metadata, and of an unknown type (RW-19)',
    [['omua', { m: { type: 'ADDED', object: { kind: 'Pod' } }, u: { type: 'RENAMED', object: a }, a: added }]],
    ['0 watching', '1 watching ERR_WATCH', '2 watching ERR_WATCH', '3 added b@12'],
  ),
  watching(
    'passes on an object without a name or without a version, and reports the latter',
    [
      [
        'okv|',
        { k: watchEventOf('ADDED', { metadata: { resourceVersion: '12' } }), v: watchEventOf('ADDED', { metadata: { name: 'v' } }) },
      ],
      open,
    ],
    ['0 watching', '1 added ?@12', '2 watching ERR_NO_RESOURCE_VERSION, added v@ at 12', '3 WATCH 12, LIST limit=1'],
  ),
];

const endings: readonly SourceScript[] = [
  watching(
    'watches again at once from the last event when the server closes (RW-04)',
    [['oa 2s |', { a: added }], open],
    ['0 watching', '1 added b@12', '2002 WATCH 12, LIST limit=1'],
    { untilMs: 3000 },
  ),
  watching(
    'resumes from a bookmark (RW-18, RW-23)',
    [['ob|', { b: bookmarkOf('15') }], open],
    ['0 watching', '1 bookmark 15', '2 WATCH 15, LIST limit=1'],
  ),
  watching('takes a quiet watch of a second as a good one (RW-04)', [['o 999ms |'], open], ['0 watching', '1000 WATCH 10, LIST limit=1'], {
    untilMs: 2000,
  }),
  watching(
    'takes a watch that closes within a second and without an event as a failure (RW-05)',
    [['o 998ms |'], open],
    ['0 watching', '999 retrying ERR_WATCH #1 until 1799', relistedAt(1799, 'error')],
    { untilMs: 2000, lists: relist },
  ),
  watching(
    'does not ask in a hot loop where a watch closes again and again without news (RW-04)',
    [['(oa|)', { a: added }], ['(oa|)', { a: added }], ['(oa|)', { a: added }], open],
    [
      '0 watching, added b@12, WATCH 12, LIST limit=1, added b@12, retrying ERR_WATCH #1 until 800',
      '800 WATCH 12, LIST limit=1, watching, added b@12, retrying ERR_WATCH #1 until 1600',
    ],
  ),
  watching(
    'lists at the last version when the version has expired, told as an event (RW-10)',
    [['oae', { a: added, e: errorEventOf(expiredStatus('12', '15')) }], open],
    ['0 watching', '1 added b@12', '2 retrying ERR_WATCH_EXPIRED #1 until 802', relistedAt(802, 'expired', '12')],
    { lists: relist },
  ),
  watching(
    'lists at the last version when the version has expired, told as an answer (RW-09, RW-10)',
    [['#', {}, apiErrorOfStatus(expiredStatus('10', '15'))], open],
    ['0 retrying ERR_WATCH_EXPIRED #1 until 800', relistedAt(800, 'expired')],
    { lists: relist },
  ),
  watching(
    'watches again without a list when the connection is refused (RW-07)',
    [['#', {}, connectionError('ECONNREFUSED')], ['#', {}, connectionError('ECONNREFUSED')], open],
    [
      '0 retrying ERR_WATCH_START #1 until 400',
      '400 WATCH 10, retrying ERR_WATCH_START #2 until 800',
      '800 WATCH 10, LIST limit=1, watching',
    ],
    { untilMs: 3000 },
  ),
  watching(
    'watches again without a list after a 429, told as an answer, and waits as told (RW-07, RT-03)',
    [['#', {}, statusError(429, 'TooManyRequests', 'busy', 5000)], open],
    ['0 retrying ERR_WATCH_START #1 until 5000', '5000 WATCH 10, LIST limit=1, watching'],
    { untilMs: 6000 },
  ),
  watching(
    'watches again without a list after a 429, told as an event (RW-08)',
    [['oe', { e: errorEventOf(failureStatus(429, 'TooManyRequests', 'busy', { retryAfterSeconds: 3 })) }], open],
    ['0 watching', '1 retrying ERR_WATCH #1 until 3001', '3001 WATCH 10, LIST limit=1, watching'],
    { untilMs: 4000 },
  ),
];

const refusals: readonly SourceScript[] = [
  ...(
    [
      ['ERR_AUTH', statusError(401, 'Unauthorized', 'no')],
      ['ERR_WATCH_START', statusError(403, 'Forbidden', 'no')],
      ['ERR_NOT_SERVED', statusError(404, 'NotFound', 'no')],
      ['ERR_WATCH_START', statusError(500, 'InternalError', 'no')],
    ] as const
  ).map(([code, error]) =>
    watching(
      `lists again after a watch that was answered with ${error.code} (RW-09)`,
      [['#', {}, error], open],
      [`0 retrying ${code} #1 until 800`, relistedAt(800, 'error')],
      {
        lists: relist,
      },
    ),
  ),
  watching(
    'reports an ERROR event and lists again (RW-11, RW-13)',
    [['oe', { e: internal }], open],
    ['0 watching', '1 retrying ERR_WATCH #1 until 801', relistedAt(801, 'error')],
    { lists: relist },
  ),
  watching(
    'reports an ERROR event that carries no Status and lists again (RW-14)',
    [['oe', { e: { type: 'ERROR', object: { kind: 'Pod', code: 410 } } }], open],
    ['0 watching', '1 retrying ERR_WATCH #1 until 801', relistedAt(801, 'error')],
    { lists: relist },
  ),
];

/** The required behaviour of sources for watches. @internal */
export const sourceWatchCases: readonly SourceConformanceCase[] = [...events, ...endings, ...refusals].map(scripted);
