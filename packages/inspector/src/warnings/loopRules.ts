import type { QueueFigures, RightsFigures } from 'rx-informer/internal';
import type { ControllerFacts, ElectorFacts, Facts, ViewFacts } from '../facts.js';
import { type Found, hasGrown, named, percent, seconds } from './finding.js';

/** The thresholds. */
const limits = {
  /**
   * Calls for one key within a minute, and for how long they came without a pause of a second. A rollout causes as many calls, but ends
   * sooner.
   */
  callsPerMinute: 300,
  withoutPauseMs: 30_000,
  /** Consecutive failures of a key. */
  attempts: 5,
  /** How long a control loop has waited for its caches. */
  waitingMs: 60_000,
  /** Waiting items of a queue. */
  waiting: 100,
  /** Computations of a view, and the smallest share of them that changed nothing. */
  computed: 1_000,
  withoutEffect: 0.95,
  /** How long a late renewal is reported. */
  lateMs: 600_000,
} as const;

/** The rules about views. */
export function viewRules(now: ViewFacts): Found[] {
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

/** The rules about control loops. */
export function controllerRules(now: ControllerFacts, earlier: readonly Facts[]): Found[] {
  return [isHot(now), isFailing(now, earlier), isWaiting(now)];
}

function isHot({ name, busiest }: ControllerFacts): Found {
  if (busiest === undefined || busiest.calls < limits.callsPerMinute || busiest.forMs < limits.withoutPauseMs) return undefined;
  const { key, calls, cause, forMs } = busiest;
  return [
    'hot-key',
    `The controller ${name} was called for ${key} ${calls} times within a minute, without a pause for ${seconds(forMs)}, the last time because of ${cause}. Probably its own writes trigger it, or requeueAfterMs is too short.`,
    'Write only if something differs, ignore changes of the status (filterUpdates with generationChanged), and use a longer requeueAfterMs.',
  ];
}

function isFailing({ name, failing, succeeded }: ControllerFacts, earlier: readonly Facts[]): Found {
  const stubborn = failing.filter(({ attempts }) => attempts >= limits.attempts);
  const [first] = stubborn;
  const before = earlier.at(-1) as ControllerFacts | undefined;
  if (first === undefined || before === undefined) return undefined;
  const others =
    succeeded === before.succeeded
      ? 'No call has succeeded since the last look'
      : `${succeeded - before.succeeded} other calls have succeeded since the last look`;
  return [
    'failing-controller',
    `The controller ${name} fails for ${stubborn.length === 1 ? 'one key' : `${stubborn.length} keys`} (${named(stubborn.map(({ key }) => key))}), ${limits.attempts} times in a row or more, for ${first.key} with: ${first.message}. ${others}.`,
    'Mend the cause. A failure that no retry can mend should be written into the status of its object, and not be thrown.',
  ];
}

const isWaiting = ({ name, phase, forMs, waitsFor }: ControllerFacts): Found =>
  phase === 'syncing' &&
  forMs >= limits.waitingMs && [
    'waiting',
    `The controller ${name} has waited for its caches for ${seconds(forMs)}${waitsFor.length === 0 ? '' : `: ${named(waitsFor)} ${waitsFor.length === 1 ? 'has' : 'have'} not synced`}. Nothing is reconciled until they have.`,
    'See health$ and error$ of these caches: is each one started, and may it list and watch?',
  ];

/** The rules about queues. */
export function queueRules({ name, waiting }: QueueFigures, earlier: readonly Facts[]): Found[] {
  const before = (earlier as readonly QueueFigures[]).map((facts) => facts.waiting);
  return [
    waiting >= limits.waiting &&
      hasGrown([...before, waiting]) && [
        'queue',
        `The queue ${name} grows: ${[...before, waiting].join(', ')} items were waiting at the last ${before.length + 1} looks. Items are added faster than they are processed.`,
        'Process more of them at once (`concurrent`), do less for each, or trigger less often (filterUpdates, debounceByKey).',
      ],
  ];
}

/** The rules about candidates for a lease. */
export function electorRules({ name, late, lateAt, longestPauseMs, renewDeadlineMs, retryPeriodMs, at }: ElectorFacts): Found[] {
  if (lateAt === undefined || at - lateAt > limits.lateMs) return [];
  return [
    [
      'late-renewal',
      `The lease ${name} was renewed late ${late === 1 ? 'once' : `${late} times`}: ${seconds(longestPauseMs)} passed between two renewals that should be ${seconds(retryPeriodMs)} apart; after ${seconds(renewDeadlineMs)} the leadership ends. The API server answers slowly, or something in this program blocks the event loop.`,
      'See whether there is a warning about a slow handler, and check the CPU limit of the container; a longer leaseDurationMs and renewDeadlineMs give more time.',
    ],
  ];
}

/** The rules about permission checks. */
export function rightsRules({ name, permitted, refused }: RightsFigures): Found[] {
  if (refused.length === 0) return [];
  return [
    [
      'rights',
      `This program may list and watch ${name} in ${permitted} namespaces, and not in ${refused.length}: ${named(refused)}. Objects in these namespaces look as if they did not exist.`,
      `Grant list and watch of ${name} in these namespaces, or pass the intended ones as \`candidates\`.`,
    ],
  ];
}
