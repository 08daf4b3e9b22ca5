import { DecodeError } from '../../../api/errors/decodeError.js';
import { InformerError } from '../../../api/errors/informerError.js';
import { connectionError, statusError } from '../../fakes/serverErrors.js';
import { bookmarkOf, listOf, scripted, type SourceConformanceCase, type SourceScript } from '../sourceConformanceCase.js';
import { a, added, open, relist, relistedAt, watching } from './sourceScripts.js';

const reset = connectionError('ECONNRESET');
const undecodable = new DecodeError('no JSON', 7);

const connections: readonly SourceScript[] = [
  watching(
    'watches again at once when the connection of a healthy watch breaks (RT-10)',
    [['oa#', { a: added }, reset], open],
    ['0 watching', '1 added b@12', '2 retrying ERR_WATCH until 2, WATCH 12, LIST limit=1, watching'],
  ),
  watching(
    'watches again at once when a connection breaks that was open for a second (RW-04)',
    [['o 5s #', {}, reset], open],
    ['0 watching', '5001 retrying ERR_WATCH until 5001, WATCH 10, LIST limit=1, watching'],
    { untilMs: 6000 },
  ),
  watching(
    'waits when the connection breaks sooner, without news (RW-05)',
    [['o 500ms #', {}, reset], open],
    ['0 watching', '501 retrying ERR_WATCH #1 until 901', '901 WATCH 10, LIST limit=1, watching'],
    { untilMs: 1000 },
  ),
  watching(
    'replaces a silent watch at once and without an error, and looks at the version each time (RW-03)',
    [['oa', { a: added }], open, open],
    ['0 watching', '1 added b@12', '75001 WATCH 12, LIST limit=1', '150001 WATCH 12, LIST limit=1'],
    { untilMs: 150_100 },
  ),
  watching(
    'lists a server that has gone back to an earlier version',
    [open, open, open],
    [
      '0 watching',
      '75000 WATCH 10, LIST limit=1',
      '75002 listing ERR_WATCH_EXPIRED, init expired 10, LIST limit=500, page a@1, ready 7, WATCH 7, watching',
    ],
    { looks: [['--(l|)', { l: listOf('7', [a]) }]], lists: [['(l|)', { l: listOf('7', [a]) }]], untilMs: 75_100 },
  ),
  watching(
    'takes every byte as a sign of life',
    [['o 74998ms o 74998ms b', { b: bookmarkOf('15') }], open],
    ['0 watching', '149998 bookmark 15', '224998 WATCH 15, LIST limit=1'],
    { untilMs: 225_100 },
  ),
  watching(
    'gives up a watch that shows no sign of life at all',
    [['-'], open],
    ['75000 retrying ERR_WATCH_START #1 until 75400', '75400 WATCH 10, LIST limit=1, watching'],
    { untilMs: 76_000 },
  ),
  watching(
    'watches again from the last version after an event that cannot be decoded (RT-10)',
    [['oa#', { a: added }, undecodable], open],
    ['0 watching', '1 added b@12', '2 retrying ERR_DECODE #1 until 802', '802 WATCH 12, LIST limit=1, watching'],
  ),
  watching(
    'lists after a second event that cannot be decoded at the same version, and replaces nothing while that fails too (RT-10)',
    [['o#', {}, undecodable], ['o#', {}, new SyntaxError('bad')], open],
    [
      '0 watching',
      '1 retrying ERR_DECODE #1 until 801',
      '801 WATCH 10, LIST limit=1, watching',
      '802 retrying ERR_DECODE #2 until 2402',
      '2402 listing, init error 10, LIST 10, retrying ERR_DECODE #3 until 5602',
      relistedAt(5602, 'error'),
    ],
    { lists: [['#', {}, new InformerError({ code: 'ERR_DECODE', message: 'bad' })], ...relist], untilMs: 6000 },
  ),
];

const health: readonly SourceScript[] = [
  watching(
    'does not take a list alone as proof of health (RX-07)',
    [['#', {}, statusError(403, 'Forbidden', 'no')], ['#', {}, statusError(403, 'Forbidden', 'no')], open],
    [
      '0 retrying ERR_WATCH_START #1 until 800',
      '800 listing, init error 10, LIST 10, page a@1, ready 20, WATCH 20, retrying ERR_WATCH_START #2 until 2400',
      '2400 listing, init error 20, LIST 20, ready 30, WATCH 30, watching',
    ],
    { lists: [...relist, ['(l|)', { l: listOf('30', []) }]], untilMs: 3000 },
  ),
  watching(
    'takes an event as proof of health (RX-07)',
    [['#', {}, reset], ['#', {}, reset], ['oa#', { a: added }, undecodable], open],
    [
      '0 retrying ERR_WATCH_START #1 until 400',
      '400 WATCH 10, retrying ERR_WATCH_START #2 until 800',
      '800 WATCH 10, LIST limit=1, watching',
      '801 added b@12',
      '802 retrying ERR_DECODE #1 until 1602',
    ],
    { untilMs: 1500 },
  ),
  watching(
    'takes half a minute without a failure as proof of health, and not less (RX-07)',
    [['#', {}, reset], ['o 29s #', {}, reset], ['#', {}, reset], ['o 30s #', {}, reset], ['#', {}, reset], open],
    [
      '0 retrying ERR_WATCH_START #1 until 400',
      '400 WATCH 10, LIST limit=1, watching',
      '29401 retrying ERR_WATCH until 29401, WATCH 10, retrying ERR_WATCH_START #2 until 29801',
      '29801 WATCH 10, LIST limit=1, watching',
      '59802 retrying ERR_WATCH until 59802, WATCH 10, retrying ERR_WATCH_START #1 until 60202',
      '60202 WATCH 10, LIST limit=1, watching',
    ],
    { untilMs: 61_000 },
  ),
];

/** The required behaviour of sources when connections fail, and when a connection counts as healthy. @internal */
export const sourceConnectionCases: readonly SourceConformanceCase[] = [...connections, ...health].map(scripted);
