import {
  BehaviorSubject,
  catchError,
  concatMap,
  connect,
  debounceTime,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  finalize,
  firstValueFrom,
  from,
  groupBy,
  type GroupedObservable,
  mergeMap,
  last,
  merge,
  type Observable,
  retry,
  sampleTime,
  scan,
  type SchedulerLike,
  skip,
  Subject,
  take,
  takeLast,
  tap,
  throwError,
  timer,
} from 'rxjs';

import { ApiError, type EventsV1Event, isNotFound, type KubeClient, type KubernetesObject } from 'rx-informer';
import { eventObject, type EventToRecord, events } from './eventObject.js';
import { microTime } from './microTime.js';
import { checkOptions, dateOf, randomOf, rules, schedulerOf, Tokens } from 'rx-informer/internal';

/** Options of `createEventRecorder`. */
export interface EventRecorderOptions {
  /** The reporting controller, for example `example.com/website-operator`. */
  readonly controller: string;
  /**
   * The reporting instance, for example the name of the pod.
   *
   * @defaultValue the same as `controller`
   */
  readonly instance?: string | undefined;
  /** @defaultValue a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** An event that could not be written. */
export type EventFailure = Readonly<{
  event: EventsV1Event;
  error: unknown;
}>;

/** Writes events about objects, for `kubectl describe` and `kubectl events`. */
export interface EventRecorder {
  /**
   * Queues an event and returns at once. Repeated events become a series of one event: the second is written at once, later ones are counted and written every
   * 30 minutes, and after 6 minutes without another one. At most 16 writes are under way at once. Of one object, 25 different events are written, then another one every
   * 5 minutes; the rest are left out, and emitted on `failure$`.
   *
   * @throws TypeError when the type is neither Normal nor Warning, or the reason is empty.
   */
  record(object: KubernetesObject, event: EventToRecord): void;
  /** Events that the server refused, that could not be delivered in 12 tries, or that were too many of one object. */
  readonly failure$: Observable<EventFailure>;
  /** Resolves when all pending writes have ended. Counted repetitions are not written before `stop`. */
  flush(): Promise<void>;
  /** Writes the rest and resolves; later events are ignored. What could not be delivered yet is tried once more, without a pause. */
  stop(): Promise<void>;
}

// client-go's tools/events and tools/record.
const idleMs = 6 * 60_000;
const refreshMs = 30 * 60_000;
const tries = 12;
const retryMs = 10_000;

interface Series {
  readonly first: EventsV1Event;
  readonly count: number;
  readonly lastObservedTime: string;
}

function keyOf({ regarding, type, reason, action }: EventsV1Event): string {
  return JSON.stringify([regarding?.kind, regarding?.namespace, regarding?.name, regarding?.uid, type, reason, action]);
}

/** How many writes are under way at once. */
const writesAtOnce = 16;
/** How many different events of one object are written at once, and how often another one may follow: client-go's filter. */
const spamBurst = 25;
const spamPeriodMs = 300_000;
/** The number of objects whose events are counted. */
const countedObjects = 4096;

/** Lets `writesAtOnce` calls through; the others wait for their turn. */
class Turns {
  private free = writesAtOnce;
  private readonly waiting: (() => void)[] = [];

  async take<R>(work: () => Promise<R>): Promise<R> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => void this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}

/** Limits the different events of each object. */
class SpamFilter {
  private readonly clock: SchedulerLike;
  private readonly tokens = new Map<string, Tokens>();

  constructor(clock: SchedulerLike) {
    this.clock = clock;
  }

  passes({ regarding }: EventsV1Event): boolean {
    const key = JSON.stringify([regarding?.kind, regarding?.namespace, regarding?.name, regarding?.uid]);
    const tokens = this.tokens.get(key) ?? new Tokens(1000 / spamPeriodMs, spamBurst, this.clock);
    this.tokens.delete(key);
    this.tokens.set(key, tokens);
    const [oldest = key] = this.tokens.keys();
    if (this.tokens.size > countedObjects) this.tokens.delete(oldest);
    if (tokens.wait() > 0) return false;
    tokens.take();
    return true;
  }
}

class Recorder implements EventRecorder {
  private readonly client: Pick<KubeClient, 'create' | 'patch'>;
  private readonly source: { readonly controller: string; readonly instance: string };
  private readonly scheduler: SchedulerLike;
  private readonly random: () => number;
  private readonly recorded$ = new Subject<EventsV1Event>();
  private readonly failures$ = new Subject<EventFailure>();
  readonly failure$: Observable<EventFailure> = this.failures$.asObservable();
  private readonly finished: Promise<void>;
  private readonly writes$ = new BehaviorSubject(0);
  private readonly turns = new Turns();
  private readonly spam: SpamFilter;
  /** The series under way. */
  private readonly series = new Set<string>();
  private sequence = 0;
  private isStopped = false;

  constructor(client: Pick<KubeClient, 'create' | 'patch'>, options: EventRecorderOptions) {
    this.client = client;
    this.source = { controller: options.controller, instance: options.instance ?? options.controller };
    this.scheduler = schedulerOf(options.scheduler);
    this.random = randomOf(options.random);
    this.spam = new SpamFilter(this.scheduler);
    const written = this.recorded$.pipe(
      groupBy(keyOf, { duration: (group) => group.pipe(debounceTime(idleMs, this.scheduler)) }),
      mergeMap((group) => this.writeSeries(group)),
    );
    this.finished = new Promise((resolve, reject) => written.subscribe({ error: reject, complete: resolve }));
  }

  record(object: KubernetesObject, event: EventToRecord): void {
    this.sequence += 1;
    const made = eventObject(object, event, { ...this.source, now: dateOf(this.scheduler), sequence: this.sequence });
    if (this.series.has(keyOf(made)) || this.spam.passes(made)) this.recorded$.next(made);
    else this.failures$.next({ event: made, error: new Error(`Left out: ${spamBurst} other events of the object came shortly before`) });
  }

  async flush(): Promise<void> {
    await firstValueFrom(this.writes$.pipe(filter((count) => count === 0)), { defaultValue: 0 });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.recorded$.complete();
    await this.finished;
    this.failures$.complete();
  }

  private writeSeries(group: GroupedObservable<string, EventsV1Event>): Observable<never> {
    this.series.add(group.key);
    return group.pipe(
      finalize(() => this.series.delete(group.key)),
      scan<EventsV1Event, Series, undefined>((series, event) => {
        const lastObservedTime = microTime(dateOf(this.scheduler));
        return { first: series?.first ?? event, count: (series?.count ?? 0) + 1, lastObservedTime };
      }, undefined),
      connect((series) =>
        merge(
          series.pipe(take(2)),
          series.pipe(skip(2), sampleTime(refreshMs, this.scheduler)),
          // At its end, a series has to be written with its last count.
          series.pipe(skip(2), takeLast(1)),
        ),
      ),
      distinctUntilChanged(),
      // Counts as pending while it waits for the write before it.
      tap(() => this.writes$.next(this.writes$.value + 1)),
      concatMap((series) => this.write(series)),
    );
  }

  private write({ first, count, lastObservedTime }: Series): Observable<never> {
    const { name = '', namespace = '' } = first.metadata ?? {};
    const series = { count, lastObservedTime };
    const create = (event: EventsV1Event): Promise<unknown> => this.client.create(events, event);
    const send = async (): Promise<unknown> => {
      if (count === 1) return create(first);
      try {
        return await this.client.patch(events, name, 'merge', { series }, { namespace });
      } catch (error) {
        // The server deletes events after an hour.
        if (isNotFound(error)) return create({ ...first, series });
        throw error;
      }
    };
    return defer(() => from(this.turns.take(send))).pipe(
      retry({ count: tries - 1, delay: (error: unknown, attempt) => this.pause(error, attempt) }),
      mergeMap(() => EMPTY),
      catchError((error: unknown) => {
        this.failures$.next({ event: first, error });
        return EMPTY;
      }),
      finalize(() => this.writes$.next(this.writes$.value - 1)),
    );
  }

  /** The delay before a retry; none after a refusal of the server, or after the stop. The first one is random, so that many programs do not retry at once. */
  private pause(error: unknown, attempt: number): Observable<unknown> {
    if (error instanceof ApiError || this.isStopped) return throwError(() => error);
    const stopped = this.recorded$.pipe(last(null, undefined));
    return merge(timer(attempt === 1 ? this.random() * retryMs : retryMs, this.scheduler), stopped);
  }
}

/**
 * Makes a recorder of events of `events.k8s.io/v1`.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { createEventRecorder } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const recorder = createEventRecorder(client, { controller: 'example.com/website-operator' });
 * const site = await client.get(resources.core.v1.configmaps, 'site', { namespace: 'default' });
 * recorder.record(site, { type: 'Normal', reason: 'Published', note: 'The site is online' });
 * await recorder.stop();
 * ```
 *
 * @throws TypeError when the controller has no name.
 *
 * @see client-go's `tools/events`
 */
export function createEventRecorder(client: Pick<KubeClient, 'create' | 'patch'>, options: EventRecorderOptions): EventRecorder {
  checkOptions('createEventRecorder', options, {
    controller: rules.string,
    instance: rules.nonEmptyString,
    scheduler: rules.scheduler,
    random: rules.function,
  });
  if (!rules.nonEmptyString.holds(options.controller))
    throw new TypeError("Expected `controller` to be the name of the reporting program, got ''");
  return new Recorder(client, options);
}
