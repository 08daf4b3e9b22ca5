import { defer, type SchedulerLike, Subscription, take, throwIfEmpty, timeout } from 'rxjs';
import { entryOf, TokenBucket } from 'rx-informer/internal';
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

/** What is needed to check permissions. */
export interface RightsInit {
  readonly authorizer: Authorizer;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly reviewsPerSecond: number;
  /** Called with a user's key when a decision about the user has changed, or ends at another time. */
  readonly onChange: (user: string) => void;
  /** Asks for the verdict of each permission of a user that is in use. */
  readonly consult: (user: RelayUser) => void;
}

interface Right {
  readonly key: string;
  readonly user: RelayUser;
  readonly userKey: string;
  readonly access: RelayAccess;
  decision: Decision;
  /** The time of the last hint. */
  hintedAt: number;
  askedAt: number;
  /** When its verdict was asked for last. */
  usedAt: number;
  /** Whether it is for a page's whole scope; such checks precede those for single namespaces that a page turns out to show. */
  urgent: boolean;
  timer: Subscription | undefined;
  inFlight: Subscription | undefined;
}

const maxAtOnce = 20;
const reviewTimeoutMs = 10_000;
const shortestLifetimeMs = 60_000;
const retryMs = 2_000;
/** The API server's authorizer also reads roles from a watch, so a result this soon after a hint may be outdated: the permission is then checked once more. */
const confirmMs = 2_000;

/** Checks the permissions of users, each once per lifetime, and again when necessary. */
export class Rights {
  /** The number of checks sent. */
  reviews = 0;
  failures = 0;
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
    this.bucket = new TokenBucket(qps, qps, scheduler);
    const hints = authorizer.changed$?.subscribe({
      next: (concerns) => this.doubt(concerns),
      // Without hints, permissions are checked again when they expire.
      error: () => undefined,
    });
    this.running.add(hints);
  }

  /** Keeps the permissions of a user up to date until the subscription ends. */
  hold(user: RelayUser): Subscription {
    const key = userKey(user);
    this.users.set(key, (this.users.get(key) ?? 0) + 1);
    return new Subscription(() => {
      const left = (this.users.get(key) ?? 1) - 1;
      if (left > 0) this.users.set(key, left);
      else this.users.delete(key);
    });
  }

  /** The decision now, and its end; starts a check if necessary. */
  verdict(user: RelayUser, access: RelayAccess, urgent = true): { readonly verdict: Verdict; readonly endsAt: number } {
    const who = userKey(user);
    const key = JSON.stringify([who, access.group, access.resource, access.namespace]);
    const isKnown = this.rights.has(key);
    const right = entryOf(this.rights, key, (): Right => {
      const unasked = { decision: undecided, hintedAt: -Infinity, askedAt: 0, usedAt: 0, timer: undefined, inFlight: undefined };
      return { key, user, userKey: who, access, urgent, ...unasked };
    });
    const now = this.init.scheduler.now();
    right.usedAt = now;
    if (urgent && !right.urgent) {
      right.urgent = true;
      if (this.waiting[1].delete(right)) this.waiting[0].add(right);
    }
    if (!isKnown) this.ask(right);
    return { verdict: verdictOf(right.decision, now), endsAt: verdictEndsAt(right.decision, now) };
  }

  /** The number of permissions that are known or being checked. */
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
    const isConcerned = (user: RelayUser): boolean => {
      try {
        return concerns(user);
      } catch {
        // A hint that does not say whom it concerns concerns everybody.
        return true;
      }
    };
    for (const right of this.rights.values()) {
      if (!isConcerned(right.user)) continue;
      this.decide(right, doubted(right.decision, now));
      right.hintedAt = now;
      this.ask(right);
    }
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
    while (this.wake?.closed !== false && this.asking < maxAtOnce && this.next() !== undefined && !this.running.closed) {
      // The turn may come at once: then the loop goes on.
      this.wake = this.bucket.turn().subscribe({
        error: () => undefined,
        complete: () => {
          this.wake = undefined;
          this.reviewNext();
          this.serve();
        },
      });
    }
    this.serving = false;
  }

  /** Checks for whole scopes come first. The choice is made when a check is due. */
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
    right.askedAt = scheduler.now();
    for (const queue of this.waiting) queue.delete(right);
    right.decision = asked(right.decision);
    this.asking += 1;
    this.reviews += 1;
    const done = (decision: Decision): void => {
      this.asking -= 1;
      this.decide(right, decision);
      this.settle(right);
      this.serve();
    };
    // An authorizer that throws, fails, completes without a value, or does not answer in time counts as failed.
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

  /** Schedules the next check: at once if one is needed, soon after a failure or a hint, else when the result expires. */
  private settle(right: Right): void {
    const { decision } = right;
    if (decision.failingAt !== undefined) this.later(right, retryMs);
    else if (isOpen(decision)) this.ask(right);
    else if (right.askedAt < right.hintedAt + confirmMs) this.later(right, right.hintedAt + confirmMs - this.init.scheduler.now(), 1);
    else this.later(right, Math.max(shortestLifetimeMs, (this.rights.size / 30) * 1000));
  }

  private later(right: Right, ms: number, share: number = 0.9 + 0.1 * this.init.random()): void {
    const { scheduler } = this.init;
    right.timer?.unsubscribe();
    right.timer = scheduler.schedule(
      () => {
        // If no user of the permission is connected, or the namespace is gone, it is checked when it is needed again.
        const isConnected = this.users.has(right.userKey);
        if (isConnected && right.usedAt < right.askedAt) this.init.consult(right.user);
        if (isConnected && right.usedAt >= right.askedAt) this.ask(right);
        else this.rights.delete(right.key);
      },
      Math.max(0, ms * share),
    );
  }

  /** A repeated decision with the same result is not reported. */
  private decide(right: Right, decision: Decision): void {
    const now = this.init.scheduler.now();
    const before = right.decision;
    right.decision = decision;
    const isSame = verdictOf(before, now) === verdictOf(decision, now) && verdictEndsAt(before, now) === verdictEndsAt(decision, now);
    if (!isSame) this.init.onChange(right.userKey);
  }
}
