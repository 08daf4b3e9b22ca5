import { type Complete, dateOf, messageOf } from 'rx-informer/internal';
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
  Subscription,
  take,
  tap,
  throwIfEmpty,
  timer,
} from 'rxjs';
import { inTurns } from '../log/inTurns.js';
import type { ScopeFeed } from '../log/scopeFeed.js';
import { Chunks, type Sink } from '../log/chunk.js';
import { Pace } from '../log/pace.js';
import type { RelaySources } from '../log/relaySources.js';
import { type Authorizer, type RelayUser, userKey } from '../rights/authorizer.js';
import { type ResumeToken, type Scope, scopeId } from '../wire/frames.js';
import { Connection } from './connection.js';
import { Feeds } from './feeds.js';
import { Places } from './places.js';
import { Reader, type ReaderInit, unreached } from './reader.js';
import { type Asked, bodyOf, longestBody, type Guard, type Refusal, refusalOf, refused, type RelayRequest } from './requestChecks.js';
import { Visibility } from './visibility.js';

/** The limits of a relay. */
export interface RelayLimits {
  /** Concurrent streams per user. @defaultValue 20 */
  readonly streamsPerUser?: number | undefined;
  /** Concurrent streams in all. @defaultValue 2000 */
  readonly streams?: number | undefined;
  /** Scopes per stream. @defaultValue 50 */
  readonly scopesPerStream?: number | undefined;
  /** Different scopes in all streams: each has a log. Those of which nobody may see anything are given up for others. @defaultValue 500 */
  readonly scopes?: number | undefined;
  /** Different scopes in the streams of one user. @defaultValue 100 */
  readonly scopesPerUser?: number | undefined;
  /**
   * Bytes that the scopes in the streams of one user hold in the relay, approximately: a scope of several users counts with its share. What is more is refused, as
   * often as the page asks. @defaultValue 67108864, 64 MB
   */
  readonly bytesPerUser?: number | undefined;
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
  /** Objects in those logs, and their approximate size in bytes. */
  readonly objects: number;
  readonly bytes: number;
  /** Permissions known. */
  readonly rights: number;
  /** Permission checks, and how many of them failed. */
  readonly reviews: number;
  readonly reviewFailures: number;
  /** Refused requests, and refused scopes of others. */
  readonly refused: number;
  /** Scopes whose content in a page differed from the relay's, by count or checksum; each was sent again. */
  readonly drifts: number;
  /** Characters sent to all streams, before encoding. */
  readonly sent: number;
}

/** The dependencies and settings of the core of a relay. */
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

/** The user's function, whose failure must not end a stream, or the process. */
function reporting(audit: (event: RelayAuditEvent) => unknown): RelayCoreInit['audit'] {
  const failed = (error: unknown): void => console.warn(`rx-informer: \`audit\` of \`createRelay\` has failed: ${messageOf(error)}`);
  return (event) => void new Promise((resolve) => resolve(audit(event))).catch(failed);
}

/** The relay without a server: all its timing is by its scheduler. */
export class RelayCore {
  readonly guard: Guard;
  private readonly init: RelayCoreInit;
  private readonly visibility: Visibility;
  private readonly feeds: Feeds;
  private readonly connections = new Set<Connection>();
  private readonly places: Places;
  private readonly chunks = new Chunks();
  private readonly pace: Pace;
  private readonly changed$ = new Subject<void>();
  private beating: Subscription | undefined;
  /** The answer to requests that come after the end. */
  private stopped: Refusal | undefined;
  private refused = 0;
  private drifts = 0;
  private sent = 0;

  constructor(init: RelayCoreInit) {
    const { authorizer, scheduler, random, limits, sources } = init;
    this.init = { ...init, audit: reporting(init.audit) };
    this.guard = init.guard;
    this.pace = new Pace(scheduler);
    this.places = new Places(limits, (user) => this.visibility.forgetUser(user));
    const { readersAtOnce, sliceLength } = init;
    this.feeds = new Feeds({
      ...{ sources, scheduler, pace: this.pace, random, batchMs, readersAtOnce, sliceLength, bytesPerUser: limits.bytesPerUser },
      overfull: (user) => this.unload(user),
      dropped: (feed) => this.leave(feed),
    });
    this.visibility = new Visibility({
      ...{ authorizer, scheduler, random, reviewsPerSecond: limits.reviewsPerSecond },
      onChange: (users) => {
        for (const connection of this.connections) if (users.has(connection.key)) this.pace.add(connection.sendPending);
      },
    });
  }

  /** Answers one request. Never fails. */
  answer(request: RelayRequest, body: string | undefined): Observable<RelayAnswer> {
    const { guard, sources, limits } = this.init;
    return defer(() => {
      const refusal = refusalOf(request, guard) ?? this.stopped;
      if (refusal !== undefined) return of(refusal);
      if (body === undefined) return of(refused(413, 'TooLarge', `Expected at most ${longestBody} bytes`));
      return defer(() => this.init.authenticate(request)).pipe(
        take(1),
        throwIfEmpty(),
        concatMap((user): Observable<RelayAnswer> => {
          if (user === undefined) return of(refused(401, 'Unauthorized', 'The request has no valid credentials'));
          // A stream that ends at once would be opened again at once.
          if (user.expiresAt !== undefined && !(user.expiresAt > dateOf(this.init.scheduler)))
            return of(refused(401, 'Unauthorized', 'The credentials have expired'));
          const asked = bodyOf(body, sources, limits);
          if (typeof asked === 'string') return of(refused(400, 'BadRequest', asked));
          return this.streamFor(user, asked);
        }),
        // An authentication error may contain secrets: do not send its message.
        catchError((): Observable<RelayAnswer> => of(refused(401, 'Unauthorized', 'Authentication failed'))),
      );
    }).pipe(tap((answer) => 'reason' in answer && this.noteRefusal(answer)));
  }

  figures(): RelayFigures {
    const objects = this.feeds.all().reduce((sum, feed) => sum + feed.sumOf('all').count, 0);
    const bytes = this.feeds.all().reduce((sum, feed) => sum + feed.log.bytes, 0);
    const { rights } = this.visibility;
    const { reviews, failures } = rights;
    return {
      ...{ streams: this.connections.size, scopes: this.feeds.all().length, objects, bytes, rights: rights.size() },
      ...{ reviews, reviewFailures: failures, refused: this.refused, drifts: this.drifts, sent: this.sent },
    };
  }

  /** Ends every stream; pages continue at another replica. */
  stop(): void {
    this.stopped = refused(503, 'Stopped', 'This replica has been stopped', 1);
    for (const connection of [...this.connections]) connection.end('stopped');
    this.beating?.unsubscribe();
    this.pace.stop();
    this.feeds.stop();
    this.visibility.stop();
  }

  private noteRefusal({ reason }: Refusal): void {
    this.refused += 1;
    this.init.audit({ type: 'refused', scopes: [], reason });
  }

  private streamFor(user: RelayUser, body: Asked): Observable<RelayAnswer> {
    // Meanwhile it may have been stopped.
    if (this.stopped !== undefined) return of(this.stopped);
    const { poll = false } = body;
    const key = userKey(user);
    const place = this.places.take(key);
    if (place === undefined) return of(refused(429, 'TooManyRequests', 'Too many streams are open', 5));
    place.add(this.visibility.rights.hold(user));
    const ids = new Set(body.scopes.map(scopeId));
    const problem = this.surplusOf(key, ids);
    if (problem !== undefined) {
      place.unsubscribe();
      return of(problem);
    }
    place.add(this.feeds.ask(key, ids));
    const named = body.scopes.map((scope) => this.feeds.of(scope));
    // A scope that is named twice is one.
    const feeds = [...new Set(named)];
    const held = feeds.map((feed) => feed.add(() => this.changed$.next()));
    let isOpen = false;
    const letGo = (): void => {
      if (!isOpen) place.unsubscribe();
      for (const hold of held) hold.unsubscribe();
      for (const feed of feeds) this.feeds.release(feed, key);
    };
    const tokenOf = (feed: ScopeFeed): ResumeToken | undefined => body.scopes[named.indexOf(feed)]?.token;
    const reasons = (): readonly string[] =>
      feeds.flatMap((feed) => unreached(tokenOf(feed), feed, () => this.visibility.of(user, key, feed)) ?? []);
    const open = (sink: Sink): Connection => {
      isOpen = true;
      return this.open({ user, key, place }, body, named, sink);
    };
    const opened: RelayAnswer = { status: 200, poll, open };
    if (reasons().length === 0) return of(opened).pipe(finalize(letGo));
    return merge(this.changed$.pipe(map(() => false)), timer(0, 100, this.init.scheduler).pipe(map((tick) => tick >= behindMs / 100))).pipe(
      filter((isOver) => isOver || reasons().length === 0),
      take(1),
      map((): RelayAnswer => {
        if (this.stopped !== undefined) return this.stopped;
        const left = reasons();
        if (left.length === 0) return opened;
        // What the replica has reached is said only to those whose rights are known.
        if (left.includes('Checking')) return refused(503, 'Checking', 'The rights of the user are being checked', 1);
        return refused(503, 'Behind', 'This replica has not reached the version of the page yet', 1);
      }),
      finalize(letGo),
    );
  }

  /** Refuses what is too much for a user, or for the relay. */
  private surplusOf(key: string, ids: ReadonlySet<string>): Refusal | undefined {
    const { scopesPerUser, bytesPerUser } = this.init.limits;
    if (this.feeds.countFor(key, ids) > scopesPerUser || !this.makeRoom(ids))
      return refused(429, 'TooManyRequests', 'Too many different scopes are followed', 5);
    if (!(this.feeds.bytesFor(key, ids) > bytesPerUser)) return undefined;
    const most = Math.round(bytesPerUser / 2 ** 20);
    return refused(429, 'TooManyRequests', `The scopes hold more than ${most} MB: ask for fewer of them, or for a window of each`, 30);
  }

  /** Drops feeds of which nobody sees anything, where there are too many; false if that is not enough. */
  private makeRoom(ids: ReadonlySet<string>): boolean {
    const feeds = this.feeds.all();
    const surplus = feeds.length + [...ids].filter((id) => !this.feeds.has(id)).length - this.init.limits.scopes;
    if (surplus <= 0) return true;
    const blind = new Map<ScopeFeed, number>();
    for (const { readers } of this.connections)
      for (const reader of readers) if (!reader.sees()) blind.set(reader.feed, (blind.get(reader.feed) ?? 0) + 1);
    const spare = feeds.filter((feed) => !ids.has(scopeId(feed.scope)) && feed.readerCount() === (blind.get(feed) ?? 0));
    if (surplus > spare.length) return false;
    for (const feed of spare.slice(0, surplus)) this.feeds.drop(feed);
    return true;
  }

  /** Ends the newest streams of a user until what the others hold is not too much. */
  private unload(key: string): void {
    const mine = [...this.connections].filter((connection) => connection.key === key);
    for (let last = mine.pop(); last !== undefined && this.feeds.bytesFor(key) > this.init.limits.bytesPerUser; last = mine.pop()) {
      const feeds = last.readers.map(({ feed }) => feed);
      last.end('stopped');
      for (const feed of feeds) if (feed.readerCount() === 0) this.feeds.drop(feed);
    }
  }

  private open(
    { user, key, place }: { readonly user: RelayUser; readonly key: string; readonly place: Subscription },
    { scopes, poll = false, problems }: Asked,
    named: readonly ScopeFeed[],
    sink: Sink,
  ): Connection {
    const { scheduler, audit } = this.init;
    const feeds = [...new Set(named)];
    const shown = feeds.map(({ scope: { kind, view, namespace, labelSelector, name } }) => ({
      kind,
      view,
      namespace,
      labelSelector,
      name,
    }));
    this.drifts += scopes.filter(({ drifted }) => drifted === true).length;
    const connection = new Connection({
      ...{ user, key, sink, scheduler, chunks: this.chunks },
      pollMs: poll ? pollMs : undefined,
      sendLater: () => this.pace.add(connection.sendPending),
      wrote: (chunk) => (this.sent += chunk.text.length),
      closed: () => {
        this.connections.delete(connection);
        if (this.connections.size === 0) this.beating?.unsubscribe();
        place.unsubscribe();
        audit({ type: 'closed', user: user.name, scopes: shown });
        for (const feed of feeds) this.feeds.release(feed, key);
      },
    });
    const readers = feeds.map((feed, at) => {
      const revoked = (): void => audit({ type: 'revoked', user: user.name, scopes: shown.slice(at, at + 1) });
      return this.readerOf(connection, user, { feed, token: scopes[named.indexOf(feed)]?.token, audit: revoked });
    });
    for (const reader of readers) place.add(reader.feed.add(() => this.passOn(reader, connection)));
    this.connections.add(connection);
    audit({ type: 'opened', user: user.name, scopes: shown });
    if (this.connections.size === 1) this.beatOn();
    const channels = named.map(({ channel }) => channel).values();
    connection.open(
      readers,
      problems.map((problem, at) => (problem === undefined ? String(channels.next().value) : `refused-${at}`)),
      problems.flatMap((code, at) => (code === undefined ? [] : { c: `refused-${at}`, health: 'stopped', code })),
    );
    for (const problem of problems) if (problem !== undefined) this.noteRefusal(refused(400, 'BadRequest', problem));
    place.add(scheduler.schedule(() => connection.sendPending(), rightsMs));
    return connection;
  }

  private readerOf(connection: Connection, user: RelayUser, init: Pick<ReaderInit, 'feed' | 'token' | 'audit'>): Reader {
    const { scheduler } = this.init;
    return new Reader({
      ...init,
      visible: () => this.visibility.of(user, connection.key, init.feed),
      write: (chunk, isContent) => connection.write(chunk, isContent),
      send: (text, isContent) => connection.send(text, isContent),
      canWrite: () => connection.canWrite(),
      mayWaitForRights: () => scheduler.now() - connection.since < rightsMs,
    });
  }

  /** Sends a batch that is the same for all; whoever lacks more gets it later. */
  private passOn(reader: Reader, connection: Connection): void {
    if (reader.isAtBatch()) {
      reader.catchUp();
      connection.settle();
    } else this.pace.add(connection.sendPending);
  }

  /** Ends the streams of those who follow a feed that is given up: their pages ask again. */
  private leave(feed: ScopeFeed): void {
    for (const connection of [...this.connections])
      if (connection.readers.some((reader) => reader.feed === feed)) connection.end('stopped');
    this.visibility.forgetFeed(feed);
  }

  private beatOn(): void {
    const { scheduler, readersAtOnce } = this.init;
    const beating = new Subscription();
    const beatLater = (): void => {
      beating.add(scheduler.schedule(beat, beatMs));
    };
    const beat = (): void => {
      const each = (connection: Connection): void => {
        connection.sendPending();
        connection.beat();
      };
      beating.add(inTurns({ items: [...this.connections], perTurn: readersAtOnce, scheduler, each, done: beatLater }));
    };
    this.beating?.unsubscribe();
    this.beating = beating;
    beatLater();
  }
}
