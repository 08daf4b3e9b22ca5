import { checkOptions, registry, rules, type Running } from 'rx-informer/internal';
import { type Facts, factsOf, type InformerFacts, numberOf, type ViewFacts } from '../facts.js';
import { withInputs } from '../secrets.js';
import { type Finding, type Found, hasGrown, named, seconds } from './finding.js';
import { informerRules } from './informerRules.js';
import { controllerRules, electorRules, queueRules, rightsRules, viewRules } from './loopRules.js';
import type { Warning, WarningCode } from './warning.js';

/** The thresholds of what holds for all of them. */
const limits = {
  /** Subscribers of a collection whose number grows. */
  subscribers: 200,
  /** The growth of the heap after garbage collections, as a share and in bytes, within this time. */
  heapShare: 1.2,
  heapBytes: 33_554_432,
  heapMs: 300_000,
} as const;

/** Rules about all collections: growing numbers of subscribers, and keys without a current value. */
function collectionRules(now: InformerFacts | ViewFacts, earlier: readonly Facts[]): Found[] {
  const { kind, name, degraded, objects, subscribers } = now;
  const before = earlier as readonly (InformerFacts | ViewFacts)[];
  const lasting = degraded.filter((key) => before.at(-1)?.degraded.includes(key));
  const counts = [...before.map((facts) => facts.subscribers), subscribers];
  const what = kind === 'view' ? 'function' : 'transform';
  return [
    lasting.length > 0 && [
      'degraded',
      `The ${kind} ${name} has no current value for ${lasting.length} keys (${named(lasting)}), beside ${objects} objects: its ${what} fails for them. The last good value of each stays, if there was one.`,
      `Mend the ${what}; error$ has each failure with its key.`,
    ],
    subscribers >= limits.subscribers &&
      hasGrown(counts) && [
        'subscribers',
        `The ${kind} ${name} gains more subscribers than it loses: ${counts.join(', ')} at the last ${counts.length} looks. Each of them is called for each change.`,
        'Unsubscribe when a component or a request ends: takeUntil, firstValueFrom, or the teardown of an Observable.',
      ],
  ];
}

/** The warnings of one thing, from its current figures and earlier ones. */
function warningsOf(now: Facts, earlier: readonly Facts[], staleAfterMs: number): Warning[] {
  const found = ((): Found[] => {
    switch (now.kind) {
      case 'informer':
        return [...informerRules(now, earlier, staleAfterMs), ...collectionRules(now, earlier)];
      case 'view':
        return [...viewRules(now), ...collectionRules(now, earlier)];
      case 'queue':
        return queueRules(now, earlier);
      case 'controller':
        return controllerRules(now, earlier);
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
  return { code, subject: { kind, name }, message, remedy, link: `docs/troubleshooting.md#${code}` };
}

/** Warnings about informers with the same client and selection. */
function twinWarnings(all: ReadonlyMap<Running, Facts>): Warning[] {
  const groups = new Map<string, InformerFacts[]>();
  for (const [running, facts] of all) {
    const client = running.readsWith?.();
    if (facts.kind !== 'informer' || client === undefined) continue;
    const same = `${numberOf(client)} ${facts.resource} ${facts.selection}`;
    groups.set(same, [...(groups.get(same) ?? []), facts]);
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
    `The heap of this process has grown from ${mb(early)} to ${mb(late)} in ${seconds(last.at - first.at)}, while its caches hold ${last.objects} objects, and held ${first.objects} then. Something else retains memory.`,
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
const keptHeaps = 90;
/** The warnings that say why a cache does not sync. */
const blocking: ReadonlySet<WarningCode> = new Set(['brief-watches', 'forbidden', 'relists', 'rights', 'stale']);

/** Observes everything that runs, and remembers earlier observations. */
export class Doctor {
  private readonly looks = new WeakMap<Running, Facts[]>();
  private readonly heaps: HeapLook[] = [];
  private readonly heapBytes: () => number | undefined;

  constructor(heapBytes: () => number | undefined) {
    this.heapBytes = heapBytes;
  }

  look(running: readonly Running[], staleAfterMs: number): Warning[] {
    const all = new Map<Running, Facts>();
    const found = new Map<Running, readonly Warning[]>();
    for (const each of running) {
      const now = factsOf(each);
      const earlier = this.looks.get(each) ?? [];
      all.set(each, now);
      const comparable = earlier.filter(({ at }) => now.at - at >= apartMs);
      found.set(each, warningsOf(now, comparable, staleAfterMs));
      this.remember(each, earlier, now);
    }
    this.weigh([...all.values()]);
    const used = new Set(running.flatMap((each) => each.inputs?.() ?? []));
    const isStandby = [...all.values()].some((facts) => facts.kind === 'elector' && !facts.leads);
    const blocks = (awaited: Running): boolean => found.get(awaited)?.some(({ code }) => blocking.has(code)) === true;
    // What waits for something that has a warning of its own has none: one cause, one warning. Caches of a standby, or of a control loop without work, will be read.
    const explained = ({ code }: Warning, each: Running): boolean =>
      code === 'waiting' ? [...withInputs(each.waitsFor?.() ?? [])].some(blocks) : code === 'unread' && (isStandby || used.has(each));
    const warnings = [...found].flatMap(([each, its]) => its.filter((warning) => !explained(warning, each)));
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
    if (all.length === 0) this.heaps.length = 0;
    if (bytes === undefined || all.length === 0 || (last !== undefined && at - last.at < apartMs)) return;
    const objects = all.reduce((sum, facts) => sum + ('objects' in facts ? facts.objects : 0), 0);
    this.heaps.push({ at, bytes, objects });
    if (this.heaps.length > keptHeaps) this.heaps.shift();
  }
}

/** The doctor of each registry. */
const doctors = new WeakMap<object, Doctor>();

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
 * import { diagnose } from '@rx-informer/inspector';
 *
 * for (const { message, remedy, link } of diagnose()) console.warn(`${message} ${remedy} See ${link}.`);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function diagnose(options: DiagnoseOptions = {}): readonly Warning[] {
  checkOptions('diagnose', options, { staleAfterMs: rules.durationMs });
  const all = registry();
  const doctor = doctors.get(all) ?? new Doctor(heapUsed);
  doctors.set(all, doctor);
  return doctor.look(all.all(), options.staleAfterMs ?? 60_000);
}
