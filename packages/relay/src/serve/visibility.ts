import { type SchedulerLike, type Subscription } from 'rxjs';
import { entryOf } from 'rx-informer/internal';
import type { Groups } from '../log/cursor.js';
import type { ScopeFeed } from '../log/scopeFeed.js';
import { type Authorizer, type RelayAccess, type RelayUser, userKey } from '../rights/authorizer.js';
import type { Verdict } from '../rights/decision.js';
import { Rights } from '../rights/rights.js';
import type { ScopeRights } from '../wire/frames.js';

/** The part of a feed that a user may see now. The same object until it changes. */
export interface Visible {
  readonly groups: Groups;
  readonly rights: ScopeRights;
  /** Whether some permissions are still being checked. */
  readonly isOpen: boolean;
}

/** What is needed to compute the visible parts. */
export interface VisibilityInit {
  readonly authorizer: Authorizer;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly reviewsPerSecond: number;
  /** Called in a turn of its own when some users, by their keys, may see other parts than before. */
  readonly onChange: (users: ReadonlySet<string>) => void;
}

interface Seen {
  readonly visible: Visible;
  readonly groupsChanged: number;
  readonly endsAt: number;
  isStale: boolean;
}

/** What each user may see of each feed: computed once for all pages of the user, and again when a decision about the user has changed. */
export class Visibility {
  readonly rights: Rights;
  private readonly init: VisibilityInit;
  private readonly users = new Map<string, Map<ScopeFeed, Seen>>();
  private readonly changed = new Set<string>();
  private flushTimer: Subscription | undefined;
  private wake: { readonly at: number; readonly timer: Subscription } | undefined;

  constructor(init: VisibilityInit) {
    this.init = init;
    this.rights = new Rights({
      ...init,
      onChange: (user) => this.announce(user),
      consult: (user) => {
        for (const feed of this.users.get(userKey(user))?.keys() ?? []) this.judge(user, feed);
      },
    });
  }

  /** The part of a feed that a user may see now. */
  of(user: RelayUser, key: string, feed: ScopeFeed): Visible {
    const feeds = entryOf(this.users, key, () => new Map<ScopeFeed, Seen>());
    const known = feeds.get(feed);
    const { groupsChanged } = feed.log;
    if (known?.isStale === false && known.groupsChanged === groupsChanged && this.init.scheduler.now() < known.endsAt) {
      this.wakeAt(known.endsAt);
      return known.visible;
    }
    const { endsAt, visible } = this.judge(user, feed);
    const same = known !== undefined && isSame(known.visible, visible) ? known.visible : visible;
    feeds.set(feed, { visible: same, groupsChanged, endsAt, isStale: false });
    this.wakeAt(endsAt);
    return same;
  }

  forgetUser(key: string): void {
    this.users.delete(key);
  }

  forgetFeed(feed: ScopeFeed): void {
    for (const feeds of this.users.values()) feeds.delete(feed);
  }

  stop(): void {
    this.flushTimer?.unsubscribe();
    this.wake?.timer.unsubscribe();
    this.rights.stop();
  }

  /** Scheduled once for several changes. */
  private announce(user: string): void {
    for (const seen of this.users.get(user)?.values() ?? []) seen.isStale = true;
    this.changed.add(user);
    this.flushTimer ??= this.init.scheduler.schedule(() => {
      this.flushTimer = undefined;
      const users = new Set(this.changed);
      this.changed.clear();
      this.init.onChange(users);
    });
  }

  private wakeAt(at: number): void {
    if (at === Infinity || (this.wake !== undefined && this.wake.at <= at)) return;
    this.wake?.timer.unsubscribe();
    const { scheduler } = this.init;
    const timerOf = scheduler.schedule(
      () => {
        this.wake = undefined;
        for (const user of this.users.keys()) this.announce(user);
      },
      Math.max(0, at - scheduler.now()),
    );
    this.wake = { at, timer: timerOf };
  }

  private judge(user: RelayUser, feed: ScopeFeed): { readonly endsAt: number; readonly visible: Visible } {
    let endsAt = Infinity;
    const all = (accesses: readonly RelayAccess[], urgent: boolean): Verdict => {
      const verdicts = accesses.map((access) => {
        const answer = this.rights.verdict(user, access, urgent);
        endsAt = Math.min(endsAt, answer.endsAt);
        return answer.verdict;
      });
      return verdicts.includes('no') ? 'no' : verdicts.includes('checking') ? 'checking' : 'yes';
    };
    const { namespace = '', window } = feed.scope;
    const whole = all(feed.groups.whole(namespace), true);
    if (whole === 'yes') return { endsAt, visible: { groups: 'all', rights: 'allowed', isOpen: false } };
    // A window needs permission for all of its objects; a namespace, or a single object, has one group.
    const single = (feed.scope.kind !== undefined && namespace !== '') || window !== undefined || feed.scope.name !== undefined;
    if (single)
      return { endsAt, visible: { groups: new Set(), rights: whole === 'no' ? 'forbidden' : 'checking', isOpen: whole === 'checking' } };
    const groups = new Set<string>();
    let isOpen = whole === 'checking';
    for (const [group] of feed.log.groups) {
      const verdict = all(feed.groups.accessOf(group), false);
      if (verdict === 'yes') groups.add(group);
      if (verdict === 'checking') isOpen = true;
    }
    return { endsAt, visible: { groups, isOpen, rights: groups.size > 0 ? 'partial' : isOpen ? 'checking' : 'forbidden' } };
  }
}

function isSame(a: Visible, b: Visible): boolean {
  const [before, after] = [a.groups, b.groups];
  if (a.rights !== b.rights || a.isOpen !== b.isOpen) return false;
  if (before === 'all' || after === 'all') return before === after;
  return before.size === after.size && [...before].every((group) => after.has(group));
}
