import { type MonoTypeOperatorFunction, Observable, type Observer, type Subscriber } from 'rxjs';

/** A queue with constant time at both ends, made of two arrays. Both are only pushed and popped, so they keep their memory for the next values. */
export class Fifo<V> {
  private incoming: V[] = [];
  /** The oldest values, in reverse: the next one to take is last. */
  private outgoing: V[] = [];

  get size(): number {
    return this.incoming.length + this.outgoing.length;
  }

  push(value: V): void {
    this.incoming.push(value);
  }

  shift(): V | undefined {
    if (this.outgoing.length === 0) {
      if (this.incoming.length < 2) return this.incoming.pop();
      [this.outgoing, this.incoming] = [this.incoming.reverse(), this.outgoing];
    }
    return this.outgoing.pop();
  }

  clear(): void {
    this.incoming = [];
    this.outgoing = [];
  }
}

type Action = () => void;

/** Empty queues of levels are kept between turns. If there are more levels than this, all of them are dropped. */
const keptLevels = 64;

/** The actions of the `settle` phase, lowest level first: a derived view has a higher level than its inputs. */
class Levels {
  private readonly byLevel: (Fifo<Action> | undefined)[] = [];
  private lowest = 0;
  /** How many actions are queued. */
  count = 0;

  push(action: Action, level: number): void {
    if (this.count === 0 || level < this.lowest) this.lowest = level;
    this.count += 1;
    (this.byLevel[level] ??= new Fifo<Action>()).push(action);
  }

  shift(): Action | undefined {
    while (this.count > 0) {
      const action = this.byLevel[this.lowest]?.shift();
      if (action !== undefined) {
        this.count -= 1;
        if (this.count === 0 && this.byLevel.length > keptLevels) this.byLevel.length = 0;
        return action;
      }
      this.lowest += 1;
    }
    return undefined;
  }

  /** Moves all actions to another queue. */
  moveTo(other: Levels): void {
    if (this.count === 0) return;
    for (const [level, waiting] of this.byLevel.entries()) {
      for (let action = waiting?.shift(); action !== undefined; action = waiting?.shift()) other.push(action, level);
    }
    this.count = 0;
  }
}

/** The number of drains that have begun, in all graphs. */
let begun = 0;

/** The queued actions of one graph, by phase. */
class Turns {
  /** The value of `begun` at the start of the current drain; 0 while there is none. */
  busySince = 0;
  private readonly turns = new Fifo<Action>();
  private readonly settling = new Levels();
  private readonly notifying = new Fifo<Action>();
  private readonly afterwards = new Fifo<Action>();
  /** How many actions are queued: a turn that queues none looks at no queue. */
  private queued = 0;
  /** The queues that replaced these when the graph joined another. */
  private movedTo: Turns | undefined;

  /** Queues an action as a turn, or for a phase of the present turn; without one, runs it now, in a turn of its own. Only `settling` has levels. */
  add(phase: 'turns' | 'settling' | 'notifying' | 'afterwards', action: Action, level: number = 0): void {
    if (this.busySince === 0) {
      this.drain(action);
      return;
    }
    this.queued += 1;
    this[phase].push(action, level);
  }

  /** Moves all queued actions to other queues. */
  moveTo(other: Turns): void {
    this.settling.moveTo(other.settling);
    for (const phase of ['turns', 'notifying', 'afterwards'] as const) {
      for (let action = this[phase].shift(); action !== undefined; action = this[phase].shift()) other[phase].push(action);
    }
    other.queued += this.queued;
    this.queued = 0;
    this.movedTo = other;
  }

  /**
   * Runs an action, then all queued ones, phase by phase and turn by turn. If this graph has joined another graph whose turn caused this one, only the `settle`
   * phase runs here: the remaining callbacks of that turn must find everything settled. The other graph runs the later phases.
   */
  drain(first: Action): void {
    begun += 1;
    this.busySince = begun;
    let failed = false;
    let failure: unknown;
    let action: Action | undefined = first;
    try {
      while (action !== undefined) {
        try {
          action();
        } catch (error) {
          if (!failed) failure = error;
          failed = true;
        }
        // Nearly always nothing is queued.
        action = this.queued === 0 && this.movedTo === undefined ? undefined : this.next();
      }
    } finally {
      this.busySince = 0;
    }
    if (failed) throw failure;
  }

  private next(): Action | undefined {
    if (this.movedTo !== undefined) {
      const last = this.last();
      const action = last.settling.shift();
      if (action !== undefined) last.queued -= 1;
      return action;
    }
    this.queued -= 1;
    if (this.settling.count > 0) return this.settling.shift();
    return this.notifying.shift() ?? this.afterwards.shift() ?? this.turns.shift();
  }

  private last(): Turns {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the first of a chain
    let turns: Turns = this;
    while (turns.movedTo !== undefined) turns = turns.movedTo;
    return turns;
  }
}

/**
 * Serialises the changes of caches that depend on one another, so that each one has reached all subscribers before the next one begins.
 *
 * ```text
 * run(a)      (cache changes)(views settle, lowest level first)(subscribers get it)(afterwards)
 * run(b)      called by a subscriber of a                                                        (cache changes)...
 * ```
 *
 * A turn has four phases: the action itself, which changes a cache; `settle`, in which derived views are updated; `notify`, in which subscribers get the
 * change, those of the cache before those of views; and `after`. Work added to a phase outside of any turn runs in a new turn. An action that throws does not
 * affect the others; the first error is thrown after all turns.
 *
 * The trampolines of one graph of informers and views share their turns. They form a disjoint-set forest (union by size, path compression): a member keeps at
 * most log2(size) others alive, and the root keeps none.
 */
export class Trampoline {
  private parent: Trampoline | undefined;
  /** The number of trampolines that have joined; valid at the root only. */
  private size = 1;
  /** The turns of the graph; valid at the root only. */
  private own: Turns | undefined = new Turns();

  /** Runs an action as the start of a turn: now, or after the queued turns. */
  run(action: () => void): void {
    (this.own ?? this.graph()).add('turns', action);
  }

  /** Runs an action now: in the current turn, or as a turn of its own. */
  enter(action: () => void): void {
    if (this.isBusy()) action();
    else this.run(action);
  }

  /**
   * Within a turn: runs the action when all lower levels have settled, and before any subscriber gets the change.
   *
   * @param level - an integer, 0 or more.
   */
  settle(level: number, action: () => void): void {
    (this.own ?? this.graph()).add('settling', action, level);
  }

  /** Within a turn: runs the action when everything has settled, in the order of the calls. */
  notify(action: () => void): void {
    (this.own ?? this.graph()).add('notifying', action);
  }

  /** Within a turn: runs the action when all subscribers have received the change. */
  after(action: () => void): void {
    (this.own ?? this.graph()).add('afterwards', action);
  }

  /** Whether a turn is under way. */
  isBusy(): boolean {
    return (this.own ?? this.graph()).busySince > 0;
  }

  /** Makes both share their turns; queued actions keep their order. */
  join(other: Trampoline): void {
    const [mine, theirs] = [this.root(), other.root()];
    if (mine === theirs) return;
    const [root, child] = mine.size >= theirs.size ? [mine, theirs] : [theirs, mine];
    root.size += child.size;
    root.own = united(mine.own as Turns, theirs.own as Turns);
    child.own = undefined;
    child.parent = root;
  }

  /** The turns of the graph that this trampoline has joined. */
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

/**
 * Unites the turns of two graphs and returns the ones that stay: those being drained. If both are being drained, the outer ones stay and drain what the inner
 * ones have queued.
 */
function united(mine: Turns, theirs: Turns): Turns {
  const isTheirs = theirs.busySince > 0 && (mine.busySince === 0 || theirs.busySince < mine.busySince);
  const [stays, goes] = isTheirs ? [theirs, mine] : [mine, theirs];
  goes.moveTo(stays);
  return stays;
}

/**
 * Serialises re-entrant notifications: each one reaches every subscriber downstream before the next one begins, even if a subscriber causes the next one.
 *
 * ```text
 * source  a            a handler below reacts to a by making the source emit b
 * below   (a..a)(b..b) b waits until every subscriber is done with a
 * ```
 *
 * Errors and completion are queued like values. Unsubscribing drops the queue.
 *
 * @example
 * ```ts
 * import { trampoline } from 'rx-informer/pipeline';
 * import { share, Subject } from 'rxjs';
 *
 * const source = new Subject<string>();
 * const turns = source.pipe(trampoline(), share());
 * turns.subscribe((value) => {
 *   if (value === 'a') source.next('b');
 * });
 * turns.subscribe((value) => console.log(value)); // a, then b; without the trampoline b, then a
 * source.next('a');
 * ```
 *
 * @param turns - the trampoline to use; by default each subscription has its own.
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
 * Subscribes to `source` on behalf of `subscriber`, so that a synchronous source stops as soon as `subscriber` is closed.
 *
 * Notifications without a callback in `observer` go to `subscriber`.
 */
export function follow<T>(source: Observable<T>, subscriber: Subscriber<never>, observer: Partial<Observer<T>>): void {
  const observed = new Observable<T>((observing) => {
    subscriber.add(observing);
    if (!observing.closed) source.subscribe(observing);
  });
  observed.subscribe({
    error: (error: unknown) => subscriber.error(error),
    complete: () => subscriber.complete(),
    ...observer,
  });
}
