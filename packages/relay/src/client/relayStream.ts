import { type Observable, ReplaySubject, type SchedulerLike, type Subscriber, Subscription } from 'rxjs';
import { ApiError, InformerError } from 'rx-informer';
import { type InformerErrorCode, messageOf, type SourceStatus } from 'rx-informer/internal';
import type { SourceEvent } from 'rx-informer/pipeline';
import { type Frame, frameReader, protocolVersion, type RelayRequestBody, type Scope } from '../wire/frames.js';
import { ScopeContent, type ScopeState } from './scopeContent.js';

/**
 * Sends one request. Emits `''` when it is answered, and then the answer as it arrives; completes with the answer. Fails with an ApiError when the relay refuses it,
 * and with another error when the connection fails.
 */
export type Connect = (body: string) => Observable<string>;

/** The dependencies and settings of a stream. */
export interface RelayStreamInit {
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly connect: Connect;
  readonly scheduler: SchedulerLike;
  readonly random: () => number;
  readonly onEmpty: () => void;
  /** What a server has rendered, by scope. */
  readonly state?: Readonly<Record<string, ScopeState>> | undefined;
}

interface PageScope {
  readonly scope: Scope;
  readonly name: string;
  readonly content: ScopeContent;
  readonly subscribers: Set<Subscriber<SourceEvent<unknown>>>;
  /** How many objects the order of a window has. */
  readonly total$: ReplaySubject<number>;
  channel?: string;
  health: string;
  healthCode?: string | undefined;
  said?: string;
  /** Whether the drift has not been reported to the relay yet. */
  drifted?: boolean;
}

interface Failure {
  readonly code: InformerErrorCode;
  readonly cause: unknown;
  readonly attempt: number;
  readonly nextAttemptAt: number;
}

const firstByteMs = 10_000;
const unansweredMs = 1_000;
const silenceMs = 25_000;
const pollSilenceMs = 40_000;
const shortMs = 30_000;
const maxShort = 3;
const pollForMs = 600_000;
const longestWaitMs = 30_000;
const growing = (attempt: number): number => Math.min(longestWaitMs, 400 * 2 ** attempt);
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
  readonly #init: RelayStreamInit;
  readonly #scopes = new Map<string, PageScope>();
  #request: Subscription | undefined;
  #isPoll = false;
  #isAnswered = false;
  /** Whether the request under way has other scopes than the page. */
  #isOutdated = false;
  #due: Subscription | undefined;
  #silence: Subscription | undefined;
  #failure: Failure | undefined;
  #attempt = 0;
  #shortStreams = 0;
  #pollUntil = -Infinity;
  #behindSince = Infinity;
  #openedAt = 0;
  #heardAt = 0;
  #driftedAt = -Infinity;
  #drifts = 0;

  constructor(init: RelayStreamInit) {
    this.#init = init;
  }

  /** Follows a scope for a subscriber, until the subscription ends. */
  follow(id: string, scope: Scope, subscriber: Subscriber<SourceEvent<unknown>>, onTotal?: (total: number) => void): Subscription {
    let followed = this.#scopes.get(id);
    if (!followed) {
      const content = new ScopeContent(scope.window !== undefined);
      const state = this.#init.state?.[id];
      if (state) content.restore(state);
      const name = scope.kind ?? scope.view ?? '';
      followed = { scope, name, content, subscribers: new Set(), total$: new ReplaySubject(1), health: 'watching' };
      this.#scopes.set(id, followed);
      this.#emitStatus(followed);
      this.#renew();
    }
    const { subscribers, content } = followed;
    subscribers.add(subscriber);
    // A function of the user that throws does not end the stream.
    if (onTotal) subscriber.add(followed.total$.subscribe({ next: onTotal, error: () => undefined }));
    subscriber.next(this.#statusOf(followed));
    for (const event of content.snapshot()) subscriber.next(event);
    return new Subscription(() => {
      subscribers.delete(subscriber);
      if (subscribers.size > 0 || this.#scopes.get(id) !== followed) return;
      this.#scopes.delete(id);
      if (this.#scopes.size > 0) {
        this.#renew();
        return;
      }
      this.close();
      this.#init.onEmpty();
    });
  }

  /** Connects again at once where that has become possible: the page is online, visible or back. A refusal's time to wait is kept. */
  wake(isForced = false): void {
    const now = this.#now();
    const isDead = !this.#request || now - this.#heardAt > (this.#isPoll ? pollSilenceMs : quietMs);
    if (!isForced && !isDead) return;
    this.close();
    const failure = this.#failure;
    if (!isForced && failure?.cause instanceof ApiError) {
      this.#openIn(failure.nextAttemptAt - now);
      return;
    }
    this.#attempt = 0;
    // Not sooner than that after the last attempt, however often it is called.
    const leastMs = Math.max(0, this.#openedAt + wakeSpreadMs - now);
    this.#openIn(isForced ? 0 : leastMs + this.#spread(wakeSpreadMs));
  }

  /** The content of a scope; undefined before it is complete. */
  stateOf(id: string): ScopeState | undefined {
    return this.#scopes.get(id)?.content.state();
  }

  /** Ends the request: also when the browser keeps the page, and may show it again. */
  close(): void {
    for (const part of [this.#request, this.#due, this.#silence]) part?.unsubscribe();
    this.#request = undefined;
  }

  #now(): number {
    return this.#init.scheduler.now();
  }

  /** A part of a time by chance, so that pages do not come all at once. */
  #spread(ms: number): number {
    return ms * this.#init.random();
  }

  /**
   * Asks for changed scopes. A request under way has a second to be answered, since scopes that change faster than answers come would keep all others from theirs; a
   * wait after a failure goes on.
   */
  #renew(): void {
    if (!this.#request && this.#failure) return;
    this.#isOutdated = true;
    this.#openIn(!this.#request || this.#isAnswered ? 0 : unansweredMs);
  }

  #openIn(ms: number): void {
    this.#due?.unsubscribe();
    // Whoever heard of a failure may have left.
    if (!this.#scopes.size) return;
    this.#due = this.#init.scheduler.schedule(() => this.#open(), Math.max(0, ms));
  }

  #open(): void {
    this.close();
    const now = this.#now();
    const poll = now < this.#pollUntil;
    this.#isPoll = poll;
    const followed = [...this.#scopes.values()];
    for (const { content } of followed) content.cut();
    const scopes = followed.map(({ scope, content, drifted }) => ({ ...scope, token: content.token(), ...(drifted && { drifted }) }));
    const body: RelayRequestBody = { version: protocolVersion, poll, scopes };
    const read = frameReader();
    let isStream = false;
    this.#openedAt = now;
    this.#heardAt = now;
    this.#isAnswered = false;
    this.#isOutdated = false;
    this.#listen(firstByteMs + (poll ? pollSilenceMs : 0));
    // Ignore answers of a request that was unsubscribed from.
    const request = new Subscription();
    this.#request = request;
    const ended = (cause?: unknown): void => {
      if (this.#request === request) this.#ended(cause);
    };
    request.add(
      this.#init.connect(JSON.stringify(body)).subscribe({
        next: (text) => {
          isStream = true;
          if (this.#request !== request || text === '') return;
          this.#heardAt = this.#now();
          this.#listen(poll ? pollSilenceMs : silenceMs);
          try {
            for (const frame of read(text)) if (this.#request === request) this.#take(frame, followed);
          } catch {
            ended(new Error('The relay sent something else than frames'));
            return;
          }
          if (!this.#isAnswered && this.#isOutdated && this.#request === request) this.#openIn(0);
          this.#isAnswered = true;
        },
        error: (error: unknown) => {
          if (isStream) ended(error);
          // Nobody was there: that is no short stream.
          else if (this.#request === request) this.#failed(error);
        },
        complete: () => ended(),
      }),
    );
  }

  #listen(ms: number): void {
    this.#silence?.unsubscribe();
    this.#silence = this.#init.scheduler.schedule(() => this.#ended(new Error(`Nothing came for ${ms} ms`)), ms);
  }

  /** Handles a request without a stream. */
  #failed(cause: unknown): void {
    if (!(cause instanceof ApiError)) {
      this.#fail('ERR_WATCH', cause);
      return;
    }
    const { code, reason, retryAfterMs = 0 } = cause;
    const isBehind = reason === 'Behind';
    this.#behindSince = isBehind ? Math.min(this.#behindSince, this.#now()) : Infinity;
    // All replicas have been behind the page for long: the server was restored from a backup.
    if (this.#now() - this.#behindSince >= longestBehindMs) for (const { content } of this.#scopes.values()) content.doubt();
    const leastMs = Math.min(retryAfterMs, longestWaitMs);
    const waitMs = isBehind ? leastMs : Math.max(leastMs, growing(this.#attempt + 1));
    this.#fail(code === 401 ? 'ERR_AUTH' : code === 400 ? 'ERR_NOT_SERVED' : 'ERR_WATCH', cause, waitMs);
  }

  /** Handles a stream that ended without `bye`, or that nothing came of. */
  #ended(cause: unknown): void {
    const now = this.#now();
    if (!this.#isPoll) this.#shortStreams = now - this.#openedAt < shortMs ? this.#shortStreams + 1 : 0;
    if (this.#shortStreams >= maxShort) {
      this.#shortStreams = 0;
      this.#pollUntil = now + pollForMs;
    }
    this.#fail('ERR_WATCH', cause ?? new Error('The stream ended early'));
  }

  #fail(code: InformerErrorCode, cause: unknown, waitMs?: number): void {
    this.close();
    this.#attempt += 1;
    const least = waitMs ?? growing(this.#attempt);
    const wait = least + this.#spread(least);
    this.#failure = { code, cause, attempt: this.#attempt, nextAttemptAt: this.#now() + wait };
    this.#sayAll();
    this.#openIn(wait);
  }

  #healthy(): void {
    this.#attempt = 0;
    this.#behindSince = Infinity;
    if (!this.#failure) return;
    this.#failure = undefined;
    this.#sayAll();
  }

  #take(frame: Frame, followed: readonly PageScope[]): void {
    if ('open' in frame) {
      frame.open.forEach((channel, at) => Object.assign(followed[at] ?? {}, { channel, drifted: false }));
    } else if ('beat' in frame) {
      this.#healthy();
      for (const scope of followed) this.#beat(scope, frame.beat[scope.channel ?? '']);
    } else if ('bye' in frame) {
      // The relay announced the end, so nothing has failed. The token is requested again.
      this.close();
      if (frame.bye === 'stopped') this.#openIn(this.#spread(stoppedSpreadMs));
      else if (frame.bye === 'poll') this.#openIn(this.#openedAt + pollEveryMs - this.#now());
      else this.#open();
    } else {
      const scope = followed.find(({ channel }) => channel === frame.c);
      if (scope && this.#scopes.size > 0) this.#takeOf(scope, frame);
    }
  }

  #takeOf(scope: PageScope, frame: Extract<Frame, { readonly c: string }>): void {
    const { content } = scope;
    if ('g' in frame) {
      const key = content.rows(frame);
      if (key !== undefined) this.#drift(scope, `a change of ${key} has another base`);
    } else if ('log' in frame) {
      this.#emit(scope, content.commit(frame));
      this.#healthy();
    } else if ('drop' in frame) {
      this.#emit(scope, content.drop(frame.drop));
    } else if ('rights' in frame) {
      content.setRights(frame.rights, frame.id);
    } else if ('total' in frame) {
      scope.total$.next(frame.total);
    } else if ('reset' in frame) {
      content.reset();
    } else if ('health' in frame) {
      scope.health = frame.health;
      scope.healthCode = frame.code;
    }
    this.#emitStatus(scope);
  }

  #beat(scope: PageScope, at: readonly [number, number, number] | undefined): void {
    if (!at || !this.#scopes.size) return;
    if (!scope.content.agrees(at)) {
      this.#drift(scope, 'count or checksum differ');
      return;
    }
    if (scope.content.isLive && scope.health === 'watching')
      this.#emit(scope, [{ type: 'bookmark', resourceVersion: scope.content.version() }]);
  }

  /** The content differs from the relay's: requests all of it again. */
  #drift(scope: PageScope, message: string): void {
    scope.content.doubt();
    const error = new InformerError({ code: 'ERR_DRIFT', message: `${scope.name}: ${message}; it is sent again`, resource: scope.name });
    this.#emit(scope, [{ type: 'status', state: scope.content.isLive ? 'watching' : 'listing', error }]);
    scope.said = '';
    scope.drifted = true;
    // One beat may show that several scopes differ.
    if (!this.#request) return;
    this.close();
    const now = this.#now();
    this.#drifts = now - this.#driftedAt < longestWaitMs ? this.#drifts + 1 : 0;
    this.#driftedAt = now;
    const least = this.#drifts === 0 ? 0 : growing(this.#drifts);
    this.#openIn(least + this.#spread(least));
  }

  #emit({ subscribers }: PageScope, events: readonly SourceEvent<unknown>[]): void {
    // Whoever comes meanwhile has got the content as a list of its own.
    for (const subscriber of [...subscribers]) for (const event of events) subscriber.next(event);
  }

  #sayAll(): void {
    for (const scope of this.#scopes.values()) this.#emitStatus(scope);
  }

  /** Emits the state of the link if it has changed. */
  #emitStatus(scope: PageScope): void {
    const status = this.#statusOf(scope);
    const said = JSON.stringify([status.state, status.error, this.#failure?.nextAttemptAt]);
    if (said === scope.said) return;
    scope.said = said;
    this.#emit(scope, [status]);
  }

  /** What is wrong between the page and the relay, or else between the relay and the Kubernetes API. */
  #failureOf({ content, health, healthCode }: PageScope): Failure | undefined {
    const refused = (code: InformerErrorCode, status: number, reason: string, message: string): Failure => {
      const cause = new ApiError({ code: status, message, status: { reason } });
      return { code, cause, attempt: 1, nextAttemptAt: this.#now() + againMs };
    };
    if (this.#failure) return this.#failure;
    if (content.rights === 'forbidden') return refused('ERR_LIST', 403, 'Forbidden', 'the user may not list and watch it');
    if (content.rights === 'checking' && content.isLive)
      return refused('ERR_LIST', 503, 'Checking', 'the rights of the user are being checked');
    if (health !== 'retrying' && health !== 'stopped') return undefined;
    return refused('ERR_WATCH', 503, 'Upstream', `the relay says: ${healthCode ?? health}`);
  }

  /** The state of both hops: from the page to the relay, and from there to the Kubernetes API. */
  #statusOf(scope: PageScope): SourceStatus {
    const failure = this.#failureOf(scope);
    const { name: resource, content, health } = scope;
    if (!failure) return { type: 'status', state: content.isLive && health === 'watching' ? 'watching' : 'listing' };
    const { code, cause, attempt, nextAttemptAt } = failure;
    const error = new InformerError({ code, message: `${resource}: ${messageOf(cause)}`, cause, resource, attempt });
    return { type: 'status', state: 'retrying', error, attempt, nextAttemptAt };
  }
}
