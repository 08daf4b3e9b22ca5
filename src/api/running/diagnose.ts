import { checkOptions, rules } from '../options.js';
import {
  type Facts,
  type ControllerFacts,
  type ElectorFacts,
  type InformerFacts,
  isStale,
  type RightsFacts,
  type ViewFacts,
} from './facts.js';
import { registry, type Running } from './registry.js';
import type { Warning, WarningCode } from './warning.js';

/** The thresholds of warnings. */
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
  /**
   * Calls for one key within a minute, and for how long they came without a pause of a second. A rollout causes as many calls, but ends
   * sooner.
   */
  callsPerMinute: 300,
  withoutPauseMs: 30_000,
  /** Computations of a view, and the smallest share of them that changed nothing. */
  computed: 1_000,
  withoutEffect: 0.95,
  /** How long a late renewal is reported. */
  lateMs: 600_000,
  /** The growth of the heap after garbage collections, as a share and in bytes, within this time. */
  heapShare: 1.2,
  heapBytes: 33_554_432,
  heapMs: 300_000,
} as const;

/** The result of a rule: a warning without its subject and its link. */
type Finding = readonly [code: WarningCode, message: string, remedy: string];

type Found = Finding | undefined | false;

const seconds = (ms: number): string => {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10} s`;
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
};

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const recent = (times: readonly number[], at: number): number => times.filter((time) => at - time <= limits.rowMs).length;

/** Rules about the connection between an informer and the API server. */
function linkRules(now: InformerFacts, staleAfterMs: number): Found[] {
  const { name, resource, selection, at, error, attempt = 0 } = now;
  const isRefused = error?.http === 403;
  const lists = recent(now.lists, at);
  const brief = recent(now.briefWatches, at);
  const { staleMs = 0 } = now;
  const refused = now.scopes.filter((scope) => scope.error?.http === 403).map(({ scope }) => scope);
  return [
    isRefused &&
      refused.length >= now.scopes.length &&
      attempt >= limits.refusals && [
        'forbidden',
        `The informer ${name} is refused by the API server (403); ${attempt} attempts in a row have failed, and it retries for ever: ${error.message}. Its cache ${now.synced ? 'is out of date' : 'is empty'}.`,
        `Grant this program the verbs list and watch of ${resource}${selection === '' ? '' : ` (${selection})`}, or give the informer the namespaces that it may read, for example by permittedNamespaces.`,
      ],
    refused.length > 0 &&
      refused.length < now.scopes.length && [
        'rights',
        `The informer ${name} may read ${now.scopes.length - refused.length} of its ${now.scopes.length} namespaces; it is refused (403) in ${named(refused)}. The objects in these namespaces are missing in its cache, and it does not sync.`,
        `Grant list and watch of ${resource} in these namespaces, or leave them out: permittedNamespaces emits the permitted namespaces.`,
      ],
    lists >= limits.inARow && [
      'relists',
      `The informer ${name} has listed everything ${lists} times in ${seconds(at - (now.lists.find((time) => at - time <= limits.rowMs) ?? at))}, ${now.objects} objects each time${error === undefined ? '' : `, the last time after: ${error.message}`}. ${now.subscribers === 0 ? 'Its subscribers come and go: a list follows whenever the first one subscribes' : 'Its watch could not be resumed: the version had expired on the server, or the connection was cut'}.`,
      now.subscribers === 0
        ? 'Keep it running with start(), or set idleGraceMs.'
        : 'See error$ for the reason: the server keeps too little history, or a proxy cuts connections.',
    ],
    brief >= limits.inARow && [
      'brief-watches',
      `${brief} watches of the informer ${name} ended at once, without any event. Something closes the streams: a proxy between the API server and this program, or a server that cannot watch ${resource}.`,
      'Let the proxy pass streams without a time limit and without buffering; for a server that cannot watch, use pollSource.',
    ],
    now.synced &&
      isStale(now, staleAfterMs) && [
        'stale',
        `The cache of the informer ${name} may be ${seconds(staleMs)} behind the cluster: it is ${now.state}${error === undefined ? '' : ` after: ${error.message}`}.`,
        'Check whether the API server can be reached from here. The informer retries by itself; until then, do not conclude that missing objects do not exist.',
      ],
  ];
}

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
        `${reads.searches} reads of the lister of ${name} with a selector have examined ${reads.searched} objects and returned ${reads.found} (${percent(reads.found / reads.searched)}). Each of these reads examines all objects.`,
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

const named = (names: readonly string[]): string =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;

function consumerRules(now: InformerFacts, earlier: readonly Facts[]): Found[] {
  const before = earlier.at(-1) as InformerFacts | undefined;
  return now.consumers.flatMap(({ name, waiting, behindMs, delivered, slow, slowestMs }): Found[] => {
    const then = before?.consumers.find((consumer) => consumer.name === name);
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
    ];
  });
}

function viewRules(now: ViewFacts): Found[] {
  const { name, computed, unchanged, durationMs } = now;
  const isIdle = computed >= limits.computed && unchanged >= computed * limits.withoutEffect;
  return [
    isIdle && [
      'no-effect',
      `The view ${name} has computed ${computed} values, and ${unchanged} of them (${percent(unchanged / computed)}) were equal to the previous one: ${seconds(durationMs)} of work without an effect. Its inputs (${named(now.inputs)}) change in fields that it does not use.`,
      'Insert a view that selects the used fields, or give the informer a transform that drops the others: unchanged values are not computed again.',
    ],
  ];
}

function controllerRules({ name, busiest }: ControllerFacts): Found[] {
  if (busiest === undefined || busiest.calls < limits.callsPerMinute || busiest.forMs < limits.withoutPauseMs) return [];
  const { key, calls, cause, forMs } = busiest;
  return [
    [
      'hot-key',
      `The controller ${name} was called for ${key} ${calls} times within a minute, without a pause for ${seconds(forMs)}, the last time because of ${cause}. Probably its own writes trigger it, or requeueAfterMs is too short.`,
      'Write only if something differs, ignore changes of the status (filterUpdates with generationChanged), and use a longer requeueAfterMs.',
    ],
  ];
}

function electorRules({ name, late, lateAt, longestPauseMs, renewDeadlineMs, retryPeriodMs, at }: ElectorFacts): Found[] {
  if (lateAt === undefined || at - lateAt > limits.lateMs) return [];
  return [
    [
      'late-renewal',
      `The lease ${name} was renewed late ${late === 1 ? 'once' : `${late} times`}: ${seconds(longestPauseMs)} passed between two renewals that should be ${seconds(retryPeriodMs)} apart; after ${seconds(renewDeadlineMs)} the leadership ends. The API server answers slowly, or something in this program blocks the event loop.`,
      'See whether there is a warning about a slow handler, and check the CPU limit of the container; a longer leaseDurationMs and renewDeadlineMs give more time.',
    ],
  ];
}

function rightsRules({ name, permitted, refused }: RightsFacts): Found[] {
  if (refused.length === 0) return [];
  return [
    [
      'rights',
      `This program may list and watch ${name} in ${permitted} namespaces, and not in ${refused.length}: ${named(refused)}. Objects in these namespaces look as if they did not exist.`,
      `Grant list and watch of ${name} in these namespaces, or pass the intended ones as \`candidates\`.`,
    ],
  ];
}

/** The warnings of one thing, from its current figures and earlier ones. */
function warningsOf(now: Facts, earlier: readonly Facts[], staleAfterMs: number): Warning[] {
  const found = ((): Found[] => {
    switch (now.kind) {
      case 'informer':
        return [...linkRules(now, staleAfterMs), ...useRules(now), ...consumerRules(now, earlier)];
      case 'view':
        return viewRules(now);
      case 'controller':
        return controllerRules(now);
      case 'elector':
        return electorRules(now);
      case 'rights':
        return rightsRules(now);
      default:
        return [];
    }
  })();
  return found.flatMap((one) => (one === undefined || one === false ? [] : [warningOf(one, now)]));
}

function warningOf([code, message, remedy]: Finding, { kind, name }: Warning['subject']): Warning {
  return { code, subject: { kind, name }, message, remedy, link: `docs/warnings.md#${code}` };
}

/** Warnings about informers with the same client and selection. */
function twinWarnings(all: readonly Facts[]): Warning[] {
  const groups = new Map<string, InformerFacts[]>();
  for (const facts of all) {
    if (facts.kind !== 'informer' || facts.twin === undefined) continue;
    groups.set(facts.twin, [...(groups.get(facts.twin) ?? []), facts]);
  }
  return [...groups.values()].flatMap((twins) => {
    const [first] = twins;
    if (first === undefined || twins.length === 1) return [];
    const names = [...new Set(twins.map(({ name }) => name))].join(', ');
    const found: Finding = [
      'twins',
      `${twins.length} informers (${names}) watch the same: ${first.resource}, ${first.selection}. The API server sends everything ${twins.length} times, and ${first.objects} objects are cached ${twins.length} times.`,
      'Share one informer, for example with createInformerFactory.',
    ];
    return [warningOf(found, first)];
  });
}

/** The size of the heap at one observation. */
interface HeapLook {
  readonly at: number;
  readonly bytes: number;
  readonly objects: number;
}

/** Warns of growing memory while caches do not grow. The smallest size in each third approximates the heap after a garbage collection. */
function memoryWarnings(looks: readonly HeapLook[]): Warning[] {
  const [first] = looks;
  const last = looks.at(-1);
  if (first === undefined || last === undefined || looks.length < 9 || last.at - first.at < limits.heapMs) return [];
  const third = Math.floor(looks.length / 3);
  const least = (from: number, to: number): number => Math.min(...looks.slice(from, to).map(({ bytes }) => bytes));
  const [early, middle, late] = [least(0, third), least(third, 2 * third), least(2 * third, looks.length)];
  const grows = early < middle && middle < late && late >= early * limits.heapShare && late - early >= limits.heapBytes;
  if (!grows || last.objects > first.objects * 1.1) return [];
  const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
  const found: Finding = [
    'memory',
    `The heap of this process has grown from ${mb(early)} to ${mb(late)} in ${seconds(last.at - first.at)}, while its caches hold ${last.objects} objects as before (${first.objects}). Something else retains memory.`,
    'Look for subscribers that are behind, and for your own maps whose entries are never deleted; a heap snapshot (--heapsnapshot-signal of Node) shows what retains the memory.',
  ];
  return [warningOf(found, { kind: 'process', name: 'memory' })];
}

/** Options of {@link diagnose}. */
export interface DiagnoseOptions {
  /** How far a cache without a working watch may be behind, in milliseconds. @defaultValue 60000 */
  readonly staleAfterMs?: number | undefined;
}

/** Calls closer together than this are not compared for growth. */
const apartMs = 5_000;
/** How many earlier observations of each thing, and of the heap, are kept. */
const keptLooks = 4;
const keptHeaps = 60;

/** Observes everything that runs, and remembers earlier observations. */
export class Doctor {
  private readonly looks = new WeakMap<Running, Facts[]>();
  private readonly heaps: HeapLook[] = [];
  private readonly heapBytes: () => number | undefined;

  constructor(heapBytes: () => number | undefined) {
    this.heapBytes = heapBytes;
  }

  look(running: readonly Running[], staleAfterMs: number): Warning[] {
    const all: Facts[] = [];
    const warnings: Warning[] = [];
    for (const each of running) {
      const now = each.facts();
      const earlier = this.looks.get(each) ?? [];
      all.push(now);
      warnings.push(
        ...warningsOf(
          now,
          earlier.filter(({ at }) => now.at - at >= apartMs),
          staleAfterMs,
        ),
      );
      this.remember(each, earlier, now);
    }
    this.weigh(all);
    return [...warnings, ...twinWarnings(all), ...memoryWarnings(this.heaps)];
  }

  private remember(running: Running, earlier: Facts[], now: Facts): void {
    const last = earlier.at(-1);
    if (last !== undefined && now.at - last.at < apartMs) return;
    earlier.push(now);
    if (earlier.length > keptLooks) earlier.shift();
    this.looks.set(running, earlier);
  }

  private weigh(all: readonly Facts[]): void {
    const bytes = this.heapBytes();
    const at = Math.max(...all.map((facts) => facts.at));
    const last = this.heaps.at(-1);
    if (bytes === undefined || all.length === 0 || (last !== undefined && at - last.at < apartMs)) return;
    const objects = all.reduce((sum, facts) => sum + ('objects' in facts ? facts.objects : 0), 0);
    this.heaps.push({ at, bytes, objects });
    if (this.heaps.length > keptHeaps) this.heaps.shift();
  }
}

/** The heap in use, if the runtime reports it. */
function heapUsed(): number | undefined {
  const { process } = globalThis as { readonly process?: { memoryUsage?(): { readonly heapUsed: number } } };
  return process?.memoryUsage?.().heapUsed;
}

/**
 * Checks everything that this library runs in the process, and returns warnings with their cause, a remedy, and a page with more about them.
 *
 * It only reads counters that are kept in any case, and starts nothing. Problems that show only over time, such as a subscriber that
 * falls further behind, or growing memory, are found from the second call on, at least 5 s after the first. A manager checks every 30 s.
 *
 * @example
 * ```ts
 * import { diagnose } from 'rx-informer';
 *
 * for (const { message, remedy, link } of diagnose()) console.warn(`${message} ${remedy} See ${link}.`);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function diagnose(options: DiagnoseOptions = {}): readonly Warning[] {
  checkOptions('diagnose', options, { staleAfterMs: rules.durationMs });
  const all = registry();
  all.looks ??= new Doctor(heapUsed);
  return (all.looks as Doctor).look(all.all(), options.staleAfterMs ?? 60_000);
}
