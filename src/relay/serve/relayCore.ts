import type { Complete } from '../../api/options.js';
import {
  catchError,
  concatMap,
  defer,
  filter,
  finalize,
  map,
  merge,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  type Subscription,
  take,
  throwIfEmpty,
  timer,
} from 'rxjs';
import { sourceGroups, type SourceGroups } from '../log/groups.js';
import { ScopeFeed } from '../log/scopeFeed.js';
import type { Sink } from '../log/chunk.js';
import type { RelaySources } from '../log/relaySources.js';
import { type Authorizer, type RelayAccess, type RelayUser, userKey } from '../rights/authorizer.js';
import type { Verdict } from '../rights/decision.js';
import { Rights } from '../rights/rights.js';
import { type RelayRequestBody, type Scope, scopeId } from '../wire/frames.js';
import { Connection } from './connection.js';
import { isBehind, Reader, type Visible } from './reader.js';
import { bodyOf, type Guard, type Refusal, refusalOf, type RelayRequest } from './requestChecks.js';

/** The limits of a relay. */
export interface RelayLimits {
  /** Concurrent streams per user. @defaultValue 20 */
  readonly streamsPerUser?: number | undefined;
  /** Concurrent streams in all. @defaultValue 2000 */
  readonly streams?: number | undefined;
  /** Scopes per stream. @defaultValue 50 */
  readonly scopesPerStream?: number | undefined;
  /** Different scopes in all streams: each has a log. @defaultValue 500 */
  readonly scopes?: number | undefined;
  /** Objects in a window. @defaultValue 1000 */
  readonly windowLimit?: number | undefined;
  /** Calls of `authorize` per second. @defaultValue 100 */
  readonly reviewsPerSecond?: number | undefined;
}

/** An event for an audit log: never contains content or credentials. */
export interface RelayAuditEvent {
  readonly type: 'opened' | 'closed' | 'refused' | 'revoked';
  /** The name of the user, if known. */
  readonly user?: string | undefined;
  /** The scopes concerned. */
  readonly scopes: readonly Pick<Scope, 'kind' | 'view' | 'namespace' | 'labelSelector' | 'name'>[];
  /** The reason for a refusal. */
  readonly reason?: string | undefined;
}

/** The figures of a relay. `reviews`, `refused`, `drifts` and `sent` count from its creation. */
export interface RelayFigures {
  /** Open streams. */
  readonly streams: number;
  /** Scopes with a log. */
  readonly scopes: number;
  /** Objects in those logs. */
  readonly objects: number;
  /** Permissions known. */
  readonly rights: number;
  /** Permission checks, and how many of them failed. */
  readonly reviews: number;
  readonly reviewFailures: number;
  /** Refused requests. */
  readonly refused: number;
  /** Scopes whose content in a page differed from the relay's, by count or checksum; each was sent again. */
  readonly drifts: number;
  /** Characters sent to all streams, before encoding. */
  readonly sent: number;
}

/** What the core of a relay is built from. */
export interface RelayCoreInit {
  readonly sources: RelaySources;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly authenticate: (request: RelayRequest) => Observable<RelayUser | undefined>;
  readonly authorizer: Authorizer;
  readonly limits: Complete<RelayLimits>;
  readonly guard: Guard;
  readonly audit: (event: RelayAuditEvent) => void;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  /** The approximate length of one write to a page that is catching up, in characters. */
  readonly sliceLength: number;
  /** How many pages are written to in one turn of the event loop. */
  readonly readersAtOnce: number;
}

/** An answer: a refusal, or a stream to open on a sink. */
export type RelayAnswer = Refusal | { readonly status: 200; readonly poll: boolean; readonly open: (sink: Sink) => Connection };

const batchMs = 100;
const beatMs = 10_000;
const pollMs = 25_000;
const behindMs = 2_000;
const rightsMs = 5_000;
const idleMs = 60_000;

interface SeenBy {
  readonly changes: number;
  readonly groupsChanged: number;
  readonly endsAt: number;
  readonly visible: Visible;
}

/** The relay without a server: all its timing is by its scheduler. */
export class RelayCore {
  readonly guard: Guard;
  private readonly init: RelayCoreInit;
  private readonly rights: Rights;
  private readonly groups = new Map<string, SourceGroups>();
  private readonly feeds = new Map<string, ScopeFeed>();
  private readonly idle = new Map<ScopeFeed, Subscription>();
  private readonly connections = new Set<Connection>();
  private readonly seen = new Map<ScopeFeed, Map<string, SeenBy>>();
  private readonly changed$ = new Subject<void>();
  private beating: Subscription | undefined;
  private wake: { readonly at: number; readonly timer: Subscription } | undefined;
  private looking: Subscription | undefined;
  private channels = 0;
  private refused = 0;
  private drifts = 0;
  private sent = 0;

  constructor(init: RelayCoreInit) {
    const { authorizer, scheduler, random, limits, sources } = init;
    this.init = init;
    this.guard = init.guard;
    for (const name of Object.keys(sources)) this.groups.set(name, sourceGroups(sources, name));
    this.rights = new Rights({ authorizer, scheduler, random, reviewsPerSecond: limits.reviewsPerSecond, onChange: () => this.lookSoon() });
  }

  /** Answers one request. Never fails. */
  answer(request: RelayRequest, body: string): Observable<RelayAnswer> {
    const { guard, sources, limits } = this.init;
    return defer(() => {
      const refusal = refusalOf(request, guard);
      if (refusal !== undefined) return of(refusal);
      return defer(() => this.init.authenticate(request)).pipe(
        take(1),
        throwIfEmpty(),
        concatMap((user): Observable<RelayAnswer> => {
          if (user === undefined) return of({ status: 401, reason: 'Unauthorized', message: 'Who is asking is not known' });
          const asked = bodyOf(body, { sources, ...limits });
          if (typeof asked === 'string') return of({ status: 400, reason: 'BadRequest', message: asked });
          return this.streamFor(user, asked);
        }),
        // An authentication error may contain secrets: do not send its message.
        catchError((): Observable<RelayAnswer> => of({ status: 401, reason: 'Unauthorized', message: 'Authentication failed' })),
      );
    }).pipe(
      map((answer) => {
        if (answer.status !== 200) this.noteRefusal(answer as Refusal);
        return answer;
      }),
    );
  }

  figures(): RelayFigures {
    const objects = [...this.feeds.values()].reduce((sum, feed) => sum + feed.sumOf('all').count, 0);
    const { reviews, failures } = this.rights;
    return {
      ...{ streams: this.connections.size, scopes: this.feeds.size, objects, rights: this.rights.size() },
      ...{ reviews, reviewFailures: failures, refused: this.refused, drifts: this.drifts, sent: this.sent },
    };
  }

  /** Ends every stream; pages continue at another replica. */
  stop(): void {
    for (const connection of [...this.connections]) connection.end('stopped');
    this.beating?.unsubscribe();
    this.wake?.timer.unsubscribe();
    this.looking?.unsubscribe();
    for (const timer of this.idle.values()) timer.unsubscribe();
    for (const feed of this.feeds.values()) feed.stop();
    this.feeds.clear();
    this.rights.stop();
  }

  private noteRefusal({ reason }: Refusal): void {
    this.refused += 1;
    this.init.audit({ type: 'refused', scopes: [], reason });
  }

  private streamFor(user: RelayUser, body: RelayRequestBody): Observable<RelayAnswer> {
    const { limits } = this.init;
    const { poll = false } = body;
    const key = userKey(user);
    const mine = [...this.connections].filter((connection) => userKey(connection.user) === key).length;
    if (mine >= limits.streamsPerUser || this.connections.size >= limits.streams) {
      return of({ status: 429, reason: 'TooManyRequests', message: 'Too many streams are open', retryAfterSeconds: 5 });
    }
    const fresh = new Set(body.scopes.map(scopeId).filter((id) => !this.feeds.has(id)));
    if (this.feeds.size + fresh.size > limits.scopes) {
      return of({ status: 429, reason: 'TooManyRequests', message: 'Too many different scopes are followed', retryAfterSeconds: 5 });
    }
    const feeds = body.scopes.map((scope) => this.feedOf(scope));
    const held = feeds.map((feed) => feed.add({ isAt: () => true, follow: () => undefined, notice: () => this.changed$.next() }));
    const letGo = (): void => {
      for (const hold of held) hold.unsubscribe();
      for (const feed of feeds) this.release(feed);
    };
    const isLate = (): boolean => feeds.some((feed, at) => isBehind(body.scopes[at]?.token, feed));
    const open = (sink: Sink): Connection => this.open(user, body, feeds, sink);
    if (!isLate()) return of<RelayAnswer>({ status: 200, poll, open }).pipe(finalize(letGo));
    return merge(this.changed$.pipe(map(() => false)), timer(0, 100, this.init.scheduler).pipe(map((tick) => tick >= behindMs / 100))).pipe(
      filter((isOver) => isOver || !isLate()),
      take(1),
      map((): RelayAnswer => {
        if (!isLate()) return { status: 200, poll, open };
        return { status: 503, reason: 'Behind', message: 'This replica has not seen yet what the page has', retryAfterSeconds: 1 };
      }),
      finalize(letGo),
    );
  }

  private open(user: RelayUser, { scopes, poll = false }: RelayRequestBody, feeds: readonly ScopeFeed[], sink: Sink): Connection {
    const { scheduler, audit } = this.init;
    const held = this.rights.hold(user);
    const key = userKey(user);
    const named = scopes.map(({ kind, view, namespace, labelSelector, name }) => ({ kind, view, namespace, labelSelector, name }));
    this.drifts += scopes.filter(({ drifted }) => drifted === true).length;
    const connection = new Connection({
      ...{ user, sink, scheduler },
      pollMs: poll ? pollMs : undefined,
      wrote: (chunk) => (this.sent += chunk.text.length),
      closed: () => {
        this.connections.delete(connection);
        if (this.connections.size === 0) this.beating?.unsubscribe();
        held.unsubscribe();
        this.forget(user);
        audit({ type: 'closed', user: user.name, scopes: named });
        for (const feed of feeds) this.release(feed);
      },
    });
    const readers = feeds.map((feed, at) => {
      const reader = new Reader({
        feed,
        token: scopes[at]?.token,
        visible: () => this.visible(user, key, feed),
        write: (chunk, isContent) => connection.write(chunk, isContent),
        canWrite: () => connection.canWrite(),
        sliceLength: this.init.sliceLength,
        mayWaitForRights: () => scheduler.now() - connection.since < rightsMs,
        audit: () => audit({ type: 'revoked', user: user.name, scopes: named.slice(at, at + 1) }),
      });
      const following = feed.add({
        isAt: (batch) => reader.isAt(batch),
        follow: (batch) => {
          reader.follow(batch);
          connection.settle();
        },
        notice: () => reader.notice(),
      });
      held.add(following);
      return reader;
    });
    this.connections.add(connection);
    audit({ type: 'opened', user: user.name, scopes: named });
    if (this.connections.size === 1) this.beatOn();
    connection.open(readers);
    held.add(scheduler.schedule(() => this.lookSoon(), rightsMs));
    return connection;
  }

  private feedOf(scope: Scope): ScopeFeed {
    const id = scopeId(scope);
    let feed = this.feeds.get(id);
    if (feed === undefined) {
      const { sources, scheduler, random, readersAtOnce } = this.init;
      this.channels += 1;
      const groups = this.groups.get(scope.kind ?? scope.view ?? '') as SourceGroups;
      const logId = Math.floor(random() * 2 ** 52).toString(36);
      feed = new ScopeFeed({ sources, groups, scope, logId, channel: `c${this.channels}`, scheduler, batchMs, readersAtOnce });
      this.feeds.set(id, feed);
    }
    this.idle.get(feed)?.unsubscribe();
    this.idle.delete(feed);
    return feed;
  }

  /** Keeps a feed without readers for a while, for pages that reconnect. */
  private release(feed: ScopeFeed): void {
    if (feed.hasReaders() || this.idle.has(feed)) return;
    const stop = (): void => {
      this.idle.delete(feed);
      if (feed.hasReaders()) return;
      feed.stop();
      this.feeds.delete(scopeId(feed.scope));
      this.seen.delete(feed);
    };
    this.idle.set(feed, this.init.scheduler.schedule(stop, idleMs));
  }

  private forget(user: RelayUser): void {
    const key = userKey(user);
    if ([...this.connections].some((connection) => userKey(connection.user) === key)) return;
    for (const users of this.seen.values()) users.delete(key);
  }

  private beatOn(): void {
    const { scheduler, readersAtOnce } = this.init;
    const beat = (): void => {
      for (const feed of this.feeds.values()) feed.flush();
      next([...this.connections], scheduler.now() + beatMs);
    };
    const next = (connections: Connection[], againAt: number): void => {
      for (const connection of connections.splice(0, readersAtOnce)) {
        connection.goOn();
        connection.beat();
      }
      if (connections.length > 0) this.beating = scheduler.schedule(() => next(connections, againAt), 0);
      else if (this.connections.size > 0) this.beating = scheduler.schedule(beat, Math.max(0, againAt - scheduler.now()));
    };
    this.beating?.unsubscribe();
    this.beating = scheduler.schedule(beat, beatMs);
  }

  /** The part of a feed that a user may see now: computed once for all of the user's pages. */
  private visible(user: RelayUser, key: string, feed: ScopeFeed): Visible {
    const users = this.seen.get(feed) ?? new Map<string, SeenBy>();
    this.seen.set(feed, users);
    const known = users.get(key);
    const { changes } = this.rights;
    const { groupsChanged } = feed.log;
    const now = this.init.scheduler.now();
    if (known !== undefined && known.changes === changes && known.groupsChanged === groupsChanged && now < known.endsAt) {
      this.wakeAt(known.endsAt);
      return known.visible;
    }
    const { endsAt, visible } = this.judge(user, feed);
    const same = known !== undefined && isSame(known.visible, visible) ? known.visible : visible;
    users.set(key, { changes: this.rights.changes, groupsChanged, endsAt, visible: same });
    this.wakeAt(endsAt);
    return same;
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

  /** After changed permissions: applies them to all readers, once for several changes. */
  private lookSoon(): void {
    this.looking ??= this.init.scheduler.schedule(() => {
      this.looking = undefined;
      for (const connection of [...this.connections]) connection.goOn();
    });
  }

  private wakeAt(at: number): void {
    if (at === Infinity || (this.wake !== undefined && this.wake.at <= at)) return;
    this.wake?.timer.unsubscribe();
    const { scheduler } = this.init;
    const timerOf = scheduler.schedule(
      () => {
        this.wake = undefined;
        this.lookSoon();
      },
      Math.max(0, at - scheduler.now()),
    );
    this.wake = { at, timer: timerOf };
  }
}

function isSame(a: Visible, b: Visible): boolean {
  const [before, after] = [a.groups, b.groups];
  if (a.rights !== b.rights || a.isOpen !== b.isOpen) return false;
  if (before === 'all' || after === 'all') return before === after;
  return before.size === after.size && [...before].every((group) => after.has(group));
}
