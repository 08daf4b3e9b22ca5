import type { SchedulerLike, Subscription } from 'rxjs';
import type { ObjectEvent, ResourceChange } from '../../api/events.js';
import { entryHash } from '../wire/contentHash.js';
import type { LogChange } from './scopeLog.js';

/** A part of a change, as a log takes it. */
export interface IntakePart {
  readonly changes: readonly LogChange[];
  readonly change: ResourceChange<unknown>;
  /** The keys of the whole content, in the last part of a change that replaces it: all others were deleted. */
  readonly whole: ReadonlySet<string> | undefined;
  /** Whether it ends its change. */
  readonly isLast: boolean;
}

/** What is needed to take the changes of a collection. */
export interface IntakeInit {
  readonly scheduler: SchedulerLike;
  readonly isHere: (key: string) => boolean;
  /** What pages get of an object; undefined for nothing. */
  readonly shown: (key: string, object: unknown) => unknown;
  readonly groupOf: (key: string) => string;
  readonly take: (part: IntakePart) => void;
  /** Called when no change is waiting. */
  readonly settled: () => void;
}

interface Waiting {
  readonly change: ResourceChange<unknown>;
  readonly events: readonly ObjectEvent<unknown>[];
  from: number;
}

/** What a value holds that is not a part of the object from which it was made, in bytes, approximately. */
function ownBytes(value: unknown, object: unknown): number {
  if (value === object) return 0;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const from = (typeof object === 'object' && object !== null ? object : {}) as Readonly<Record<string, unknown>>;
  return Object.entries(value).reduce((sum, [name, part]) => sum + 16 + ownBytes(part, from[name]), 48);
}

/** How many objects are processed at most in one turn of the event loop, and for how long in milliseconds. */
const mostAtOnce = 250;
const turnMs = 8;

/** Takes the changes of a collection, large ones in parts, so that the event loop runs other tasks in between. Later changes wait for them. */
export class ScopeIntake {
  private readonly init: IntakeInit;
  private readonly waiting: Waiting[] = [];
  private later: Subscription | undefined;

  constructor(init: IntakeInit) {
    this.init = init;
  }

  take(change: ResourceChange<unknown>): void {
    // Nothing has changed.
    if (change.cause === 'resync') return;
    this.waiting.push({ change, events: change.events.filter(({ key }) => this.init.isHere(key)), from: 0 });
    if (this.later === undefined) this.takeWaiting();
  }

  /** Whether changes are waiting, or one has been taken in part. */
  isBusy(): boolean {
    return this.waiting.length > 0;
  }

  stop(): void {
    this.later?.unsubscribe();
  }

  private takeWaiting(): void {
    const { scheduler, take, settled } = this.init;
    this.later = undefined;
    const until = scheduler.now() + turnMs;
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      const { change, events } = next;
      const changes: LogChange[] = [];
      while (
        next.from < events.length &&
        changes.length < mostAtOnce &&
        (changes.length % 10 > 0 || changes.length === 0 || scheduler.now() < until)
      ) {
        changes.push(this.changeOf(events[next.from] as ObjectEvent<unknown>));
        next.from += 1;
      }
      const isLast = next.from === events.length;
      if (isLast) this.waiting.shift();
      const whole = isLast && change.cause === 'snapshot' ? new Set(events.map(({ key }) => key)) : undefined;
      take({ changes, change, whole, isLast });
      if (isLast) continue;
      this.later = scheduler.schedule(() => this.takeWaiting(), 0);
      return;
    }
    settled();
  }

  private changeOf({ type, key, object }: ObjectEvent<unknown>): LogChange {
    const { shown, groupOf } = this.init;
    const value = type === 'deleted' ? undefined : shown(key, object);
    return value === undefined
      ? { key, group: '', value }
      : { key, group: groupOf(key), value, hash: entryHash(key, value), size: ownBytes(value, object) };
  }
}
