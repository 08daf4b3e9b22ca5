import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  from,
  ignoreElements,
  interval,
  isObservable,
  lastValueFrom,
  map,
  merge,
  Observable,
  of,
  type SchedulerLike,
  Subscription,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { checkOptions } from '../../api/options.js';
import { apiVersionOf, type Resource, resourceName, resourcePath } from '../../api/resource.js';
import type { SourceEvent, SourceStatus } from '../../api/events.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import type { Indexer, IndexReader } from '../../cache/store/store.js';
import { follow } from '../../rx/trampoline.js';
import { warmReader } from './warmReader.js';
import { type SavedSnapshot, type SnapshotScope, type WarmStartOptions, warmStartRules } from './snapshotStore.js';
import type { ResourceInformerOptions } from '../informerOptions.js';
import { listDecoder, type ListShape } from '../../client/decode/listDecoder.js';

/** What is known of one scope from an earlier run. */
interface Restoration<T> {
  readonly scope: string;
  readonly resource: string;
  readonly resourceVersion: string;
  /** Its objects, in parts. */
  readonly object$: Observable<readonly T[]>;
  /** Watches from that version, and lists if it does not live any more. */
  readonly resumed$: Observable<SourceEvent<T>>;
  /** Lists and watches, knowing nothing. */
  readonly anew$: Observable<SourceEvent<T>>;
}

/** What was saved is emitted as a list, which is complete when it has been read and the watch from its version is trusted. */
class Restoring<T> {
  /** What the watch has brought meanwhile. */
  private held: SourceEvent<T>[] | undefined = [];
  private isRead = false;
  private isTrusted = false;
  private status: SourceStatus | undefined;
  private readonly emit: (event: SourceEvent<T>) => void;
  private readonly ready: SourceEvent<T>;

  constructor({ scope, resourceVersion }: Pick<Restoration<T>, 'scope' | 'resourceVersion'>, emit: (event: SourceEvent<T>) => void) {
    this.emit = emit;
    this.ready = { type: 'ready', scope, resourceVersion };
    emit({ type: 'init', scope, reason: 'first', previousResourceVersion: '' });
  }

  read(): void {
    this.isRead = true;
    this.settle();
  }

  live(event: SourceEvent<T>): void {
    if (this.held === undefined) {
      this.emit(event);
    } else if (event.type === 'init') {
      // The version does not live any more: the list says everything.
      this.held = undefined;
      this.emit({ ...event, reason: 'first', previousResourceVersion: '' });
    } else if (event.type === 'status') {
      this.status = event;
      // A watch that is trusted once has shown that the version lives, whatever becomes of it.
      if (event.state === 'watching' && event.error === undefined) this.isTrusted = true;
      else this.emit(event);
      this.settle();
    } else {
      this.held.push(event);
    }
  }

  private settle(): void {
    const { held, status } = this;
    if (held === undefined || !this.isRead || !this.isTrusted) return;
    this.held = undefined;
    this.emit(this.ready);
    if (status?.state === 'watching') this.emit(status);
    held.forEach(this.emit);
  }
}

/**
 * Begins with what an earlier run has saved.
 *
 * ```text
 * object$    (ab)(c)|
 * resumed$   ---------w--d--        w: the watch from the saved version is trusted
 * result     i(p)(p)--(rw)d--       one atomic list, then what the watch brings
 *
 * resumed$   ---------i-p-r-d--     the version has expired
 * result     i(p)(p)--i-p-r-d--     one atomic list from the server, and nothing of what was saved
 * ```
 *
 * What cannot be read is reported (`ERR_SNAPSHOT`) and listed instead.
 *
 * @internal
 */
export function restoring<T>({ object$, resumed$, anew$, ...about }: Restoration<T>): Observable<SourceEvent<T>> {
  return new Observable((subscriber) => {
    const both = new Subscription();
    subscriber.add(both);
    const session = new Restoring<T>(about, (event) => subscriber.next(event));
    const giveUp = (cause: unknown): void => {
      both.unsubscribe();
      const message = `The snapshot of ${about.resource} cannot be read, everything is listed: ${messageOf(cause)}`;
      const error = new InformerError({ code: 'ERR_SNAPSHOT', message, cause, resource: about.resource });
      subscriber.next({ type: 'status', scope: about.scope, state: 'listing', error });
      subscriber.add(anew$.subscribe(subscriber));
    };
    const reading = object$.subscribe({
      next: (items) => subscriber.next({ type: 'page', scope: about.scope, items }),
      error: giveUp,
      complete: () => session.read(),
    });
    both.add(reading);
    if (both.closed) return;
    both.add(
      resumed$.subscribe({
        next: (event) => {
          if (event.type === 'init') reading.unsubscribe();
          session.live(event);
        },
        error: (error: unknown) => subscriber.error(error),
      }),
    );
  });
}

const text = new TextEncoder();
const beginning = text.encode('{"items":[');
const comma = text.encode(',');
const end = text.encode(']}');

/**
 * Decodes saved objects as a list from the server is decoded, so that they share with those what they have in common.
 *
 * @param parts - JSON of whole objects, with a comma between two.
 * @internal
 */
function savedItems<T>(parts: Observable<Uint8Array>, shape: ListShape, sharedBy: object | undefined): Observable<readonly T[]> {
  return defer(() => {
    const decoder = listDecoder<T>(shape, sharedBy);
    const separated$ = parts.pipe(concatMap((part, index) => (index === 0 ? [part] : [comma, part])));
    return concat([beginning], separated$, [end]).pipe(
      map((bytes) => {
        const items: T[] = [];
        decoder.push(bytes, (chunk) => items.push(...chunk.items));
        return items;
      }),
      filter((items) => items.length > 0),
    );
  });
}

/** What a warm start is made of. @internal */
export interface WarmStartInit<T, U> {
  readonly resource: Resource<T, 'list' | 'watch'>;
  readonly options: ResourceInformerOptions<T, U>;
  readonly warmStart: WarmStartOptions;
  /** The server that the client talks to; known once it has found it. */
  readonly server: (() => Promise<string>) | undefined;
  /** What shares the objects of the informer. */
  readonly sharedBy: object | undefined;
  /** The source of one namespace, from a version or from nothing. */
  events(namespace: string, from?: string): Observable<SourceEvent<T>>;
}

interface WarmInformer<U> {
  readonly indexer: Indexer<U>;
  readonly hasSynced: () => boolean;
  readonly versionOf: (scope: string) => string;
  readonly scheduler: SchedulerLike;
  readonly report: (error: InformerError) => void;
}

function check<T, U>({ resource, options, warmStart, server }: WarmStartInit<T, U>): void {
  const { transform, initialObjects, readYourWrites = false, namespace, shard } = options;
  checkOptions('createInformer.warmStart', warmStart, warmStartRules);
  const refuse = (why: string): never => {
    throw new TypeError(`The informer of ${resourceName(resource)} cannot have a \`warmStart\`: ${why}`);
  };
  if (resource.group === '' && resource.plural === 'secrets' && warmStart.secrets !== true) {
    refuse('Secrets would be written down; `secrets: true` allows it');
  }
  if (transform !== undefined) refuse('what a `transform` made cannot be told from what it would make today');
  if (initialObjects !== undefined) refuse('it has `initialObjects`');
  if (shard !== undefined) refuse('its shard changes');
  if (readYourWrites) refuse('it has `readYourWrites`');
  if (isObservable(namespace)) refuse('its namespaces change');
  if (server === undefined) refuse('its client does not say which server it talks to');
}

/** Begins an informer with what an earlier run of the program has saved, and saves its cache for the next one. @internal */
export class WarmStart<T, U> {
  readonly event$: Observable<SourceEvent<T>>;
  private readonly init: WarmStartInit<T, U>;
  private readonly resource: string;
  private readonly scopes: readonly string[];
  private readonly tweaked: object | undefined;
  private informer: WarmInformer<U> | undefined;
  private saved: SavedSnapshot | undefined;
  private wasOpened = false;
  private saving = Promise.resolve();
  /** The versions that were saved last. */
  private savedVersions = '';

  /** @throws TypeError when the informer cannot have one. */
  constructor(init: WarmStartInit<T, U>) {
    check(init);
    const { namespace = '', tweakListOptions } = init.options;
    this.init = init;
    this.tweaked = tweakListOptions?.({});
    this.resource = resourceName(init.resource);
    this.scopes = [...new Set([namespace as string | readonly string[]].flat())].sort();
    this.event$ = defer(() => merge(this.begin(), this.savePeriodically()));
  }

  /** What reads the cache of this informer, or what was saved while that is all there is. */
  attach(informer: WarmInformer<U>): IndexReader<U> {
    this.informer = informer;
    return warmReader(
      informer.indexer,
      () => (this.savedAt() === undefined ? undefined : this.saved),
      (error) => {
        this.forget();
        this.failed('read', error);
      },
    );
  }

  /** When what is read in the place of the cache was saved, in milliseconds since 1970; undefined where the cache itself is read. */
  savedAt(): number | undefined {
    return this.informer?.hasSynced() === false ? this.saved?.savedAt : undefined;
  }

  /**
   * Saves what the cache holds, unless that was saved before; behind what is being saved already. The cache is read later and not now: what has called this
   * may be in the middle of a change.
   */
  save(): Promise<void> {
    this.saving = this.saving.then(() => this.write());
    return this.saving;
  }

  private begin(): Observable<SourceEvent<T>> {
    return new Observable((subscriber) => {
      subscriber.add(() => {
        this.forget();
        void this.save();
      });
      const event$ = this.open().pipe(switchMap((saved) => merge(...this.scopes.map((scope) => this.scopeEvents(scope, saved)))));
      const next = (event: SourceEvent<T>): void => {
        subscriber.next(event);
        if (this.saved !== undefined && this.informer?.hasSynced() === true) this.forget();
      };
      follow(event$, subscriber, { next });
    });
  }

  /** Only the first session of an informer has nothing else. */
  private open(): Observable<SavedSnapshot | undefined> {
    if (this.wasOpened) return of(undefined);
    this.wasOpened = true;
    return defer(() => this.identity()).pipe(
      switchMap((identity) => from(this.init.warmStart.store.open(identity))),
      catchError((error: unknown) => {
        this.failed('used', error);
        return of(undefined);
      }),
      tap((saved) => {
        this.saved = saved;
      }),
    );
  }

  private scopeEvents(scope: string, saved: SavedSnapshot | undefined): Observable<SourceEvent<T>> {
    const { init, resource } = this;
    const resourceVersion = saved?.resourceVersions.get(scope);
    if (saved === undefined || resourceVersion === undefined) return init.events(scope);
    return restoring({
      ...{ scope, resource, resourceVersion },
      object$: this.objects(scope, saved),
      resumed$: init.events(scope, resourceVersion),
      anew$: defer(() => {
        this.forget();
        return init.events(scope);
      }),
    });
  }

  /** What was saved of a scope. One that was damaged elsewhere is closed, and its parts end before they are all there. */
  private objects(scope: string, saved: SavedSnapshot): Observable<readonly T[]> {
    const { resource, sharedBy, options } = this.init;
    const { managedFields = 'drop', metadataOnly = false } = options;
    const shape = { resource: this.resource, apiVersion: apiVersionOf(resource), kind: resource.kind, managedFields, metadataOnly, scope };
    const end$ = defer(() => (this.saved === saved ? EMPTY : throwError(() => new Error('something else in it is damaged'))));
    const part$ = defer(() => from(saved.readAll(scope)));
    return savedItems(concat(part$, end$), shape, sharedBy);
  }

  private savePeriodically(): Observable<never> {
    const { informer } = this;
    const { saveEveryMs = 60_000 } = this.init.warmStart;
    if (informer === undefined || saveEveryMs === Infinity) return EMPTY;
    return interval(saveEveryMs, informer.scheduler).pipe(
      exhaustMap(() => this.save()),
      ignoreElements(),
    );
  }

  private async write(): Promise<void> {
    if (this.informer === undefined) return;
    const scopes = this.content(this.informer);
    const versions = JSON.stringify([...scopes].map(([scope, { resourceVersion }]) => [scope, resourceVersion]));
    if (scopes.size < this.scopes.length || versions === this.savedVersions) return;
    try {
      const identity = await this.identity();
      await lastValueFrom(from(this.init.warmStart.store.save({ identity, scopes })), { defaultValue: undefined });
      this.savedVersions = versions;
    } catch (error) {
      this.failed('saved', error);
    }
  }

  /** What the objects are of: server, resource, selection. */
  private async identity(): Promise<string> {
    const { resource, server, options } = this.init;
    const { labelSelector, fieldSelector, managedFields = 'drop', metadataOnly = false } = options;
    const selection = { labelSelector, fieldSelector, managedFields, metadataOnly, tweaked: this.tweaked };
    return JSON.stringify([await server?.(), resourcePath(resource), this.scopes, selection]);
  }

  /** What the cache holds now, by scope, as far as its version is known. */
  private content({ indexer, versionOf }: WarmInformer<U>): ReadonlyMap<string, SnapshotScope> {
    const { scopes } = this;
    const isAlone = scopes.length === 1;
    const entries = indexer.listKeys().flatMap((key) => {
      const object = indexer.getByKey(key);
      return object === undefined ? [] : [[key, object as object] as const];
    });
    return new Map(
      scopes.flatMap((scope) => {
        // The store's own version never runs ahead of what is in it.
        const resourceVersion = isAlone ? indexer.lastStoreSyncResourceVersion() : versionOf(scope);
        const objects = isAlone ? entries : entries.filter(([key]) => key.startsWith(`${scope}/`));
        return resourceVersion === '' ? [] : [[scope, { resourceVersion, objects }] as const];
      }),
    );
  }

  private forget(): void {
    this.saved?.close();
    this.saved = undefined;
  }

  private failed(what: string, cause: unknown): void {
    const { resource } = this;
    const message = `The snapshot of ${resource} cannot be ${what}: ${messageOf(cause)}`;
    this.informer?.report(new InformerError({ code: 'ERR_SNAPSHOT', message, cause, resource }));
  }
}
