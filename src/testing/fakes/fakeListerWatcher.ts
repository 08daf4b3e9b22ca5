import { asyncScheduler, NEVER, Observable, observeOn, type SchedulerLike, throwError } from 'rxjs';
import { type Complete, checkOptions, type OptionRules, rules } from '../../api/options.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Status } from '../../api/errors/apiError.js';
import type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchRequest } from '../../api/listerWatcher.js';
import { FakeHistory } from './fakeHistory.js';
import { fakeListAnswer } from './fakeListAnswer.js';
import { type FakeWatch, fakeWatchAnswer } from './fakeWatch.js';
import { connectionError, expiredStatus } from './serverErrors.js';

/** Options of `FakeListerWatcher`. Durations are in milliseconds. */
export interface FakeListerWatcherOptions {
  /** The clock of all timers. @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike | undefined;
  /**
   * The answer to a watch that requests a streamed list: a stream (`'on'`), 422 as from servers since 1.19 (`'refused'`), or a watch
   * without a list (`'ignored'`), as from older ones. @defaultValue `'on'`
   */
  readonly watchList?: 'on' | 'refused' | 'ignored' | undefined;
  /** The period of bookmarks, in milliseconds; `Infinity` for none. @defaultValue 60000, as in a real server */
  readonly bookmarkIntervalMs?: number | undefined;
  /** The delay of each answer, in milliseconds; 0 for synchronous answers. @defaultValue 0 */
  readonly latencyMs?: number | undefined;
  /** The version before the first write. @defaultValue 1 */
  readonly resourceVersion?: number | undefined;
  /** Objects per chunk of a list's answer. @defaultValue Infinity */
  readonly chunkSize?: number | undefined;
  /** The name of the resource in errors and health. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
  /** The type of the objects, which informers then check. @defaultValue any */
  readonly expected?: { readonly apiVersion: string; readonly kind: string } | undefined;
}

/** A request to a fake or scripted server. */
export interface FakeRequest {
  /** In milliseconds of the scheduler. */
  readonly at: number;
  readonly verb: 'list' | 'watch';
  readonly request: ListRequest & WatchRequest;
}

function keyOf(object: KubernetesObject): string {
  const { namespace = '', name = '' } = object.metadata ?? {};
  if (name === '') throw new TypeError('Expected an object with `metadata.name`, got one without');
  return namespace === '' ? name : `${namespace}/${name}`;
}

const fakeRules: OptionRules<FakeListerWatcherOptions> = {
  scheduler: rules.scheduler,
  watchList: rules.oneOf('on', 'refused', 'ignored'),
  bookmarkIntervalMs: rules.durationMs,
  latencyMs: rules.durationMs,
  resourceVersion: rules.number({ integer: true }),
  chunkSize: rules.number({ min: 1, infinite: true }),
  resource: rules.string,
  expected: rules.object,
};

/**
 * An API server for one resource, in memory and in virtual time: a lister-watcher with versions, pages, bookmarks and streamed lists, which can simulate
 * every fault of a real one.
 *
 * Without `latencyMs`, answers are synchronous. Objects get a `resourceVersion` and a `uid`; objects that were returned are never
 * changed.
 *
 * @example
 * ```ts
 * import { reflect } from 'rx-informer/pipeline';
 * import { FakeListerWatcher } from 'rx-informer/testing';
 *
 * const server = new FakeListerWatcher();
 * server.add({ metadata: { namespace: 'default', name: 'web' } });
 * reflect(server).subscribe((event) => console.log(event.type));
 * server.expire();
 * ```
 *
 * @see client-go's `FakeControllerSource`
 */
export class FakeListerWatcher<T extends KubernetesObject = KubernetesObject> implements ListerWatcher<T> {
  /** Every request, oldest first. */
  readonly requests: FakeRequest[] = [];
  readonly resource: string;
  readonly expected?: { readonly apiVersion: string; readonly kind: string };
  private readonly options: Complete<Omit<FakeListerWatcherOptions, 'resource' | 'expected' | 'resourceVersion'>>;
  private readonly history: FakeHistory<T>;
  private readonly watches = new Set<FakeWatch<T>>();
  private readonly answers: Record<'list' | 'watch', Observable<never>[]> = { list: [], watch: [] };
  private down = false;
  private losing = false;
  private uids = 0;

  constructor(options: FakeListerWatcherOptions = {}) {
    checkOptions('FakeListerWatcher', options, fakeRules);
    const { scheduler = asyncScheduler, watchList = 'on', bookmarkIntervalMs = 60_000, latencyMs = 0, chunkSize = Infinity } = options;
    this.options = { scheduler, watchList, bookmarkIntervalMs, latencyMs, chunkSize };
    this.history = new FakeHistory(options.resourceVersion ?? 1);
    this.resource = options.resource ?? 'objects';
    if (options.expected !== undefined) this.expected = options.expected;
  }

  /** Answers a LIST. */
  list(request: ListRequest): Observable<ListChunk<T>> {
    return this.answerList(request, () => true);
  }

  /** Answers a WATCH. */
  watch(request: WatchRequest): Observable<WatchChunk<T>> {
    return this.answerWatch(request, () => true);
  }

  /**
   * A lister-watcher of the objects for which `selects` is true, like a selector: a change by which an object stops matching is a deletion.
   */
  where(selects: (object: T) => boolean, scope: string): ListerWatcher<T> {
    return {
      resource: this.resource,
      ...(this.expected !== undefined && { expected: this.expected }),
      scope,
      list: (request) => this.answerList(request, selects),
      watch: (request) => this.answerWatch(request, selects),
    };
  }

  /** A lister-watcher of one namespace. */
  inNamespace(namespace: string): ListerWatcher<T> {
    return this.where((object) => object.metadata?.namespace === namespace, namespace);
  }

  // Content

  get resourceVersion(): string {
    return String(this.history.version);
  }

  get openWatches(): number {
    return this.watches.size;
  }

  /** All objects in the order of their keys. */
  objects(): T[] {
    return this.history.at(this.history.version).map(([, object]) => object);
  }

  /** The object of a key: `namespace/name`, or `name`. */
  get(key: string): T | undefined {
    return this.history.get(key);
  }

  /** Stores a new object. @throws Error when there is one of that name. */
  add(object: T): T {
    const key = keyOf(object);
    if (this.history.get(key) !== undefined) throw new Error(`Expected no object ${JSON.stringify(key)}, got one`);
    this.uids += 1;
    return this.write('ADDED', key, { ...object, metadata: { uid: `uid-${this.uids}`, ...object.metadata } });
  }

  /** Replaces an object. @throws Error when no object has that name. */
  modify(object: T): T {
    const key = keyOf(object);
    const { uid } = this.existing(key).metadata ?? {};
    return this.write('MODIFIED', key, { ...object, metadata: { ...object.metadata, ...(uid !== undefined && { uid }) } });
  }

  /** Deletes an object and returns its last state. @throws Error when no object has that name. */
  delete(key: string): T {
    return this.write('DELETED', key, this.existing(key));
  }

  // Faults

  /** The changes made by `change` never reach a watch: only a list shows them. */
  loseEvents(change: () => void): void {
    this.losing = true;
    try {
      change();
    } finally {
      this.losing = false;
    }
  }

  /** Deletes all versions before the current one, as a compaction of etcd does: lists of exactly such a version get a 410. Watches are served by the watch cache. */
  compact(): void {
    this.history.oldest = this.history.version;
  }

  /** Deletes all versions before the current one, also from the watch cache, and ends every watch with a 410. */
  expire(): void {
    this.compact();
    this.history.cached = this.history.version;
    this.fail(expiredStatus('an older one', this.resourceVersion));
  }

  /** Ends every watch with an ERROR event. */
  fail(status: Status): void {
    for (const watch of [...this.watches]) watch.fail(status);
  }

  /** Ends every watch normally. */
  close(): void {
    for (const watch of [...this.watches]) watch.end();
  }

  /** Breaks every watch's connection. */
  reset(error: unknown = connectionError('ECONNRESET')): void {
    for (const watch of [...this.watches]) watch.end(error);
  }

  /** Makes the open watches silent: they receive nothing more, not even their end, as on a half-open connection. New watches work. */
  stall(): void {
    for (const watch of this.watches) watch.stalled = true;
  }

  /** Breaks every connection and refuses new ones until `start`. */
  stop(): void {
    this.down = true;
    this.reset();
  }

  /**
   * Starts anew with an empty watch cache, and nothing compacted: breaks every connection; watches from versions before the current one get a 410, and lists of
   * exactly such a version do not.
   */
  restart(): void {
    this.history.cached = this.history.version;
    this.reset();
  }

  /** Accepts connections again, and answers: failures that were planned and have not struck are dropped. */
  start(): void {
    this.down = false;
    this.answers.list.length = 0;
    this.answers.watch.length = 0;
  }

  /** Goes back to an earlier version, including the counter, like a server restored from a backup, and breaks every connection. */
  restore(resourceVersion: string): void {
    this.history.restore(Number(resourceVersion));
    this.reset();
  }

  /** Makes the next request of this verb fail. Several calls affect several requests. */
  failNext(verb: 'list' | 'watch', error: unknown): void {
    this.answers[verb].push(throwError(() => error));
  }

  /** Makes the next request of this verb hang without an answer. Several calls affect several requests. */
  hangNext(verb: 'list' | 'watch'): void {
    this.answers[verb].push(NEVER);
  }

  // Requests

  private existing(key: string): T {
    const object = this.history.get(key);
    if (object === undefined) throw new Error(`Expected an object ${JSON.stringify(key)}, got none`);
    return object;
  }

  private write(type: 'ADDED' | 'MODIFIED' | 'DELETED', key: string, object: T): T {
    const stored: T = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.history.version + 1) } };
    this.history.write({ type, key, object: stored, previous: this.history.get(key), lost: this.losing });
    for (const watch of this.watches) watch.pump();
    return stored;
  }

  private request<V>(verb: 'list' | 'watch', request: ListRequest & WatchRequest, answer: () => Observable<V>): Observable<V> {
    const { scheduler, latencyMs } = this.options;
    const asked = new Observable<V>((subscriber) => {
      this.requests.push({ at: scheduler.now(), verb, request });
      const planned = this.answers[verb].shift();
      const refused = this.down ? throwError(() => connectionError('ECONNREFUSED')) : undefined;
      return (planned ?? refused ?? answer()).subscribe(subscriber);
    });
    return latencyMs > 0 ? asked.pipe(observeOn(scheduler, latencyMs)) : asked;
  }

  private answerList(request: ListRequest, selects: (object: T) => boolean): Observable<ListChunk<T>> {
    return this.request('list', request, () => fakeListAnswer(this.history, request, selects, this.options.chunkSize));
  }

  private answerWatch(request: WatchRequest, selects: (object: T) => boolean): Observable<WatchChunk<T>> {
    return this.request('watch', request, () =>
      fakeWatchAnswer(this.history, request, { ...this.options, selects, watches: this.watches }),
    );
  }
}
