import type { ObjectEvent, ResourceChange } from 'rx-informer';
import { entryHash } from '../wire/contentHash.js';
import type { Pace } from './pace.js';
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
  readonly pace: Pace;
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

/** How many objects are processed at most in one step, and after how many the step may end. */
const mostAtOnce = 250;
const fewestAtOnce = 10;

/** Takes the changes of a collection, large ones in parts, so that the event loop runs other tasks in between. Later changes wait for them. */
export class ScopeIntake {
  private readonly init: IntakeInit;
  private readonly waiting: Waiting[] = [];
  private readonly step = (): void => this.takeStep();

  constructor(init: IntakeInit) {
    this.init = init;
  }

  take(change: ResourceChange<unknown>): void {
    // Nothing has changed.
    if (change.cause === 'resync') return;
    const isFirst = this.waiting.length === 0;
    this.waiting.push({ change, events: change.events, from: 0 });
    if (!isFirst) return;
    if (change.events.length <= fewestAtOnce) this.takeStep();
    else this.init.pace.begin(this.step);
  }

  /** Whether changes are waiting, or one has been taken in part. */
  isBusy(): boolean {
    return this.waiting.length > 0;
  }

  stop(): void {
    this.init.pace.remove(this.step);
  }

  private takeStep(): void {
    const { pace, isHere, take, settled } = this.init;
    const [next] = this.waiting;
    if (next === undefined) return;
    const { change, events } = next;
    const changes: LogChange[] = [];
    const isOver = pace.step();
    for (
      let count = 0;
      next.from < events.length && count < mostAtOnce && !(count > 0 && count % fewestAtOnce === 0 && isOver());
      count += 1
    ) {
      const event = events[next.from] as ObjectEvent<unknown>;
      if (isHere(event.key)) changes.push(this.changeOf(event));
      next.from += 1;
    }
    const isLast = next.from >= events.length;
    if (isLast) this.waiting.shift();
    const whole = isLast && change.cause === 'snapshot' ? new Set(events.map(({ key }) => key).filter(isHere)) : undefined;
    take({ changes, change, whole, isLast });
    if (this.isBusy()) pace.add(this.step);
    else settled();
  }

  private changeOf({ type, key, object }: ObjectEvent<unknown>): LogChange {
    const { shown, groupOf } = this.init;
    const value = type === 'deleted' ? undefined : shown(key, object);
    return value === undefined
      ? { key, group: '', value }
      : { key, group: groupOf(key), value, hash: entryHash(key, value), size: ownBytes(value, object) };
  }
}
