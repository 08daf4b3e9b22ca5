import { isStale } from 'rx-informer/internal';
import type { Facts, InformerFacts } from '../facts.js';
import { type Found, named, percent, seconds } from './finding.js';

/** The thresholds. */
const limits = {
  /** Queued events of a subscriber. */
  waiting: 100,
  /** How long a subscriber has been behind. */
  behindMs: 10_000,
  /** Lists, or watches that ended at once, within `rowMs`. */
  inARow: 5,
  rowMs: 600_000,
  /** Consecutive attempts that were refused. */
  refusals: 3,
  /** How long an informer has not been read. */
  unreadMs: 60_000,
  /** Lists with a selector, the objects that they examined, and the largest share that they returned. */
  searches: 100,
  searched: 100_000,
  foundShare: 0.05,
  /** Slow calls, and their smallest share of all calls. */
  slowCalls: 3,
  slowShare: 0.01,
  /** Failed calls, and their smallest share of all calls. */
  failures: 5,
  failedShare: 0.1,
} as const;

/** The recent times in the scope that has most of them: several scopes list at once when they begin, or when the server starts anew. */
function recent(
  { scopes, at }: InformerFacts,
  what: 'lists' | 'briefWatches',
): { readonly place: string; readonly times: readonly number[] } {
  const all = scopes.map((one) => ({
    place: one.scope === '' ? '' : ` in ${one.scope}`,
    times: one[what].filter((time) => at - time <= limits.rowMs),
  }));
  return all.reduce((most, one) => (one.times.length > most.times.length ? one : most), { place: '', times: [] });
}

/** The rules about informers. */
export function informerRules(now: InformerFacts, earlier: readonly Facts[], staleAfterMs: number): Found[] {
  return [...linkRules(now, staleAfterMs), ...useRules(now), ...consumerRules(now, earlier)];
}

/** Rules about the connection between an informer and the API server. A refused informer gets one warning: all else follows from it. */
function linkRules(now: InformerFacts, staleAfterMs: number): Found[] {
  const refused = now.scopes.filter((scope) => scope.error?.http === 403).map(({ scope }) => scope);
  if (refused.length > 0) return [refused.length < now.scopes.length ? partlyRefused(now, refused) : isRefused(now)];
  return [relists(now), briefWatches(now), stale(now, staleAfterMs)];
}

const isRefused = ({ name, resource, selection, attempt = 0, error, synced, objects }: InformerFacts): Found =>
  attempt >= limits.refusals && [
    'forbidden',
    `The informer ${name} is refused by the API server (403); ${attempt} attempts in a row have failed, and it retries for ever: ${error?.message ?? ''}. Its cache ${synced || objects > 0 ? 'is out of date' : 'is empty'}.`,
    `Grant this program the verbs list and watch of ${resource}${selection === '' ? '' : ` (${selection})`}, or give the informer the namespaces that it may read, for example by permittedNamespaces.`,
  ];

const partlyRefused = ({ name, resource, scopes }: InformerFacts, refused: readonly string[]): Found => [
  'rights',
  `The informer ${name} may read ${scopes.length - refused.length} of its ${scopes.length} namespaces; it is refused (403) in ${named(refused)}. The objects in these namespaces are missing in its cache, and it does not sync.`,
  `Grant list and watch of ${resource} in these namespaces, or leave them out: permittedNamespaces emits the permitted namespaces.`,
];

function relists(now: InformerFacts): Found {
  const { name, at, since, objects, error } = now;
  const { place, times } = recent(now, 'lists');
  const [first = at] = times;
  if (times.length < limits.inARow) return undefined;
  const wasIdle = first < since;
  return [
    'relists',
    `The informer ${name} has listed everything${place} ${times.length} times in ${seconds(at - first)}${place === '' ? `, ${objects} objects each time` : ''}${error === undefined ? '' : `, the last time after: ${error.message}`}. ${wasIdle ? 'Its subscribers come and go: a list follows whenever the first one subscribes' : 'Its watch could not be resumed: the version had expired on the server, or the connection was cut'}.`,
    wasIdle
      ? 'Keep it running with start(), or set idleGraceMs.'
      : 'See error$ for the reason: the server keeps too little history, or a proxy cuts connections.',
  ];
}

function briefWatches(now: InformerFacts): Found {
  const { name, resource } = now;
  const { place, times } = recent(now, 'briefWatches');
  return (
    times.length >= limits.inARow && [
      'brief-watches',
      `${times.length} watches of the informer ${name}${place} ended at once, without any event. Something closes the streams: a proxy between the API server and this program, or a server that cannot watch ${resource}.`,
      'Let the proxy pass streams without a time limit and without buffering; for a server that cannot watch, use pollSource.',
    ]
  );
}

const stale = (now: InformerFacts, staleAfterMs: number): Found =>
  now.synced &&
  isStale(now, staleAfterMs) && [
    'stale',
    `The cache of the informer ${now.name} may be ${seconds(now.staleMs ?? 0)} behind the cluster: it is ${now.state}${now.error === undefined ? '' : ` after: ${now.error.message}`}.`,
    'Check whether the API server can be reached from here. The informer retries by itself; until then, do not conclude that missing objects do not exist.',
  ];

/** Rules about the use of an informer by the program. */
function useRules({ name, resource, at, since, reads, ...now }: InformerFacts): Found[] {
  return [
    resource === 'secrets' &&
      now.isWhole && [
        'secrets',
        `The informer ${name} keeps all Secrets of the cluster in memory (${now.objects}), with their values. A memory dump of this process contains them.`,
        'Select by namespace, labelSelector or fieldSelector (type=...), use metadataOnly, or remove the values with a transform.',
      ],
    now.synced &&
      now.subscribers === 0 &&
      reads.reads === 0 &&
      at - since >= limits.unreadMs && [
        'unread',
        `The informer ${name} has had no subscriber and no reader of its cache since it started ${seconds(at - since)} ago. It keeps a watch open and ${now.objects} objects in memory.`,
        'Start it when it is needed, and stop() it when it is not.',
      ],
    reads.searches >= limits.searches &&
      reads.searched >= limits.searched &&
      reads.found <= reads.searched * limits.foundShare && [
        'searches',
        `${reads.searches} reads of the lister of ${name} with a selector have examined ${reads.searched} objects and returned ${reads.found} (${percent(reads.found / reads.searched)}). Each of these reads examines all objects, or all of its namespace.`,
        'Add an index for that label (labelIndexFunc in `indexers`) and read byIndex, or read a single namespace.',
      ],
    isOften(now.slow, now.changes) &&
      now.consumers.every(({ slow }) => slow === 0) && [
        'slow-handler',
        `The subscribers of the informer ${name} blocked the program for ${Math.round(now.slowestMs)} ms with one change, and ${now.slow} times for more than 50 ms. Nothing else runs meanwhile: no other subscriber, no renewal of a lease, no probe.`,
        'Move slow work out of the callback: process() with a buffer, reconcile(), or events(), which emits in slices of 10 ms.',
      ],
  ];
}

/** A few slow calls do not count, such as first calls, nor do a small share of all calls, such as those during a pause of the machine. */
const isOften = (slow: number, calls: number): boolean => slow >= limits.slowCalls && slow >= calls * limits.slowShare;

function consumerRules(now: InformerFacts, earlier: readonly Facts[]): Found[] {
  const before = earlier.at(-1) as InformerFacts | undefined;
  return now.consumers.flatMap(({ name, number, waiting, behindMs, delivered, slow, slowestMs, failed, failure = '' }): Found[] => {
    const then = before?.consumers.find((consumer) => consumer.number === number);
    const isBehind = waiting >= limits.waiting || behindMs >= limits.behindMs;
    const passedMs = now.at - (before?.at ?? now.at);
    return [
      then !== undefined &&
        isBehind &&
        then.waiting > 0 &&
        waiting > then.waiting && [
          'behind',
          `${name} of the informer ${now.name} is ${waiting} events behind and falls further behind: ${then.waiting} were queued ${seconds(passedMs)} ago; since then it has processed ${delivered - then.delivered}, while ${waiting - then.waiting + delivered - then.delivered} arrived. ${slow > 0 ? `Its calls take up to ${Math.round(slowestMs)} ms.` : 'It waits for the promises or observables that its calls return.'}`,
          "Do less work per event, or handle several at once; or use a buffer that keeps only the newest state of each object (buffer: 'conflate').",
        ],
      isOften(slow, delivered) && [
        'slow-handler',
        `${name} of the informer ${now.name} has taken more than 50 ms for one event ${slow} times, ${Math.round(slowestMs)} ms at most. Nothing else runs meanwhile: no other subscriber, no renewal of a lease, no probe.`,
        'Return a promise and do the work in pieces, or move the work to reconcile().',
      ],
      failed >= limits.failures &&
        failed >= delivered * limits.failedShare && [
          'failing-handler',
          `${name} of the informer ${now.name} has failed for ${failed} of ${delivered} events, the last time with: ${failure}. An event whose call fails is not delivered again.`,
          'Mend the callback; error$ of the informer has each failure with its key. Work that has to be retried belongs into reconcile().',
        ],
    ];
  });
}
