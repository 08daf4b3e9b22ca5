import { apiErrorOfStatus } from '../../../api/errors/apiError.js';
import { connectionError, expiredStatus, statusError } from '../../fakes/serverErrors.js';
import { listOf, podOf, scripted, type SourceConformanceCase, type SourceScript, watchEventOf } from '../sourceConformanceCase.js';
import { a, added, addedPod, list, listing, marker, open, relist, streaming, watching } from './sourceScripts.js';

const reset = connectionError('ECONNRESET');
const refused = connectionError('ECONNREFUSED');

const gone = ['(l|)', { l: listOf('7', [a]) }] as const;

function listedAgainAt(ms: number, from: string): string {
  return `${ms} listing ERR_WATCH_EXPIRED, init expired ${from}, LIST limit=500, page a@1, ready 7, WATCH 7, watching`;
}

const looks: readonly SourceScript[] = [
  watching(
    'lists a server that has gone back while the connection was broken, also where versions have not been overtaken yet',
    [['oa#', { a: added }, reset], open, open],
    ['0 watching', '1 added b@12', '2 retrying ERR_WATCH until 2, WATCH 12, LIST limit=1', listedAgainAt(2, '12')],
    { looks: [['(l|)', { l: listOf('11', []) }]], lists: [gone] },
  ),
  watching(
    'lists a server that has gone back behind a proxy that ends quiet answers',
    [['o 45s |'], open, open],
    ['0 watching', '45001 WATCH 10, LIST limit=1', listedAgainAt(45_001, '10')],
    { looks: [gone], lists: [gone], untilMs: 46_000 },
  ),
  watching(
    'lists a server that sends versions from before',
    [['oa', { a: watchEventOf('MODIFIED', podOf('a', '8')) }], open],
    ['0 watching', '1 modified a@8, LIST limit=1', listedAgainAt(1, '8')],
    { looks: [['(l|)', { l: listOf('9', []) }]], lists: [gone] },
  ),
  watching(
    'does not look at the version after a watch that the server ended on time',
    [['o 300s |'], open],
    ['0 watching', '300001 WATCH 10'],
    { options: { idleTimeoutMs: Infinity }, untilMs: 302_000 },
  ),
  watching(
    'passes on what a watch brings, and does not trust it, until the version of the server is known',
    [
      ['oa#', { a: added }, reset],
      ['o-a', { a: watchEventOf('MODIFIED', podOf('b', '15')) }],
    ],
    ['0 watching', '1 added b@12', '2 retrying ERR_WATCH until 2, WATCH 12, LIST limit=1', '4 modified b@15', '502 watching'],
    { looks: [['500ms (l|)', { l: listOf('13', []) }]] },
  ),
  watching(
    'looks again, later, when a look fails',
    [['o#', {}, reset], open],
    [
      '0 watching',
      '1 retrying ERR_WATCH #1 until 401',
      '401 WATCH 10, LIST limit=1',
      '402 retrying ERR_LIST #1 until 3402',
      '3402 LIST limit=1',
      '63402 retrying ERR_LIST #2 until 65002',
      '65002 LIST limit=1, watching',
    ],
    { looks: [['-#', {}, statusError(429, 'TooManyRequests', 'busy', 3000)], ['-']], untilMs: 66_000 },
  ),
  watching(
    'looks a second after the request where a proxy holds the headers back',
    [['o#', {}, reset], ['- 4s o']],
    ['0 watching', '1 retrying ERR_WATCH #1 until 401', '401 WATCH 10', '1401 LIST limit=1', '4402 watching'],
    { untilMs: 5000 },
  ),
  watching(
    'does not wait for long when a server that was away says that the version has expired',
    [['#', {}, refused], ['#', {}, refused], ['#', {}, refused], ['#', {}, apiErrorOfStatus(expiredStatus('10', '15'))], open],
    [
      '0 retrying ERR_WATCH_START #1 until 400',
      '400 WATCH 10, retrying ERR_WATCH_START #2 until 800',
      '800 WATCH 10, retrying ERR_WATCH_START #3 until 1200',
      '1200 WATCH 10, retrying ERR_WATCH_EXPIRED #1 until 2000',
      '2000 listing, init expired 10, LIST 10, page a@1, ready 20, WATCH 20, watching',
    ],
    { lists: relist, untilMs: 3000 },
  ),
  watching(
    'waits for a minute at most, whatever the server asks for (RT-03)',
    [['#', {}, statusError(429, 'TooManyRequests', 'busy', 3.2e12)], open],
    ['0 retrying ERR_WATCH_START #1 until 60000', '60000 WATCH 10, LIST limit=1, watching'],
    { untilMs: 61_000 },
  ),
];

const period = { relistPeriodMs: 10_000 };

const periods: readonly SourceScript[] = [
  watching(
    'keeps its watch while a periodic list fails, and takes over what it brings at once',
    [['o 10499ms a 899ms a', { a: watchEventOf('MODIFIED', podOf('a', '12')) }], open],
    [
      '0 watching',
      '10000 LIST limit=500, watching ERR_LIST #1 until 10800',
      '10500 modified a@12',
      '10800 LIST limit=500, init period 12, page a@1, ready 20, WATCH 20',
    ],
    { lists: [['#', {}, statusError(429, 'TooManyRequests', 'busy')], ...relist], options: period, untilMs: 11_000 },
  ),
  watching(
    'puts what the watch brings meanwhile behind a periodic list that is older, and watches on from there',
    [['o 10s -bcd', { b: added, c: watchEventOf('DELETED', podOf('b', '14')), d: watchEventOf('MODIFIED', podOf('a', '15')) }], open],
    [
      '0 watching',
      '10000 LIST limit=500',
      '10002 added b@12',
      '10003 deleted b@14',
      '10004 modified a@15',
      '10005 init period 15, page a@1, deleted b@14, modified a@15, ready 15, WATCH 15, LIST limit=1',
    ],
    { lists: [['-----(l|)', { l: listOf('12', [a]) }]], options: period, untilMs: 11_000 },
  ),
  watching(
    'goes on with a periodic list over the end of a watch',
    [['o 10s |'], open],
    ['0 watching', '10000 LIST limit=500', '10001 WATCH 10, LIST limit=1', '10005 init period 10, page a@1, ready 12, WATCH 12'],
    { lists: [['-----(l|)', { l: listOf('12', [a]) }]], options: period, untilMs: 11_000 },
  ),
  watching(
    'takes a periodic list of a server that has gone back as it is',
    [['o 9s -b', { b: added }], open],
    ['0 watching', '9002 added b@12', '10000 LIST limit=500, init period 12, page a@1, ready 7, WATCH 7'],
    { lists: [gone], options: period, untilMs: 11_000 },
  ),
  streaming(
    'streams a periodic list beside the watch, too',
    [['oM', { M: marker('10') }], ['oaM', { a: addedPod('a', '11'), M: marker('12') }], ['o']],
    ['0 listing, init first, WATCHLIST', '1 ready 10, watching', '10001 WATCHLIST', '10003 init period 10, added a@11, ready 12, WATCH 12'],
    { options: period, untilMs: 11_000 },
  ),
  listing(
    'tells nothing of a periodic list that is left',
    [list, ['a-(l|)', { a: { items: [a] }, l: listOf('12', []) }]],
    ['0 listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching', '10000 LIST limit=500'],
    { options: { ...period }, watches: [['o']], untilMs: 10_001 },
  ),
];

/** The required behaviour of sources before they trust a server again, and of periodic lists. @internal */
export const sourceTrustCases: readonly SourceConformanceCase[] = [...looks, ...periods].map(scripted);
