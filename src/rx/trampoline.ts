import { type MonoTypeOperatorFunction, Observable, type Observer, type Subscriber, takeUntil } from 'rxjs';

/** Below this, moving the rest to the front is not worth it. */
const compactFrom = 1024;

/** A queue that takes constant time at both ends. */
export class Fifo<V> {
  private values: (V | undefined)[] = [];
  private head = 0;

  get size(): number {
    return this.values.length - this.head;
  }

  push(value: V): void {
    this.values.push(value);
  }

  shift(): V | undefined {
    const { values } = this;
    if (this.head === values.length) return undefined;
    const value = values[this.head];
    values[this.head] = undefined;
    this.head += 1;
    if (this.head === values.length) this.clear();
    else if (this.head >= compactFrom && this.head * 2 > values.length) {
      this.values = values.slice(this.head);
      this.head = 0;
    }
    return value;
  }

  clear(): void {
    this.values = [];
    this.head = 0;
  }
}

type Action = () => void;

/** Levels above this one are not kept between two turns. */
const keptLevels = 64;

/** What is to settle, lowest level first: what is derived from others has a higher level than they have. */
class Levels {
  private readonly byLevel: (Fifo<Action> | undefined)[] = [];
  private lowest = 0;
  private count = 0;

  push(level: number, action: Action): void {
    if (this.count === 0 || level < this.lowest) this.lowest = level;
    this.count += 1;
    (this.byLevel[level] ??= new Fifo<Action>()).push(action);
  }

  shift(): Action | undefined {
    while (this.count > 0) {
      const action = this.byLevel[this.lowest]?.shift();
      if (action !== undefined) {
        this.count -= 1;
        return action;
      }
      this.lowest += 1;
    }
    if (this.byLevel.length > keptLevels) this.byLevel.length = 0;
    return undefined;
  }

  /** Moves everything to another one. */
  moveTo(other: Levels): void {
    if (this.count === 0) return;
    for (const [level, waiting] of this.byLevel.entries()) {
      for (let action = waiting?.shift(); action !== undefined; action = waiting?.shift()) other.push(level, action);
    }
    this.count = 0;
  }
}

/** How many runs of turns have begun, in all graphs. */
let begun = 0;

/** Work that waits for its turn, and for its phase within a turn. One for each graph. */
class Turns {
  /** When the turns under way began, as a number that grows; 0 while there are none. */
  busySince = 0;
  readonly turns: Fifo<Action> = new Fifo<Action>();
  readonly settling: Levels = new Levels();
  readonly telling: Fifo<Action> = new Fifo<Action>();
  readonly afterwards: Fifo<Action> = new Fifo<Action>();
  /** Where everything that waited here waits since another graph has joined this one. */
  private movedTo: Turns | undefined;

  /** What waits here waits there from now on. */
  moveTo(other: Turns): void {
    this.settling.moveTo(other.settling);
    for (const phase of ['turns', 'telling', 'afterwards'] as const) {
      for (let action = this[phase].shift(); action !== undefined; action = this[phase].shift()) other[phase].push(action);
    }
    this.movedTo = other;
  }

  /**
   * Runs everything that waits, phase by phase and turn by turn. After a join into a graph whose turn has caused this one, everything settles here: the
   * rest of that turn's callbacks must find it settled. That graph has the rest.
   */
  drain(): void {
    begun += 1;
    this.busySince = begun;
    let failed = false;
    let failure: unknown;
    try {
      for (let action = this.next(); action !== undefined; action = this.next()) {
        try {
          action();
        } catch (error) {
          if (!failed) failure = error;
          failed = true;
        }
      }
    } finally {
      this.busySince = 0;
    }
    if (failed) throw failure;
  }

  private next(): Action | undefined {
    if (this.movedTo !== undefined) return this.last().settling.shift();
    return this.settling.shift() ?? this.telling.shift() ?? this.afterwards.shift() ?? this.turns.shift();
  }

  private last(): Turns {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the first of a chain
    let turns: Turns = this;
    while (turns.movedTo !== undefined) turns = turns.movedTo;
    return turns;
  }
}

/**
 * Serialises the changes of caches that depend on one another, so that each is over, for all subscribers, before the next one begins.
 *
 * ```text
 * run(a)      (cache changes)(views settle, lowest level first)(subscribers are told)(afterwards)
 * run(b)      called by a subscriber of a                                                        (cache changes)...
 * ```
 *
 * One turn has four phases: the action itself, which changes a cache; `settle`, in which what is derived from it follows; `tell`, in which
 * subscribers are told, those of the cache before those of what is derived from it; and `after`. Work that is added to a phase outside of any turn gets a turn
 * of its own. An action that throws does not keep the others from running; the first error is thrown when the turns are over.
 *
 * The trampolines of one graph of informers and views share their turns: they are a disjoint set, united by size, with path compression. A member refers to
 * some of those that it has met on its way to the root, at most as many as the logarithm of the size of the graph; the root refers to no member.
 */
export class Trampoline {
  private parent: Trampoline | undefined;
  /** How many have ever joined; counts in the root alone. */
  private size = 1;
  /** The turns of the graph; those of the root count. */
  private own: Turns | undefined = new Turns();

  /** Runs an action as the beginning of a turn: now, or when the turns before it are over. */
  run(action: () => void): void {
    const graph = this.graph();
    graph.turns.push(action);
    if (graph.busySince === 0) graph.drain();
  }

  /** Runs the action now: within the turn under way, or as a turn of its own. */
  enter(action: () => void): void {
    if (this.isBusy()) action();
    else this.run(action);
  }

  /**
   * Within a turn: runs the action when all of a lower level has settled, and before any subscriber gets the change.
   *
   * @param level - an integer, 0 or more.
   */
  settle(level: number, action: () => void): void {
    const graph = this.graph();
    graph.settling.push(level, action);
    if (graph.busySince === 0) graph.drain();
  }

  /** Within a turn: runs the action when everything has settled, behind those that were asked for before. */
  tell(action: () => void): void {
    const graph = this.graph();
    graph.telling.push(action);
    if (graph.busySince === 0) graph.drain();
  }

  /** Within a turn: runs the action when all subscribers have received the change. */
  after(action: () => void): void {
    const graph = this.graph();
    graph.afterwards.push(action);
    if (graph.busySince === 0) graph.drain();
  }

  /** Whether a turn is under way. */
  isBusy(): boolean {
    return this.graph().busySince > 0;
  }

  /** From now on both share their turns; what waits in either keeps its order. */
  join(other: Trampoline): void {
    const [mine, theirs] = [this.root(), other.root()];
    if (mine === theirs) return;
    const [root, child] = mine.size >= theirs.size ? [mine, theirs] : [theirs, mine];
    root.size += child.size;
    root.own = united(mine.own as Turns, theirs.own as Turns);
    child.own = undefined;
    child.parent = root;
  }

  private graph(): Turns {
    return this.root().own as Turns;
  }

  private root(): Trampoline {
    if (this.parent === undefined) return this;
    let root = this.parent;
    while (root.parent !== undefined) root = root.parent;
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the first of a path
    let member: Trampoline = this;
    while (member.parent !== undefined && member.parent !== root) [member.parent, member] = [root, member.parent];
    return root;
  }
}

/** The turns of two graphs that become one. Those under way stay; where both are, the outer ones do, and end what the inner ones have begun. */
function united(mine: Turns, theirs: Turns): Turns {
  const isTheirs = theirs.busySince > 0 && (mine.busySince === 0 || theirs.busySince < mine.busySince);
  const [stays, goes] = isTheirs ? [theirs, mine] : [mine, theirs];
  goes.moveTo(stays);
  return stays;
}

/**
 * Serialises re-entrant notifications: one goes through everything below before the next one begins, also when a subscriber below has caused that.
 *
 * ```text
 * source  a            a handler below reacts to a by making the source emit b
 * below   (a..a)(b..b) b waits until every subscriber is done with a
 * ```
 *
 * Errors and completion wait for their turn too. Unsubscribing drops what waits.
 *
 * @param turns - whose turns the notifications take; by default those of each subscription of its own.
 */
export function trampoline<T>(turns?: Trampoline): MonoTypeOperatorFunction<T> {
  return (source) =>
    new Observable((subscriber) => {
      const own = turns ?? new Trampoline();
      follow(source, subscriber, {
        next: (value) => own.run(() => subscriber.next(value)),
        error: (error: unknown) => own.run(() => subscriber.error(error)),
        complete: () => own.run(() => subscriber.complete()),
      });
    });
}

/**
 * Subscribes to `source` on behalf of `subscriber`, so that a source that emits while it is being subscribed to stops as soon as `subscriber` is closed.
 *
 * What the observer has no callback for goes to `subscriber`.
 */
export function follow<T>(source: Observable<T>, subscriber: Subscriber<never>, observer: Partial<Observer<T>>): void {
  const closed = new Observable<void>((notifier) => {
    const notify = (): void => notifier.next();
    subscriber.add(notify);
    return () => subscriber.remove(notify);
  });
  const observed = source.pipe(takeUntil(closed)).subscribe({
    error: (error: unknown) => subscriber.error(error),
    complete: () => subscriber.complete(),
    ...observer,
  });
  subscriber.add(observed);
}
