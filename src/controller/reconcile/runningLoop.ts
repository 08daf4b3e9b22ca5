import { messageOf } from '../../api/errors/informerError.js';
import type { ControllerFacts } from '../../api/running/facts.js';
import type { Running } from '../../api/running/registry.js';
import type { ReconcileSettings } from './reconcileConfig.js';
import type { ReconcileRun } from './reconcileRun.js';
import type { TriggerReason } from './trigger.js';

/** The number of keys counted per minute; a key that is called again and again is among them. */
const countedKeys = 4096;
const windowMs = 60_000;
/** Calls further apart than this do not count as consecutive. */
const pauseMs = 1_000;
/** The maximum number of failing keys that are named. */
const namedKeys = 100;

interface KeyCalls {
  readonly calls: number;
  readonly lastAt: number;
  /** When the current series of consecutive calls began. */
  readonly since: number;
}

/** Finds the key with the most calls per minute. */
class BusyKeys {
  private readonly counts = new Map<string, KeyCalls>();
  private busiest: ControllerFacts['busiest'];
  private before: ControllerFacts['busiest'];
  private from = -Infinity;

  note(key: string, now: number, reasons: readonly TriggerReason[]): void {
    this.turn(now);
    const known = this.counts.get(key);
    if (known === undefined && this.counts.size >= countedKeys) return;
    const calls = (known?.calls ?? 0) + 1;
    const since = known !== undefined && now - known.lastAt <= pauseMs ? known.since : now;
    this.counts.set(key, { calls, lastAt: now, since });
    if (calls <= (this.busiest?.calls ?? 0)) return;
    const cause = reasons.map(({ source, cause: by }) => `${source} (${by})`).join(', ');
    this.busiest = { key, calls, forMs: now - since, cause };
  }

  /** The busiest key of this minute or the last one, whichever had more calls. */
  read(now: number): ControllerFacts['busiest'] {
    this.turn(now);
    return (this.before?.calls ?? 0) > (this.busiest?.calls ?? 0) ? this.before : this.busiest;
  }

  private turn(now: number): void {
    const passedMs = now - this.from;
    if (passedMs < windowMs) return;
    this.before = passedMs < 2 * windowMs ? this.busiest : undefined;
    this.busiest = undefined;
    this.counts.clear();
    this.from = now;
  }
}

/** The state of a loop for the registry. */
interface LoopState {
  readonly phase: string;
  readonly runs: Iterable<ReconcileRun>;
  readonly failures: ReadonlyMap<string, { readonly attempts: number }>;
  readonly waiting: number;
  readonly delayed: number;
}

/** The name of a loop. */
export function nameOf({ name, sources }: ReconcileSettings): string {
  const names = sources.map(([source]) => source).join(', ');
  return name ?? (names === '' ? 'loop' : names);
}

/** The registry's entry of a control loop. */
export class RunningLoop implements Running {
  private readonly settings: ReconcileSettings;
  private readonly state: () => LoopState;
  private readonly name: string;
  readonly busy: BusyKeys = new BusyKeys();
  private readonly messages = new Map<string, string>();
  private readonly count = { succeeded: 0, failed: 0 };

  constructor(settings: ReconcileSettings, state: () => LoopState) {
    this.settings = settings;
    this.state = state;
    this.name = nameOf(settings);
  }

  succeeded(key: string): void {
    this.count.succeeded += 1;
    if (this.messages.size > 0) this.messages.delete(key);
  }

  failed(key: string, error: unknown): void {
    this.count.failed += 1;
    if (this.messages.size < namedKeys || this.messages.has(key)) this.messages.set(key, messageOf(error));
  }

  facts(): ControllerFacts {
    const at = this.settings.scheduler.now();
    const { phase, runs, failures, waiting, delayed } = this.state();
    const failing = [...failures]
      .slice(0, namedKeys)
      .map(([key, { attempts }]) => ({ key, attempts, message: this.messages.get(key) ?? '' }));
    const running = [...runs].map(({ request: { key, attempt }, startedAt }) => ({ key, attempt, forMs: at - startedAt }));
    return {
      kind: 'controller',
      name: this.name,
      at,
      phase,
      waiting,
      delayed,
      running,
      failing,
      ...this.count,
      busiest: this.busy.read(at),
    };
  }
}
