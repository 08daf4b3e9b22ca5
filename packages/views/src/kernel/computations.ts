import type { Collection, ResourceChange } from 'rx-informer';
import type { ViewCounters, ViewExplanation } from '../view.js';
import type { InputLink } from './reads/inputLink.js';

/** The change that caused a computation. */
export type Cause = NonNullable<ViewExplanation['cause']>;

/** A change without events, for computations that no change of an input has caused. */
export const noChange: ResourceChange<unknown> = { cause: 'view', events: [], synced: true };

/** The time and the cause of a computation. */
export type Computation = Pick<ViewExplanation, 'cause' | 'computedAt' | 'durationMs'>;

/** The maximum number of keys of a change that an explanation names. */
const namedKeys = 10;

/**
 * The history of a view's computations: the last one of each value, and counters.
 */
export class Computations {
  readonly counted: { -readonly [Name in keyof ViewCounters]: number } = {
    computed: 0,
    unchanged: 0,
    failed: 0,
    durationMs: 0,
    changes: 0,
  };
  private readonly byKey = new Map<string, Computation>();
  /** The current computation. */
  private current: { -readonly [Name in keyof Computation]: Computation[Name] } = { cause: undefined, computedAt: 0, durationMs: 0 };
  private lastCause: { readonly of: Collection<never>; readonly change: ResourceChange<unknown>; readonly cause: Cause } | undefined;

  /** The last computation of a value. */
  of(key: string): Computation | undefined {
    return this.byKey.get(key);
  }

  begin(cause: Cause | undefined, computedAt: number): void {
    this.current = { cause, computedAt, durationMs: 0 };
  }

  /** Records that the current computation made the value of a key. */
  made(key: string): void {
    this.byKey.set(key, this.current);
  }

  end(now: number): void {
    this.current.durationMs = now - this.current.computedAt;
    this.counted.computed += 1;
    this.counted.durationMs += this.current.durationMs;
  }

  forget(key: string): void {
    this.byKey.delete(key);
  }

  clear(): void {
    this.byKey.clear();
    this.lastCause = undefined;
  }

  /** The summary of an input's change, made once for all keys it affects. */
  causeOf({ collection, reader }: InputLink<never>, change: ResourceChange<unknown>): Cause {
    // A change without events may be that of several inputs.
    if (this.lastCause?.change === change && this.lastCause.of === collection) return this.lastCause.cause;
    const keys =
      change.cause === 'snapshot' ? reader.listKeys().slice(0, namedKeys) : change.events.slice(0, namedKeys).map(({ key }) => key);
    const cause = { collection: collection.name, cause: change.cause, keys };
    this.lastCause = { of: collection, change, cause };
    return cause;
  }
}
