/** What is to settle, and what it waits for: all of a lower level. */
interface Settling {
  readonly level: number;
  readonly action: () => void;
}

/** Work that waits for its turn, and for its phase within a turn. */
interface Queues {
  /** When the turns under way began, as a number that grows; 0 while there are none. */
  busySince: number;
  readonly turns: (() => void)[];
  /** Lowest level first: what is derived from others has a higher level than they have. */
  readonly settling: Settling[];
  readonly telling: (() => void)[];
  readonly afterwards: (() => void)[];
}

/** How many trampolines have begun to run turns. */
let begun = 0;

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
 */
export class Trampoline {
  /** Follows `join`: the trampolines of one graph of informers and views end in the same one. */
  private joined: Trampoline | undefined;
  private readonly queues: Queues = { busySince: 0, turns: [], settling: [], telling: [], afterwards: [] };

  /** Runs an action as the beginning of a turn: now, or when the turns before it are over. */
  run(action: () => void): void {
    const root = this.root();
    root.queues.turns.push(action);
    if (root.queues.busySince === 0) root.drain();
  }

  /** Runs the action now: within the turn under way, or as a turn of its own. */
  enter(action: () => void): void {
    if (this.isBusy()) action();
    else this.run(action);
  }

  /** Within a turn: runs the action when all of a lower level has settled, and before any subscriber gets the change. */
  settle(level: number, action: () => void): void {
    const { queues } = this.root();
    if (queues.busySince > 0) addSettling(queues.settling, { level, action });
    else this.run(() => this.settle(level, action));
  }

  /** Within a turn: runs the action when everything has settled, behind those that were asked for before. */
  tell(action: () => void): void {
    const { queues } = this.root();
    if (queues.busySince > 0) queues.telling.push(action);
    else this.run(() => this.tell(action));
  }

  /** Within a turn: runs the action when all subscribers have received the change. */
  after(action: () => void): void {
    const { queues } = this.root();
    if (queues.busySince > 0) queues.afterwards.push(action);
    else this.run(() => this.after(action));
  }

  /** Whether a turn is under way. */
  isBusy(): boolean {
    return this.root().queues.busySince > 0;
  }

  /** From now on both share their turns; what waits in either keeps its order. */
  join(other: Trampoline): void {
    const mine = this.root();
    const theirs = other.root();
    if (mine === theirs) return;
    // The one with a turn under way stays; where both have one, the outer does, and ends what the inner has begun.
    const isTheirs = theirs.queues.busySince > 0 && (mine.queues.busySince === 0 || theirs.queues.busySince < mine.queues.busySince);
    const [stays, joins] = isTheirs ? [theirs, mine] : [mine, theirs];
    joins.joined = stays;
    stays.take(joins.queues);
  }

  private take({ turns, settling, telling, afterwards }: Queues): void {
    const { queues } = this;
    queues.turns.push(...turns.splice(0));
    for (const waiting of settling.splice(0)) addSettling(queues.settling, waiting);
    queues.telling.push(...telling.splice(0));
    queues.afterwards.push(...afterwards.splice(0));
  }

  private root(): Trampoline {
    if (this.joined === undefined) return this;
    this.joined = this.joined.root();
    return this.joined;
  }

  /**
   * Runs everything that waits, phase by phase and turn by turn. After a join into another one, whose turn has caused this one, everything settles here: the
   * rest of that turn's callbacks must find it settled. That one has the rest.
   */
  private drain(): void {
    begun += 1;
    this.queues.busySince = begun;
    const failures: unknown[] = [];
    try {
      for (let action = this.next(); action !== undefined; action = this.next()) {
        try {
          action();
        } catch (error) {
          failures.push(error);
        }
      }
    } finally {
      this.queues.busySince = 0;
    }
    if (failures.length > 0) throw failures[0];
  }

  private next(): (() => void) | undefined {
    const root = this.root();
    const { settling, telling, afterwards, turns } = root.queues;
    const lowest = settling.shift()?.action;
    if (lowest !== undefined || root !== this) return lowest;
    return telling.shift() ?? afterwards.shift() ?? turns.shift();
  }
}

function addSettling(settling: Settling[], waiting: Settling): void {
  let at = settling.length;
  while (at > 0 && (settling[at - 1] as Settling).level > waiting.level) at -= 1;
  if (at === settling.length) settling.push(waiting);
  else settling.splice(at, 0, waiting);
}
