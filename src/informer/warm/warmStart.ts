import {
  catchError,
  concat,
  defer,
  EMPTY,
  exhaustMap,
  from,
  ignoreElements,
  interval,
  lastValueFrom,
  merge,
  Observable,
  of,
  type SchedulerLike,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { restoring } from './restoring.js';
import type { SavedSnapshot, SnapshotScope, SnapshotStore } from './snapshotStore.js';
import { warmReader } from './warmReader.js';

/** How the source of one scope begins. */
export interface WarmSource<T> {
  /** From a version, or from nothing. */
  events(scope: string, from?: string): Observable<SourceEvent<T>>;
  /** Decodes what was saved. */
  decode(scope: string, parts: Observable<Uint8Array>): Observable<readonly T[]>;
}

/** What a warm start is made of. */
export interface WarmStartInit<T> {
  readonly resource: string;
  readonly store: SnapshotStore;
  readonly saveEveryMs: number;
  readonly scopes: readonly string[];
  /** What the objects are of; known once the client has found its server. */
  readonly identity: () => Promise<string>;
  readonly source: WarmSource<T>;
}

/** The informer, as far as a warm start has to know it. */
export interface WarmInformer<U> {
  readonly indexer: Indexer<U>;
  readonly hasSynced: () => boolean;
  /** The version that the cache has of a scope. */
  readonly versionOf: (scope: string) => string;
  readonly scheduler: SchedulerLike;
  readonly report: (error: InformerError) => void;
}

/** Begins an informer with what an earlier run of the program has saved, and saves its cache for the next one. @internal */
export class WarmStart<T, U> {
  readonly event$: Observable<SourceEvent<T>>;
  private readonly init: WarmStartInit<T>;
  private informer: WarmInformer<U> | undefined;
  private saved: SavedSnapshot | undefined;
  private wasOpened = false;
  private saving = Promise.resolve();
  /** The versions that were saved last. */
  private savedVersions = '';

  constructor(init: WarmStartInit<T>) {
    this.init = init;
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
      const event$ = this.open().pipe(switchMap((saved) => merge(...this.init.scopes.map((scope) => this.scopeEvents(scope, saved)))));
      return event$.subscribe({
        next: (event) => {
          subscriber.next(event);
          if (this.saved !== undefined && this.informer?.hasSynced() === true) this.forget();
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
    });
  }

  /** Only the first session of an informer has nothing else. */
  private open(): Observable<SavedSnapshot | undefined> {
    if (this.wasOpened) return of(undefined);
    this.wasOpened = true;
    const { store, identity } = this.init;
    return defer(identity).pipe(
      switchMap((known) => from(store.open(known))),
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
    const { resource, source } = this.init;
    const resourceVersion = saved?.resourceVersions.get(scope);
    if (saved === undefined || resourceVersion === undefined) return source.events(scope);
    return restoring({
      ...{ scope, resource, resourceVersion },
      object$: source.decode(scope, this.partsOf(scope, saved)),
      resumed$: source.events(scope, resourceVersion),
      anew$: defer(() => {
        this.forget();
        return source.events(scope);
      }),
    });
  }

  /** All parts of a scope. One that was damaged elsewhere is closed, and its parts end before they are all there. */
  private partsOf(scope: string, saved: SavedSnapshot): Observable<Uint8Array> {
    const end$ = defer(() => (this.saved === saved ? EMPTY : throwError(() => new Error('something else in it is damaged'))));
    return concat(
      defer(() => from(saved.readAll(scope))),
      end$,
    );
  }

  private savePeriodically(): Observable<never> {
    const { informer, init } = this;
    if (informer === undefined || init.saveEveryMs === Infinity) return EMPTY;
    return interval(init.saveEveryMs, informer.scheduler).pipe(
      exhaustMap(() => this.save()),
      ignoreElements(),
    );
  }

  private async write(): Promise<void> {
    const { informer, init } = this;
    if (informer === undefined) return;
    const scopes = this.content(informer);
    const versions = JSON.stringify([...scopes].map(([scope, { resourceVersion }]) => [scope, resourceVersion]));
    if (scopes.size < init.scopes.length || versions === this.savedVersions) return;
    try {
      const identity = await init.identity();
      await lastValueFrom(from(init.store.save({ identity, scopes })), { defaultValue: undefined });
      this.savedVersions = versions;
    } catch (error) {
      this.failed('saved', error);
    }
  }

  /** What the cache holds now, by scope, as far as its version is known. */
  private content({ indexer, versionOf }: WarmInformer<U>): ReadonlyMap<string, SnapshotScope> {
    const { scopes } = this.init;
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
    const { resource } = this.init;
    const message = `The snapshot of ${resource} cannot be ${what}: ${messageOf(cause)}`;
    this.informer?.report(new InformerError({ code: 'ERR_SNAPSHOT', message, cause, resource }));
  }
}
