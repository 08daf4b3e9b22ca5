import { defer, type SchedulerLike, Subscription, take, throwIfEmpty, timeout } from 'rxjs';
import { TokenBucket } from '../../rx/tokenBucket.js';
import { type Authorizer, type RelayAccess, type RelayUser, userKey } from './authorizer.js';
import {
  answered,
  asked,
  askingFailed,
  type Decision,
  doubted,
  isOpen,
  undecided,
  type Verdict,
  verdictEndsAt,
  verdictOf,
} from './decision.js';

/** How rights are asked. */
export interface RightsInit {
  readonly authorizer: Authorizer;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly reviewsPerSecond: number;
  /** A verdict may have changed. */
  readonly onChange: () => void;
}

interface Right {
  readonly user: RelayUser;
  readonly access: RelayAccess;
  decision: Decision;
  /** Pages of all namespaces and of one come first, then the namespaces that a page of all turns out to show. */
  urgent: boolean;
  timer: Subscription | undefined;
  inFlight: Subscription | undefined;
}

const mostAtOnce = 20;
const reviewTimeoutMs = 10_000;
const shortestLifetimeMs = 60_000;
const retryMs = 2_000;

/** Asks what users may see, each right once in its lifetime, and again when there is a reason to. */
export class Rights {
  /** Counts questions and answers, for figures. */
  reviews = 0;
  failures = 0;
  /** Grows whenever a verdict may have changed. */
  changes = 0;
  private readonly init: RightsInit;
  private readonly bucket: TokenBucket;
  private readonly rights = new Map<string, Right>();
  private readonly users = new Map<string, number>();
  private readonly waiting: readonly [Set<Right>, Set<Right>] = [new Set(), new Set()];
  private readonly running = new Subscription();
  private asking = 0;
  private wake: Subscription | undefined;
  private serving = false;

  constructor(init: RightsInit) {
    const { authorizer, scheduler, reviewsPerSecond: qps } = init;
    this.init = init;
    this.bucket = new TokenBucket({ qps, burst: qps, scheduler });
    const hints = authorizer.changed$?.subscribe({
      next: (concerns) => this.doubt(concerns),
      // Without hints, decisions are asked again when their lifetime is over.
      error: () => undefined,
    });
    this.running.add(hints);
  }

  /** Keeps the rights of a user up until the subscription ends. */
  hold(user: RelayUser): Subscription {
    const key = userKey(user);
    this.users.set(key, (this.users.get(key) ?? 0) + 1);
    return new Subscription(() => {
      const left = (this.users.get(key) ?? 1) - 1;
      if (left > 0) this.users.set(key, left);
      else this.users.delete(key);
    });
  }

  /** What counts now, and until when; asks where nothing is known. */
  verdict(user: RelayUser, access: RelayAccess, urgent = true): { readonly verdict: Verdict; readonly endsAt: number } {
    const key = JSON.stringify([userKey(user), access.group, access.resource, access.namespace]);
    let right = this.rights.get(key);
    if (right === undefined) {
      this.rights.set(key, (right = { user, access, decision: undecided, urgent, timer: undefined, inFlight: undefined }));
      this.running.add(() => right?.timer?.unsubscribe());
      this.ask(right);
    }
    const now = this.init.scheduler.now();
    return { verdict: verdictOf(right.decision, now), endsAt: verdictEndsAt(right.decision, now) };
  }

  /** How many rights are known, or are being asked. */
  size(): number {
    return this.rights.size;
  }

  stop(): void {
    for (const { timer, inFlight } of this.rights.values()) {
      timer?.unsubscribe();
      inFlight?.unsubscribe();
    }
    this.wake?.unsubscribe();
    this.running.unsubscribe();
    this.rights.clear();
  }

  private doubt(concerns: (user: RelayUser) => boolean): void {
    const now = this.init.scheduler.now();
    for (const right of this.rights.values()) {
      if (!concerns(right.user)) continue;
      right.decision = doubted(right.decision, now);
      this.ask(right);
    }
    this.changed();
  }

  private ask(right: Right): void {
    if (right.decision.asking) return;
    right.timer?.unsubscribe();
    this.waiting[right.urgent ? 0 : 1].add(right);
    this.serve();
  }

  private serve(): void {
    if (this.serving) return;
    this.serving = true;
    while (this.wake === undefined && this.asking < mostAtOnce && this.next() !== undefined && !this.running.closed) {
      let isNow = true;
      let isDue = false;
      const turn = this.bucket.turn().subscribe({
        error: () => undefined,
        complete: () => {
          isDue = true;
          if (isNow) return;
          this.wake = undefined;
          this.reviewNext();
          this.serve();
        },
      });
      isNow = false;
      // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the turn may have come at once
      if (isDue) this.reviewNext();
      else this.wake = turn;
    }
    this.serving = false;
  }

  /** Pages of all namespaces and of one come first: whatever waits is chosen when its turn has come. */
  private next(): Right | undefined {
    const [first, second] = this.waiting;
    const [right] = first.size > 0 ? first : second;
    return right;
  }

  private reviewNext(): void {
    const right = this.next();
    if (right !== undefined) this.review(right);
  }

  private review(right: Right): void {
    const { authorizer, scheduler } = this.init;
    for (const queue of this.waiting) queue.delete(right);
    right.decision = asked(right.decision);
    this.asking += 1;
    this.reviews += 1;
    const done = (decision: Decision): void => {
      this.asking -= 1;
      right.decision = decision;
      this.settle(right);
      this.changed();
      this.serve();
    };
    // A port that throws has failed, as one has whose answer fails, is empty, or does not come.
    right.inFlight = defer(() => authorizer.review(right.user, right.access))
      .pipe(take(1), throwIfEmpty(), timeout({ each: reviewTimeoutMs, scheduler }))
      .subscribe({
        next: (allowed) => done(answered(right.decision, allowed)),
        error: () => {
          this.failures += 1;
          done(askingFailed(right.decision, scheduler.now()));
        },
      });
  }

  /** When the right is asked again: at once where it is open, soon after a failure, and when its lifetime is over. */
  private settle(right: Right): void {
    const { decision } = right;
    if (decision.failingAt !== undefined) this.later(right, retryMs);
    else if (isOpen(decision)) this.ask(right);
    else this.later(right, Math.max(shortestLifetimeMs, (this.rights.size / 30) * 1000));
  }

  private later(right: Right, ms: number): void {
    const { scheduler, random } = this.init;
    right.timer?.unsubscribe();
    right.timer = scheduler.schedule(
      () => {
        // Nobody is there: it is asked when somebody comes.
        if (!this.users.has(userKey(right.user))) this.forget(right);
        else this.ask(right);
      },
      ms * (0.9 + 0.1 * random()),
    );
  }

  private forget(right: Right): void {
    for (const [key, known] of this.rights) if (known === right) this.rights.delete(key);
  }

  private changed(): void {
    this.changes += 1;
    this.init.onChange();
  }
}
