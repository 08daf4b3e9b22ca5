import { type Observable, type SchedulerLike, type Subscriber, Subscription } from 'rxjs';
import { ApiError, InformerError } from 'rx-informer';
import type { InformerErrorCode, SourceEvent } from 'rx-informer/pipeline';
import type { SourceStatus } from 'rx-informer/internal';
import { type Frame, frameReader, protocolVersion, type RelayRequestBody, type Scope } from '../wire/frames.js';
import { DriftError, ScopeContent, type ScopeState } from './scopeContent.js';

/** The events of one request: its head, then its text as it arrives. */
export type ConnectEvent =
  | { readonly type: 'head'; readonly status: number; readonly reason: string; readonly message: string; readonly retryAfterMs: number }
  | { readonly type: 'text'; readonly text: string };

/** Sends one request, and emits its events; fails with the connection, and completes with the answer. */
export type Connect = (body: string) => Observable<ConnectEvent>;

/** The dependencies and settings of a stream. */
export interface RelayStreamInit {
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly connect: Connect;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly onEmpty: () => void;
  /** What a server has rendered, by scope. */
  readonly stateOf?: (id: string) => ScopeState | undefined;
}

interface PageScope {
  readonly scope: Scope;
  readonly name: string;
  readonly content: ScopeContent;
  /** With what they want to know of the order of a window. */
  readonly subscribers: Map<Subscriber<SourceEvent<unknown>>, ((total: number) => void) | undefined>;
  total?: number;
  channel?: string;
  health: string;
  healthCode?: string | undefined;
  said: string;
  /** Whether the drift has not been reported to the relay yet. */
  drifted: boolean;
}

interface Failure {
  readonly code: InformerErrorCode;
  readonly cause: unknown;
  readonly nextAttemptAt: number;
}

const firstByteMs = 10_000;
const unansweredMs = 1_000;
const silenceMs = 25_000;
const pollSilenceMs = 40_000;
const shortMs = 30_000;
const maxShort = 3;
const pollForMs = 600_000;
const backoff = { initialMs: 800, maxMs: 30_000 };
const growing = (attempt: number): number => Math.min(backoff.maxMs, backoff.initialMs * 2 ** (attempt - 1));
const longestBehindMs = 60_000;
const againMs = 60_000;
/** A stream has a heartbeat each ten seconds: one that has been silent for longer is dead, as after sleep. */
const quietMs = 12_000;
const wakeSpreadMs = 500;
/** Pages that poll ask at most this often, however often something changes. */
const pollEveryMs = 2_000;
const stoppedSpreadMs = 3_000;

/** The stream of one page to one relay: one request for all scopes, repeated whenever it ends. */
export class RelayStream {
  private readonly init: RelayStreamInit;
  private readonly scopes = new Map<string, PageScope>();
  private request: Subscription | undefined;
  private isAnswered = false;
  /** Whether the request under way has other scopes than the page. */
  private isOutdated = false;
  private due: Subscription | undefined;
  private silence: Subscription | undefined;
  private failure: Failure | undefined;
  private attempt = 0;
  private shortStreams = 0;
  private pollUntil = -Infinity;
  private behindSince: number | undefined;
  private openedAt = 0;
  private heardAt = 0;
  private driftedAt = -Infinity;
  private drifts = 0;

  constructor(init: RelayStreamInit) {
    this.init = init;
  }

  /** Follows a scope for a subscriber, until the subscription ends. */
  follow(id: string, scope: Scope, subscriber: Subscriber<SourceEvent<unknown>>, onTotal?: (total: number) => void): Subscription {
    let followed = this.scopes.get(id);
    if (followed === undefined) {
      const content = new ScopeContent(scope.window !== undefined);
      const state = this.init.stateOf?.(id);
      if (state !== undefined) content.restore(state);
      const name = scope.kind ?? scope.view ?? '';
      followed = { scope, name, content, subscribers: new Map(), health: 'watching', said: '', drifted: false };
      this.scopes.set(id, followed);
      this.emitStatus(followed);
      this.renew();
    }
    const { subscribers, content } = followed;
    subscribers.set(subscriber, onTotal);
    if (followed.total !== undefined) onTotal?.(followed.total);
    subscriber.next(this.statusOf(followed));
    for (const event of content.snapshot()) subscriber.next(event);
    return new Subscription(() => {
      subscribers.delete(subscriber);
      if (subscribers.size > 0 || this.scopes.get(id) !== followed) return;
      this.scopes.delete(id);
      if (this.scopes.size > 0) {
        this.renew();
        return;
      }
      this.close();
      this.init.onEmpty();
    });
  }

  /** Connects again at once where that has become possible: the page is online, visible or back. A refusal's time to wait is kept. */
  wake(isForced = false): void {
    const { scheduler, random } = this.init;
    const now = scheduler.now();
    const isDead = this.request === undefined || now - this.heardAt > (now < this.pollUntil ? pollSilenceMs : quietMs);
    if (this.scopes.size === 0 || (!isForced && !isDead)) return;
    this.close();
    const { failure } = this;
    if (!isForced && failure?.cause instanceof ApiError) {
      this.openIn(Math.max(0, failure.nextAttemptAt - now));
      return;
    }
    this.attempt = 0;
    // Not sooner than that after the last attempt, however often it is called.
    const leastMs = Math.max(0, this.openedAt + wakeSpreadMs - now);
    this.openIn(isForced ? 0 : leastMs + wakeSpreadMs * random());
  }

  /** Ends the request: the browser keeps the page, and may show it again. */
  rest(): void {
    this.close();
  }

  /** The content of a scope; undefined before it is complete. */
  stateOf(id: string): ScopeState | undefined {
    return this.scopes.get(id)?.content.state();
  }

  private close(): void {
    for (const part of [this.request, this.due, this.silence]) part?.unsubscribe();
    this.request = undefined;
  }

  /**
   * Asks for changed scopes. A request under way has a second to be answered, since scopes that change faster than answers come would keep all others from theirs; a
   * wait after a failure goes on.
   */
  private renew(): void {
    if (this.request === undefined && this.failure !== undefined) return;
    this.isOutdated = true;
    this.openIn(this.request === undefined || this.isAnswered ? 0 : unansweredMs);
  }

  private openIn(ms: number): void {
    this.due?.unsubscribe();
    this.due = this.init.scheduler.schedule(() => this.open(), ms);
  }

  private open(): void {
    this.close();
    const { scheduler, connect } = this.init;
    const now = scheduler.now();
    const poll = now < this.pollUntil;
    const followed = [...this.scopes.values()];
    for (const { content } of followed) content.cut();
    const scopes = followed.map(({ scope, content, drifted }) => ({ ...scope, token: content.token(), ...(drifted && { drifted }) }));
    const body: RelayRequestBody = { version: protocolVersion, poll, scopes };
    const read = frameReader();
    let isStream = false;
    Object.assign(this, { openedAt: now, heardAt: now, isAnswered: false, isOutdated: false });
    this.listen(firstByteMs + (poll ? pollSilenceMs : 0));
    // Ignore answers of a request that was unsubscribed from.
    const request = new Subscription();
    this.request = request;
    const ended = (cause?: unknown): void => {
      if (this.request === request) this.ended(cause, poll);
    };
    request.add(
      connect(JSON.stringify(body)).subscribe({
        next: (event) => {
          if (this.request !== request) return;
          if (event.type === 'head') {
            isStream = true;
            this.answered(event);
            return;
          }
          this.heardAt = scheduler.now();
          this.listen(poll ? pollSilenceMs : silenceMs);
          try {
            for (const frame of read(event.text)) if (this.request === request) this.take(frame, followed);
          } catch {
            ended(new Error('The relay sent something else than its frames'));
            return;
          }
          if (!this.isAnswered && this.isOutdated && this.request === request) this.openIn(0);
          this.isAnswered = true;
        },
        error: (error: unknown) => {
          if (isStream) ended(error);
          // Nobody was there: that is no short stream.
          else if (this.request === request) this.fail('ERR_WATCH', error);
        },
        complete: () => ended(),
      }),
    );
  }

  private listen(ms: number): void {
    this.silence?.unsubscribe();
    this.silence = this.init.scheduler.schedule(
      () => this.ended(new Error(`Nothing came for ${ms} ms`), this.init.scheduler.now() < this.pollUntil),
      ms,
    );
  }

  private answered({ status, reason, message, retryAfterMs }: Extract<ConnectEvent, { type: 'head' }>): void {
    if (status === 200) return;
    const now = this.init.scheduler.now();
    const cause = new ApiError({
      code: status,
      message: message === '' ? `The relay answered ${status}` : message,
      retryAfterMs,
      status: { reason },
    });
    const isBehind = reason === 'Behind';
    this.behindSince = isBehind ? (this.behindSince ?? now) : undefined;
    // All replicas have been behind the page for long: the server was restored from a backup.
    if (isBehind && now - (this.behindSince ?? now) >= longestBehindMs) for (const { content } of this.scopes.values()) content.doubt();
    const leastMs = Math.min(retryAfterMs, backoff.maxMs);
    const waitMs = isBehind ? leastMs : Math.max(leastMs, growing(this.attempt + 1));
    this.fail(status === 401 ? 'ERR_AUTH' : status === 400 ? 'ERR_NOT_SERVED' : 'ERR_WATCH', cause, waitMs);
  }

  /** Handles a stream that ended without `bye`, or that nothing came of. */
  private ended(cause: unknown, poll: boolean): void {
    const { scheduler } = this.init;
    const now = scheduler.now();
    if (!poll) {
      this.shortStreams = now - this.openedAt < shortMs ? this.shortStreams + 1 : 0;
      if (this.shortStreams >= maxShort) {
        this.shortStreams = 0;
        this.pollUntil = now + pollForMs;
      }
    }
    this.fail('ERR_WATCH', cause ?? new Error('The stream ended without a word'));
  }

  private fail(code: InformerErrorCode, cause: unknown, waitMs?: number): void {
    const { scheduler, random } = this.init;
    this.close();
    this.attempt += 1;
    const wait = (waitMs ?? growing(this.attempt)) * (1 + random());
    this.failure = { code, cause, nextAttemptAt: scheduler.now() + wait };
    this.sayAll();
    this.openIn(wait);
  }

  private healthy(): void {
    this.attempt = 0;
    this.behindSince = undefined;
    if (this.failure === undefined) return;
    this.failure = undefined;
    this.sayAll();
  }

  private take(frame: Frame, followed: readonly PageScope[]): void {
    if ('open' in frame) {
      frame.open.forEach((channel, at) => {
        const scope = followed[at];
        if (scope === undefined) return;
        scope.channel = channel;
        scope.drifted = false;
      });
    } else if ('beat' in frame) {
      this.healthy();
      for (const scope of followed) this.beat(scope, frame.beat[scope.channel ?? '']);
    } else if ('bye' in frame) {
      // The relay announced the end, so nothing has failed. The token is requested again.
      this.close();
      const { scheduler, random } = this.init;
      if (frame.bye === 'stopped') this.openIn(stoppedSpreadMs * random());
      else if (frame.bye === 'poll') this.openIn(Math.max(0, this.openedAt + pollEveryMs - scheduler.now()));
      else this.open();
    } else {
      const scope = followed.find(({ channel }) => channel === frame.c);
      if (scope !== undefined && this.scopes.size > 0) this.takeOf(scope, frame);
    }
  }

  private takeOf(scope: PageScope, frame: Extract<Frame, { readonly c: string }>): void {
    const { content } = scope;
    if ('g' in frame) {
      try {
        content.rows(frame);
      } catch (error) {
        if (!(error instanceof DriftError)) throw error;
        this.drift(scope, error.message);
      }
    } else if ('log' in frame) {
      this.emit(scope, content.commit(frame));
      this.healthy();
    } else if ('drop' in frame) {
      this.emit(scope, content.drop(frame.drop));
    } else if ('rights' in frame) {
      content.setRights(frame.rights, frame.id);
    } else if ('total' in frame) {
      scope.total = frame.total;
      for (const [, onTotal] of scope.subscribers) onTotal?.(frame.total);
    } else if ('reset' in frame) {
      content.reset();
    } else {
      scope.health = frame.health;
      scope.healthCode = frame.code;
    }
    this.emitStatus(scope);
  }

  private beat(scope: PageScope, at: readonly [number, number, number] | undefined): void {
    if (at === undefined || !this.scopes.size) return;
    if (!scope.content.agrees(at)) {
      this.drift(scope, 'count or checksum differ from those of the relay');
      return;
    }
    if (scope.content.isLive && scope.health === 'watching')
      this.emit(scope, [{ type: 'bookmark', resourceVersion: scope.content.version() }]);
  }

  /** The content differs from the relay's: requests all of it again. */
  private drift(scope: PageScope, message: string): void {
    scope.content.doubt();
    const error = new InformerError({ code: 'ERR_DRIFT', message: `${scope.name}: ${message}; it is sent again`, resource: scope.name });
    this.emit(scope, [{ type: 'status', state: scope.content.isLive ? 'watching' : 'listing', error }]);
    scope.said = '';
    scope.drifted = true;
    // One beat may show that several scopes differ.
    if (this.request === undefined) return;
    this.close();
    const { scheduler, random } = this.init;
    const now = scheduler.now();
    this.drifts = now - this.driftedAt < backoff.maxMs ? this.drifts + 1 : 0;
    this.driftedAt = now;
    this.openIn(this.drifts === 0 ? 0 : growing(this.drifts) * (1 + random()));
  }

  private emit({ subscribers }: PageScope, events: readonly SourceEvent<unknown>[]): void {
    for (const event of events) for (const [subscriber] of [...subscribers]) subscriber.next(event);
  }

  private sayAll(): void {
    for (const scope of this.scopes.values()) this.emitStatus(scope);
  }

  /** Emits the state of the link if it has changed. */
  private emitStatus(scope: PageScope): void {
    const status = this.statusOf(scope);
    const { state, error, attempt, nextAttemptAt } = status;
    const why = error?.cause instanceof ApiError ? error.cause.reason : nextAttemptAt;
    const said = JSON.stringify([state, error?.code, why, attempt]);
    if (said === scope.said) return;
    scope.said = said;
    this.emit(scope, [status]);
  }

  /** The state of both hops: from the page to the relay, and from there to the Kubernetes API. */
  private statusOf({ name, content, health, healthCode }: PageScope): SourceStatus {
    const { failure } = this;
    const failed = (code: InformerErrorCode, what: string, cause: unknown, nextAttemptAt: number, attempt: number): SourceStatus => {
      const error = new InformerError({ code, message: `${name}: ${what}`, cause, resource: name, attempt });
      return { type: 'status', state: 'retrying', error, attempt, nextAttemptAt };
    };
    const refused = (errorCode: InformerErrorCode, code: number, reason: string, what: string): SourceStatus => {
      const message = what.replace(/^./, (first) => first.toUpperCase());
      return failed(errorCode, what, new ApiError({ code, message, status: { reason } }), this.init.scheduler.now() + againMs, 1);
    };
    if (failure !== undefined) {
      const { code, cause, nextAttemptAt } = failure;
      return failed(code, cause instanceof Error ? cause.message : 'the connection failed', cause, nextAttemptAt, this.attempt);
    }
    if (content.rights === 'forbidden') return refused('ERR_LIST', 403, 'Forbidden', 'the user may not list and watch it');
    if (content.rights === 'checking' && content.isLive)
      return refused('ERR_LIST', 503, 'Checking', 'the rights of the user are being checked');
    if (health === 'retrying' || health === 'stopped') {
      const why = healthCode === undefined ? health : `${health}, ${healthCode}`;
      return refused('ERR_WATCH', 503, 'Upstream', `the relay's own connection is ${why}`);
    }
    return { type: 'status', state: content.isLive && health === 'watching' ? 'watching' : 'listing' };
  }
}
