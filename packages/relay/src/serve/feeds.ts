import type { SchedulerLike, Subscription } from 'rxjs';
import { entryOf } from 'rx-informer/internal';
import { sourceGroups, type SourceGroups } from '../log/groups.js';
import type { Pace } from '../log/pace.js';
import type { RelaySources } from '../log/relaySources.js';
import { Orders } from '../log/orders.js';
import { ScopeFeed } from '../log/scopeFeed.js';
import { type Scope, scopeId } from '../wire/frames.js';

/** What is needed to make feeds. */
export interface FeedsInit {
  readonly sources: RelaySources;
  readonly scheduler: SchedulerLike;
  readonly pace: Pace;
  readonly random: () => number;
  readonly batchMs: number;
  readonly readersAtOnce: number;
  readonly sliceLength: number;
  /** The bytes that the scopes of one user may hold; a scope of several users counts for each of them with its share. */
  readonly bytesPerUser: number;
  /** Called when the scopes of a user hold more. */
  readonly overfull: (user: string) => void;
  readonly dropped: (feed: ScopeFeed) => void;
}

const idleMs = 60_000;
/** How long the size of a scope is remembered that was given up. */
const rememberedMs = 300_000;
const maxRemembered = 1_000;

/** How often each one of something is there. */
type Counts = Map<string, number>;

function count(all: Map<string, Counts>, of: string, one: string, by: 1 | -1): void {
  const counts = entryOf(all, of, (): Counts => new Map());
  const now = (counts.get(one) ?? 0) + by;
  if (now > 0) counts.set(one, now);
  else counts.delete(one);
  if (counts.size === 0) all.delete(of);
}

/** The feeds of a relay by their scopes, who asks for them, and what they hold. */
export class Feeds {
  private readonly init: FeedsInit;
  private readonly orders = new Orders();
  private readonly groups = new Map<string, SourceGroups>();
  private readonly feeds = new Map<string, ScopeFeed>();
  /** Feeds without readers, kept for pages that reconnect, with the user who had them last. */
  private readonly idle = new Map<ScopeFeed, { readonly user: string; readonly timer: Subscription }>();
  /** Who asks for each scope in how many streams, with those that are about to open, and what each user asks for. */
  private readonly usersOf = new Map<string, Counts>();
  private readonly idsOf = new Map<string, Counts>();
  private readonly remembered = new Map<string, { readonly bytes: number; readonly until: number }>();
  private channels = 0;

  constructor(init: FeedsInit) {
    this.init = init;
    for (const name of Object.keys(init.sources)) this.groups.set(name, sourceGroups(init.sources, name));
  }

  all(): readonly ScopeFeed[] {
    return [...this.feeds.values()];
  }

  has(id: string): boolean {
    return this.feeds.has(id);
  }

  /** The number of scopes of a user, with others. */
  countFor(user: string, others: ReadonlySet<string>): number {
    return this.idsWith(user, others).size;
  }

  /** The bytes that the scopes of a user hold, with others, as far as they are known. Idle scopes are given up where that helps. */
  bytesFor(user: string, others: ReadonlySet<string> = new Set()): number {
    const ids = this.idsWith(user, others);
    const { scheduler, bytesPerUser } = this.init;
    let bytes = 0;
    for (const id of ids) {
      const { until = 0, bytes: before = 0 } = this.remembered.get(id) ?? {};
      const users = this.usersOf.get(id);
      const share = (users?.size ?? 0) + (users?.has(user) === true ? 0 : 1);
      bytes += Math.max(this.feeds.get(id)?.log.bytes ?? 0, until > scheduler.now() ? before : 0) / share;
    }
    const spare = [...this.idle].filter(([feed, last]) => last.user === user && !ids.has(scopeId(feed.scope)));
    let idle = spare.reduce((sum, [feed]) => sum + feed.log.bytes, 0);
    for (const [feed] of spare) {
      const isTooMuch = bytes + idle > bytesPerUser;
      idle -= feed.log.bytes;
      if (isTooMuch) this.drop(feed);
    }
    return bytes;
  }

  /** Notes that a user asks for scopes, until the result is called, once. */
  ask(user: string, ids: ReadonlySet<string>): () => void {
    const note = (by: 1 | -1): void => {
      for (const id of ids) {
        count(this.usersOf, id, user, by);
        count(this.idsOf, user, id, by);
      }
    };
    note(1);
    return () => note(-1);
  }

  of(scope: Scope): ScopeFeed {
    const id = scopeId(scope);
    const feed = entryOf(this.feeds, id, () => {
      const { sources, scheduler, pace, random, batchMs, readersAtOnce, sliceLength } = this.init;
      this.channels += 1;
      const groups = this.groups.get(scope.kind ?? scope.view ?? '') as SourceGroups;
      const logId = Math.floor(random() * 2 ** 52).toString(36);
      const channel = `c${this.channels}`;
      const grown = (): void => this.check(id);
      const { orders } = this;
      return new ScopeFeed({ sources, groups, orders, scope, logId, channel, scheduler, pace, batchMs, readersAtOnce, sliceLength, grown });
    });
    this.idle.get(feed)?.timer.unsubscribe();
    this.idle.delete(feed);
    return feed;
  }

  /** Keeps a feed without readers for a while, for pages that reconnect. */
  release(feed: ScopeFeed, user: string): void {
    if (feed.readerCount() > 0 || this.idle.has(feed) || this.feeds.get(scopeId(feed.scope)) !== feed) return;
    this.idle.set(feed, { user, timer: this.init.scheduler.schedule(() => this.drop(feed), idleMs) });
    // Gives up what is too much.
    this.bytesFor(user);
  }

  drop(feed: ScopeFeed): void {
    const id = scopeId(feed.scope);
    // To be released may have been too much already: a second time would let go of the order that others hold.
    if (this.feeds.get(id) !== feed) return;
    this.idle.get(feed)?.timer.unsubscribe();
    this.idle.delete(feed);
    this.remember(id, feed.log.bytes);
    // Its streams end now, and release it.
    this.feeds.delete(id);
    this.init.dropped(feed);
    feed.stop();
  }

  stop(): void {
    for (const { timer } of this.idle.values()) timer.unsubscribe();
    for (const feed of this.feeds.values()) feed.stop();
    this.feeds.clear();
  }

  private idsWith(user: string, others: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...(this.idsOf.get(user)?.keys() ?? []), ...others]);
  }

  /** A scope holds more than before. */
  private check(id: string): void {
    for (const user of [...(this.usersOf.get(id)?.keys() ?? [])])
      if (this.bytesFor(user) > this.init.bytesPerUser) this.init.overfull(user);
  }

  private remember(id: string, bytes: number): void {
    this.remembered.delete(id);
    const [oldest] = this.remembered.keys();
    if (oldest !== undefined && this.remembered.size >= maxRemembered) this.remembered.delete(oldest);
    this.remembered.set(id, { bytes, until: this.init.scheduler.now() + rememberedMs });
  }
}
