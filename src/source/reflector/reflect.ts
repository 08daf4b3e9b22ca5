import { expectArgument, rules } from '../../api/options.js';
import { concat, defer, identity, Observable, type SchedulerLike, Subscription, takeUntil, tap, timeout } from 'rxjs';
import { endOf } from '../../api/errors/informerError.js';
import { isOlderVersion, type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import type { ListerWatcher, ListRequest, WatchChunk, WatchRequest } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events.js';
import { type ReflectOptions, reflectSettings, type ReflectSettings } from './reflectOptions.js';
import { guardTrace, type MeteredSource, tracedSource } from '../tracedSource.js';
import { dueAt, nothingKnown, step } from './step.js';
import { readable } from './report.js';
import { listPages } from '../pages/listPages.js';
import { TokenBucket } from '../../rx/tokenBucket.js';
import { Trampoline } from '../../rx/trampoline.js';
import { defaults } from '../../api/defaults.js';
import type { Context, Effect, Happening, Memory, Next, State } from './state.js';
import { isNew } from './streaming.js';
import { advanced, type Change, watchLine } from './watching.js';

/** Makes the requests of a source with a trace; `report` gets the error of a trace that threw. */
export type Tracing = <T>(
  source: ListerWatcher<T>,
  name: string,
  scheduler: SchedulerLike,
  report: (cause: unknown) => void,
) => MeteredSource<T>;

/** The requests of a source with the trace of the settings. @internal */
export function tracingOf({ trace }: Pick<ReflectSettings, 'trace'>): Tracing | undefined {
  return trace && ((source, name, scheduler, report) => tracedSource(source, name, guardTrace(trace, report), scheduler));
}

/** Limits the requests of a source. @internal */
export function meteredSource<T>(
  source: ListerWatcher<T>,
  settings: Pick<ReflectSettings, 'name' | 'scheduler'>,
  tracing: Tracing | undefined,
  report: (cause: unknown) => void,
): MeteredSource<T> {
  const { scheduler, name = source.resource ?? 'objects' } = settings;
  // In normal operation it is never exhausted, only by a server that ends every answer at once.
  const budget = new TokenBucket(defaults.sourceRequests.qps, defaults.sourceRequests.burst, scheduler);
  const spend = <V>(send: () => Observable<V>): Observable<V> => concat(budget.turn(), defer(send));
  const { list, watch, look } =
    tracing === undefined
      ? { list: source.list.bind(source), watch: source.watch.bind(source), look: source.list.bind(source) }
      : tracing(source, name, scheduler, report);
  /** The tokens of the pages of the last list. */
  const tokens = new Set<string>();
  return {
    // Later pages of a list do not count: they make progress, unless a token comes again.
    list: (request) => {
      const { continue: token } = request;
      const progresses = token !== undefined && !tokens.has(token);
      if (token === undefined) tokens.clear();
      else tokens.add(token);
      return progresses ? list(request) : spend(() => list(request));
    },
    watch: (request) => spend(() => watch(request)),
    look: (request) => spend(() => look(request)),
  };
}

interface ReflectorInit<T> {
  readonly source: MeteredSource<T>;
  /** The reflector writes to `refusals`, too. */
  readonly context: Context & { readonly refusals: Map<string, number> };
  readonly output: { next(event: SourceEvent<T>): void; error(error: unknown): void };
  /** The memory to start with. By default nothing is known. */
  readonly memory?: Memory;
  /** The first request; a list by default. */
  readonly next?: Next;
}

/** A list in parallel to the running watch: a second reflector, whose events are buffered with those of the watch until the list is complete. */
interface Relist<T extends KubernetesObject> {
  readonly reflector: Reflector<T>;
  listed: SourceEvent<T>[];
  readonly watched: Extract<SourceEvent<T>, { readonly object: unknown }>[];
}

type EffectOf<T, Do> = Extract<Effect<T>, { readonly do: Do }>;

/** One subscription: passes happenings to `step`, one at a time, and carries out the resulting effects. @internal */
class Reflector<T extends KubernetesObject> {
  private readonly init: ReflectorInit<T>;
  private readonly scheduler: SchedulerLike;
  private state: State;
  private stopped = false;
  /** Queues happenings during a step. */
  private readonly turns = new Trampoline();
  private readonly requests = new Map<'list' | 'watch' | 'look', Subscription>();
  private relist: Relist<T> | undefined;
  private timer: Subscription | undefined;
  private timerAt = Infinity;
  private readonly carriers: { readonly [Do in Effect<T>['do']]: (effect: EffectOf<T, Do>) => void } = {
    emit: ({ event }) => this.emit(event),
    list: ({ request }) => this.list(request),
    watch: ({ request }) => this.watch(request),
    look: () => this.look(),
    relist: ({ memory }) => this.beginRelist(memory),
    handOver: ({ above }) => this.handOver(above),
    leave: () => this.leave(),
    refuse: ({ until }) => this.init.context.refusals.set(this.init.context.source.resource, until),
  };

  constructor(init: ReflectorInit<T>) {
    this.init = init;
    this.scheduler = init.context.settings.scheduler;
    const { memory = nothingKnown, next = { type: 'list', reason: 'first' } } = init;
    this.state = { type: 'waiting', memory, dueAt: this.scheduler.now(), next };
  }

  stop(): void {
    this.stopped = true;
    this.leave();
    this.timer?.unsubscribe();
  }

  /** Handles a happening; `of` is the request that caused it, if any. */
  happens(happening: Happening<T>, of?: Subscription): void {
    this.turns.run(() => {
      // Ignore what a request emits after it was unsubscribed from.
      if (of?.closed === true) return;
      const now = this.scheduler.now();
      const at = happening.type === 'due' ? Math.max(now, dueAt(this.state)) : now;
      const { state, effects } = this.stepped(happening, at, of);
      this.state = state;
      for (const effect of effects) if (!this.stopped) this.carryOut(effect);
      this.setTimer();
    });
  }

  /** An answer that cannot be read is a failed one. */
  private stepped(happening: Happening<T>, at: number, of?: Subscription): ReturnType<typeof step<T>> {
    const { context } = this.init;
    try {
      return step(this.state, happening, at, context);
    } catch (error) {
      const [kind] = [...this.requests].find(([, request]) => request === of) ?? [];
      if (kind === undefined) throw error;
      return step<T>(this.state, { type: `${kind}Failed`, error: readable(error) }, at, context);
    }
  }

  private carryOut<Do extends Effect<T>['do']>(effect: EffectOf<T, Do>): void {
    this.carriers[effect.do](effect);
  }

  private emit(event: SourceEvent<T>): void {
    const { output, context } = this.init;
    if (this.relist !== undefined && 'object' in event) this.relist.watched.push(event);
    output.next(event);
    if (event.type !== 'status' || event.error === undefined || this.stopped) return;
    const end = endOf(context.settings.onError, event.error);
    if (end !== undefined) output.error(end);
  }

  // Requests

  /** Sends a request that replaces the last one of its kind. A replaced request emits nothing more, even if it emits synchronously. */
  private send<V>(
    kind: 'list' | 'watch' | 'look',
    ask: () => Observable<V>,
    observerOf: (request: Subscription) => { next(value: V): void; complete?(): void },
  ): void {
    this.requests.get(kind)?.unsubscribe();
    const request = new Subscription();
    this.requests.set(kind, request);
    const left$ = new Observable<void>((notifier) => request.add(() => notifier.next()));
    const error = (failure: unknown): void => this.happens({ type: `${kind}Failed` as const, error: readable(failure) }, request);
    // `tap` makes an error of what is thrown where an answer cannot be read.
    defer(ask)
      .pipe(tap(observerOf(request)), takeUntil(left$))
      .subscribe({ error });
  }

  private leave(): void {
    for (const request of this.requests.values()) request.unsubscribe();
    this.relist?.reflector.stop();
    this.relist = undefined;
  }

  private list(asked: ListRequest): void {
    const { source, context } = this.init;
    const { listTimeoutMs: timeoutMs, scheduler } = context.settings;
    const ask = () => listPages(source, asked, { timeoutMs, scheduler });
    this.send('list', ask, (request) => ({ next: (event) => this.happens(event, request) }));
  }

  private watch(asked: WatchRequest): void {
    // The keys of a streamed list, until it is complete.
    let seen = asked.sendInitialEvents === true ? new Set<string>() : undefined;
    const ask = () => this.init.source.watch(asked);
    this.send('watch', ask, (request) => ({
      next: (lines) => {
        this.lines(lines, seen, request);
        if (this.state.type === 'watching') seen = undefined;
      },
      complete: () => this.happens({ type: 'closed' }, request),
    }));
  }

  /** Fast path for parts with nothing but changes, which are nearly all: does the same as `step` for each line. */
  private lines(lines: WatchChunk<T>, seen: Set<string> | undefined, request: Subscription): void {
    const { state } = this;
    const { context } = this.init;
    if (lines.length === 0) this.happens({ type: 'progress' }, request);
    else if (state.type === 'watching' && !this.turns.isBusy()) {
      const after = advanced(state, lines, this.scheduler.now(), context);
      if (after !== undefined) {
        this.state = after;
        this.turns.run(() => this.emitChanges(lines as readonly Change<T>[], request));
        return;
      }
    }
    for (const line of lines) this.happens({ type: 'line', line, isNew: seen !== undefined && isNew(line, seen) }, request);
  }

  /** Emits the changes of a watch. Stops if a subscriber, called synchronously, has ended the watch. */
  private emitChanges(lines: readonly Change<T>[], request: Subscription): void {
    const { scope } = this.init.context.source;
    for (const line of lines) {
      if (request.closed) return;
      this.emit(watchLine.sourceEvent(line, scope, resourceVersionOf(line.object) ?? ''));
    }
  }

  /** Lists one object to learn the server's current version. */
  private look(): void {
    const { source, context } = this.init;
    const { listTimeoutMs, scheduler } = context.settings;
    let resourceVersion = '';
    const ask = () => source.look({ limit: 1 }).pipe(listTimeoutMs === Infinity ? identity : timeout({ each: listTimeoutMs, scheduler }));
    this.send('look', ask, (request) => ({
      next: ({ metadata }) => {
        resourceVersion = resourceVersionOf({ metadata }) ?? resourceVersion;
      },
      complete: () => this.happens({ type: 'looked', resourceVersion }, request),
    }));
  }

  // The list in parallel to the watch

  private beginRelist(memory: Memory): void {
    const { source, context, output } = this.init;
    const once = { ...context, settings: { ...context.settings, relistPeriodMs: Infinity } };
    const next = (event: SourceEvent<T>): void => this.relisted(relist, event);
    const reflector = new Reflector<T>({ source, context: once, memory, output: { next, error: (error) => output.error(error) } });
    const relist: Relist<T> = { reflector, listed: [], watched: [] };
    this.relist = relist;
    reflector.happens({ type: 'due' });
  }

  private relisted(relist: Relist<T>, event: SourceEvent<T>): void {
    if (event.type === 'init') relist.listed = [];
    else if (event.type === 'ready') {
      relist.reflector.stop();
      this.happens({ type: 'relisted', resourceVersion: event.resourceVersion });
    } else if (event.type !== 'status') relist.listed.push(event);
    else if (event.error !== undefined) this.init.output.next({ ...event, state: this.state.memory.link ?? 'watching' });
  }

  /** Emits the buffered list, then the watch's buffered events with versions above `above`. */
  private handOver(above: string | undefined): void {
    const { listed = [], watched = [] } = this.relist ?? {};
    const newer = watched.filter(
      ({ resourceVersion }) => above !== undefined && resourceVersion !== above && !isOlderVersion(resourceVersion, above),
    );
    for (const event of [...listed, ...newer]) this.emit(event);
  }

  // Time

  /** One timer for the state's deadline. Every line moves the deadline; the timer is not replaced then, but set again when it fires. */
  private setTimer(): void {
    const due = dueAt(this.state);
    if (this.stopped || due >= this.timerAt) return;
    this.timer?.unsubscribe();
    this.timerAt = due;
    const fire = (): void => {
      this.timerAt = Infinity;
      // A timer may fire a fraction of a millisecond early.
      if (dueAt(this.state) - this.scheduler.now() < 1) this.happens({ type: 'due' });
      else this.setTimer();
    };
    this.timer = this.scheduler.schedule(fire, Math.max(0, due - this.scheduler.now()));
  }
}

/**
 * Lists and watches a resource while subscribed, as one cold Observable.
 *
 * ```text
 * list      (ab)|                                          (a)|
 * watch          -----c-----|                                 ----d---
 * watch                      -----# 410
 * result    i-p--r----c-----------s------ backoff ---------i-p--r----d---
 * i: init, p: page, r: ready, c, d: added, modified or deleted, s: status with the error
 * ```
 *
 * - Each subscription is an independent session.
 * - It never completes, and fails only when `onError` returned `'stop'`, with that InformerError. Every failure is a `status` notification, and is
 *   retried without limit: by a watch from the last version where that can work, by a list where it cannot.
 * - Delays between failing attempts grow from `backoff.initialMs` to `backoff.maxMs`. They are reset by a watch that received an event or
 *   a bookmark, or stayed open for 30 s.
 * - A watch that the server closed, or that was silent for `idleTimeoutMs`, is reopened at once, without a list and without an error.
 * - A watch counts as open with the first part of its answer, also one without events.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, reflect } from 'rx-informer/pipeline';
 *
 * reflect(listerWatcher(createClient(), resources.core.v1.pods)).subscribe((event) => console.log(event.type));
 * ```
 *
 * @throws TypeError when an option is wrong.
 * @see client-go's `Reflector`
 */
export function reflect<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  options: ReflectOptions = {},
): Observable<SourceEvent<T>> {
  const settings = reflectSettings(options);
  expectArgument('reflect', 'listerWatcher', listerWatcher, rules.withMethods('list', 'watch'));
  return reflectWith(listerWatcher, settings, { tracing: tracingOf(settings) });
}

/** What not every reflector has. @internal */
export interface ReflectParts {
  /** The version of a first watch, instead of a list. The server is trusted once it has reached that version. */
  readonly from?: string | undefined;
  /** Each emission starts a list, as `relistPeriodMs` does. */
  readonly relist$?: Observable<void> | undefined;
  /** Traces the requests. The option `trace` is for {@link reflect} alone. */
  readonly tracing?: Tracing | undefined;
}

/** {@link reflect} with complete settings. @internal */
export function reflectWith<T extends KubernetesObject>(
  source: ListerWatcher<T>,
  settings: ReflectSettings,
  { from, relist$, tracing }: ReflectParts = {},
): Observable<SourceEvent<T>> {
  if (settings.listStrategy === 'watchList' && source.watchList === false) {
    throw new TypeError("Expected `listStrategy` to be 'auto' or 'list' for a source that cannot stream lists, got \"watchList\"");
  }
  return new Observable((subscriber) => {
    const { resource = 'objects', scope, namespaced, expected, watchList } = source;
    const reflector = new Reflector<T>({
      source: meteredSource(source, settings, tracing, (error) => reflector.happens({ type: 'traceFailed', error })),
      context: {
        settings,
        source: { resource, scope, namespaced, expected, watchList },
        refusals: settings.watchListRefusals ?? new Map<string, number>(),
      },
      output: subscriber,
      ...(from !== undefined && {
        memory: { ...nothingKnown, version: from, doubtedAt: from, relistAt: settings.scheduler.now() + settings.relistPeriodMs },
        next: { type: 'watch' },
      }),
    });
    subscriber.add(() => reflector.stop());
    subscriber.add(
      relist$?.subscribe({ next: () => reflector.happens({ type: 'relistWanted' }), error: (error: unknown) => subscriber.error(error) }),
    );
    reflector.happens({ type: 'due' });
  });
}
