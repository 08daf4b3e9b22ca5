import { DecodeError } from '../../../api/errors/decodeError.js';
import { connectionError, statusError } from '../../fakes/serverErrors.js';
import { scripted, type SourceConformanceCase, type SourceScript } from '../sourceConformanceCase.js';
import { a, list, listing } from './sourceScripts.js';

const timeout = connectionError('ETIMEDOUT');

function failing(name: string, error: unknown, log: readonly string[], untilMs = 900): SourceScript {
  return listing(name, [['#', {}, error], list], log, { watches: [['o']], untilMs });
}

/** The first list fails with `code`; the next one follows after the first backoff. */
function failsOnce(code: string, ms = 800): string[] {
  return [`0 listing, init first, LIST 0 limit=500, retrying ${code} #1 until ${ms}`, retriedAt(ms)];
}

function retriedAt(ms: number): string {
  return `${ms} listing, init first, LIST 0 limit=500, page a@1, ready 10, WATCH 10, watching`;
}

const failures: readonly SourceScript[] = [
  failing('tries a failed list again after a wait (RX-01, RX-02)', statusError(500, 'InternalError', 'etcd'), failsOnce('ERR_LIST')),
  failing('tries again soon when the connection is refused (RX-01)', connectionError('ECONNREFUSED'), failsOnce('ERR_LIST', 400)),
  failing('tries again when the credentials are refused (RT-14)', statusError(401, 'Unauthorized', 'no'), failsOnce('ERR_AUTH')),
  failing('tries again when the list is forbidden (RT-14)', statusError(403, 'Forbidden', 'no'), failsOnce('ERR_LIST')),
  failing('picks up a kind that is served later (RT-14)', statusError(404, 'NotFound', 'no'), failsOnce('ERR_NOT_SERVED')),
  failing('tries again when the answer cannot be decoded (RT-10)', new DecodeError('no JSON', 7), failsOnce('ERR_DECODE')),
  failing(
    'waits at least as long as the server asks for (RT-03)',
    statusError(429, 'TooManyRequests', 'busy', 7000),
    ['0 listing, init first, LIST 0 limit=500, retrying ERR_LIST #1 until 7000', retriedAt(7000)],
    8000,
  ),
  listing(
    'doubles the wait up to 30 s while lists fail, whatever they had begun to say (RX-05, RX-06)',
    Array.from({ length: 8 }, () => ['(l#)', { l: { items: [a] } }, timeout] as const),
    [0, 800, 2400, 5600, 12_000, 24_800, 50_400, 80_400].flatMap((at, index) => {
      const until = [800, 2400, 5600, 12_000, 24_800, 50_400, 80_400, 110_400][index] ?? 0;
      const lines = ['listing', 'init first', 'LIST 0 limit=500', 'page a@1', `retrying ERR_LIST #${index + 1} until ${until}`];
      return lines.map((line) => `${at} ${line}`);
    }),
    { untilMs: 110_000 },
  ),
  listing(
    'gives up a list whose answer never begins',
    [['-']],
    ['0 listing, init first, LIST 0 limit=500', '60000 retrying ERR_LIST #1 until 60800'],
  ),
  listing(
    'gives up a list whose answer stops half-way',
    [['a 29s a', { a: { items: [a] } }]],
    ['0 listing, init first, LIST 0 limit=500, page a@1', '29001 page a@1', '89001 retrying ERR_LIST #1 until 89801'],
  ),
  listing(
    'refuses a Table (RL-13)',
    [['(t|)', { t: { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: { resourceVersion: '9' }, rows: [] } }]],
    ['0 listing, init first, LIST 0 limit=500, retrying ERR_LIST #1 until 800'],
  ),
  listing(
    'refuses a list without a resourceVersion',
    [['(l|)', { l: { items: [a] } }]],
    ['0 listing, init first, LIST 0 limit=500, page a@1, retrying ERR_NO_RESOURCE_VERSION #1 until 800'],
  ),
];

/** The required behaviour of sources when lists fail. @internal */
export const sourceListFailureCases: readonly SourceConformanceCase[] = failures.map(scripted);
