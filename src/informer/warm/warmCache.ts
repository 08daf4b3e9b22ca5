import {
  asyncScheduler,
  catchError,
  defaultIfEmpty,
  defer,
  exhaustMap,
  from,
  interval,
  lastValueFrom,
  map,
  type MonoTypeOperatorFunction,
  Observable,
  of,
  type Subscription,
  switchMap,
  take,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import { isForbidden } from '../../api/errors/apiError.js';
import { namespaceOfKey } from '../../api/kubernetesObject.js';
import { failureOf } from '../../api/errors/informerError.js';
import { entriesOf, type Indexers, type IndexReader, readerOf } from '../../cache/store/store.js';
import { follow } from '../../rx/trampoline.js';
import type { PartSetup, PluggedInformer } from '../parts/part.js';
import type { SavedSnapshot, SnapshotScope, SnapshotStore, WarmStartOptions } from './snapshotStore.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { isEqualJson } from '../../api/isEqualJson.js';
import { collectionPort } from '../collection.js';
import { contentOf } from '../../cache/store/content.js';
import { IndexedStore } from '../../cache/store/indexedStore.js';

const utf8 = new TextDecoder();

/** How long the informer waits for its store: what has not been opened by then is listed. */
const openingMs = 10_000;

/** How long it waits for the store to save, also when it stops. */
const savingMs = 30_000;

/** What has been read of a saved snapshot. */
interface Loaded {
  readonly snapshot: SavedSnapshot;
  readonly objects: Map<string, unknown>;
  whole?: IndexReader<unknown>;
  /** The indexes, and the number of the cache's changes, when `whole` was made. */
  madeOf?: readonly unknown[];
}

/**
 * Reads the cache, or the saved snapshot as long as there is one, except for the scopes that are complete: then single objects are read one by one, and any other
 * read loads all. If that is damaged, the cache is read.
 */
function warmReader(
  { store, informer }: PluggedInformer,
  { scopes, freeze }: Pick<WarmCacheInit, 'scopes' | 'freeze'>,
  saved: () => SavedSnapshot | undefined,
  damaged: (error: unknown) => void,
): IndexReader<unknown> {
  let loaded: Loaded | undefined;
  const reading = <R>(warm: (from: Loaded) => R): R | undefined => {
    const snapshot = saved();
    if (loaded?.snapshot !== snapshot) loaded = snapshot && { snapshot, objects: new Map<string, unknown>() };
    try {
      return loaded && warm(loaded);
    } catch (error) {
      damaged(error);
      return undefined;
    }
  };
  const isLive = (key: string): boolean => scopes.length > 1 && informer.lastSyncResourceVersion(namespaceOfKey(key)) !== '';
  const keysOf = ({ snapshot }: Loaded): string[] => [...snapshot.keys().filter((key) => !isLive(key)), ...store.listKeys()];
  const read = ({ snapshot, objects }: Loaded, key: string): unknown => {
    if (isLive(key)) return store.getByKey(key);
    const bytes = objects.has(key) ? undefined : snapshot.read(key);
    if (bytes === undefined) return objects.get(key);
    const object: unknown = JSON.parse(utf8.decode(bytes));
    objects.set(key, freeze === false ? object : deepFreeze(object));
    return object;
  };
  const all = (from: Loaded): IndexReader<unknown> => {
    const indexers = store.getIndexers() as Indexers<unknown>;
    // The version of the cache does not tell whether it has changed: lists of several namespaces may have the same.
    const madeOf = [informer[collectionPort].changes, ...Object.entries(indexers).flat()];
    if (from.whole !== undefined && isEqualJson(from.madeOf, madeOf)) return from.whole;
    const made = new IndexedStore<unknown>({ indexers, onIndexError: () => undefined });
    const content = contentOf(made);
    for (const key of keysOf(from)) {
      const object = read(from, key);
      // Use the saved key: some keys cannot be computed from metadata.
      if (object !== undefined) content.put(key, object);
    }
    from.madeOf = madeOf;
    return (from.whole = made);
  };
  return {
    ...readerOf<unknown>(store, () => reading(all) ?? store),
    getByKey: (key) => reading((from) => read(from, key)) ?? store.getByKey(key),
    listKeys: () => reading(keysOf) ?? store.listKeys(),
    lastStoreSyncResourceVersion: () => [...(saved()?.resourceVersions.values() ?? [store.lastStoreSyncResourceVersion()])][0] ?? '',
  };
}

/** Opens a snapshot, and closes one that comes when nobody waits for it any more. */
function opened(store: SnapshotStore, identity: string): Observable<SavedSnapshot | undefined> {
  return new Observable((subscriber) => {
    const next = (saved: SavedSnapshot | undefined): void => {
      if (subscriber.closed) saved?.close();
      else subscriber.next(saved);
    };
    from(store.open(identity))
      .pipe(take(1))
      .subscribe({ next, error: (error: unknown) => subscriber.error(error), complete: () => subscriber.complete() });
  });
}

/** The dependencies and settings of a warm cache. @internal */
export interface WarmCacheInit {
  readonly store: SnapshotStore;
  readonly options: WarmStartOptions;
  /** The resource, for messages. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly freeze: PartSetup['freeze'];
  /** Names server, resource and selection: a snapshot of another identity is not shown. */
  identity(): Promise<string>;
  /** The events of the informer, given the snapshot. */
  events(saved: SavedSnapshot | undefined, cache: WarmCache): Observable<SourceEvent<unknown>>;
}

/** Whether the user may not list the resource any more: then the snapshot must not be shown either. */
function isRefused(event: SourceEvent<unknown>): boolean {
  return event.type === 'status' && isForbidden(event.error) && event.error?.code.startsWith('ERR_WATCH') === false;
}

function refuseSecrets(objects: Iterable<readonly [key: string, object: object]>): void {
  for (const [, object] of objects)
    if ((object as { readonly kind?: unknown }).kind === 'Secret')
      throw new Error('Secrets would be written down; `secrets: true` allows it');
}

/** Restores the cache that an earlier run has saved, and saves it for the next one. @internal */
export class WarmCache {
  readonly event$: Observable<SourceEvent<unknown>> = new Observable((subscriber) => {
    subscriber.add(() => {
      this.forget();
      void this.save();
    });
    subscriber.add(this.savePeriodically());
    const event$ = this.open().pipe(switchMap((saved) => this.init.events(saved, this)));
    const next = (event: SourceEvent<unknown>): void => {
      if (event.type === 'ready' || (event.type === 'deleted' && event.reason !== undefined)) this.changes += 1;
      if (this.saved !== undefined && isRefused(event)) this.clear();
      subscriber.next(event);
      if (this.saved !== undefined && this.plugged?.informer.hasSynced() === true) this.forget();
    };
    follow(event$, subscriber, { next });
  });
  private readonly init: WarmCacheInit;
  private plugged: PluggedInformer | undefined;
  private saved: SavedSnapshot | undefined;
  private saving = Promise.resolve();
  /** What the store does at present, also when it is not waited for any more: it is not asked to save twice at a time. */
  private storing: Promise<void> | undefined;
  /** The versions of the last saved snapshot, and `changes`. */
  private savedState = '';
  /** Counts what may change the content without a higher version: objects that leave a shard or a user's rights, and lists, since a server may be set back. */
  private changes = 0;

  constructor(init: WarmCacheInit) {
    this.init = init;
  }

  /** Returns a reader of the cache, or of the saved snapshot until the cache has synced. */
  attach(plugged: PluggedInformer): IndexReader<unknown> {
    this.plugged = plugged;
    const saved = (): SavedSnapshot | undefined => (this.savedAt() === undefined ? undefined : this.saved);
    return warmReader(plugged, this.init, saved, (error) => {
      this.forget();
      plugged.healthChanged();
      this.failed('read', error);
    });
  }

  /** When the saved snapshot that reads use was saved, in milliseconds since 1970; undefined when they use the cache. */
  savedAt(): number | undefined {
    return this.plugged?.informer.hasSynced() === false ? this.saved?.savedAt : undefined;
  }

  /**
   * Saves the content of the cache unless it has been saved, after a save in progress. The cache is read later, not now: the caller may be
   * in the middle of a change.
   */
  save(): Promise<void> {
    this.saving = this.saving.then(() => this.write());
    return this.saving;
  }

  /** Whether this snapshot is still open. */
  reads(saved: SavedSnapshot): boolean {
    return this.saved === saved;
  }

  /** Opens the saved snapshot, until the cache has a content of its own. */
  private open(): Observable<SavedSnapshot | undefined> {
    if (this.plugged?.store.lastStoreSyncResourceVersion() !== '') return of(undefined);
    return defer(() => this.init.identity()).pipe(
      switchMap((identity) => opened(this.init.store, identity).pipe(this.within(openingMs, 'opened'))),
      take(1),
      defaultIfEmpty(undefined),
      catchError((error: unknown) => {
        this.failed('used', error);
        return of(undefined);
      }),
      tap((saved) => {
        // A cleared snapshot has no scope.
        this.saved = saved?.resourceVersions.size === 0 ? undefined : saved;
      }),
      map(() => this.saved),
    );
  }

  /** Fails when the store does not answer in time. */
  private within<V>(ms: number, done: string): MonoTypeOperatorFunction<V> {
    return timeout({
      ...{ first: ms, scheduler: this.plugged?.scheduler ?? asyncScheduler },
      with: () => throwError(() => new Error(`its store has not ${done} it within ${ms / 1_000} s`)),
    });
  }

  private savePeriodically(): Subscription | undefined {
    const { saveEveryMs = 60_000 } = this.init.options;
    if (saveEveryMs === Infinity) return undefined;
    return interval(saveEveryMs, this.plugged?.scheduler)
      .pipe(exhaustMap(() => this.save()))
      .subscribe();
  }

  private async write(): Promise<void> {
    if (this.plugged === undefined) return;
    const scopes = this.content(this.plugged);
    const state = JSON.stringify([this.changes, ...[...scopes].map(([scope, { resourceVersion }]) => [scope, resourceVersion])]);
    if (scopes.size < this.init.scopes.length || state === this.savedState) return;
    if (await this.put(scopes)) this.savedState = state;
  }

  private async put(scopes: ReadonlyMap<string, SnapshotScope>): Promise<boolean> {
    if (this.storing !== undefined) {
      // Unlike a save, which is made again, what may not be shown any more has to go.
      if (scopes.size === 0) void this.storing.then(() => this.put(scopes));
      return false;
    }
    const stored = this.store(scopes);
    const ended = (): void => (this.storing = undefined);
    this.storing = stored.then(ended, ended);
    try {
      await lastValueFrom(from(stored).pipe(this.within(savingMs, 'saved')), { defaultValue: undefined });
      return true;
    } catch (error) {
      this.failed('saved', error);
      return false;
    }
  }

  private async store(scopes: ReadonlyMap<string, SnapshotScope>): Promise<void> {
    const { store, options } = this.init;
    for (const { objects } of scopes.values()) if (options.secrets !== true) refuseSecrets(objects);
    await lastValueFrom(from(store.save({ identity: await this.init.identity(), scopes })), { defaultValue: undefined });
  }

  /** Closes the snapshot and removes it from the store. */
  private clear(): void {
    this.forget();
    this.saving = this.saving.then(() => this.put(new Map())).then(() => undefined);
  }

  /** The content of the cache by scope; scopes without a known version are left out. */
  private content({ store, informer }: PluggedInformer): ReadonlyMap<string, SnapshotScope> {
    const { scopes } = this.init;
    const isAlone = scopes.length === 1;
    const entries = [...entriesOf(store)] as unknown as (readonly [key: string, object: object])[];
    return new Map(
      scopes.flatMap((scope) => {
        // The store's version is never ahead of its content.
        const resourceVersion = isAlone ? store.lastStoreSyncResourceVersion() : informer.lastSyncResourceVersion(scope);
        const objects = isAlone ? entries : entries.filter(([key]) => key.startsWith(`${scope}/`));
        return resourceVersion === '' ? [] : [[scope, { resourceVersion, objects }] as const];
      }),
    );
  }

  /** Closes the snapshot. */
  forget(): void {
    this.saved?.close();
    this.saved = undefined;
  }

  private failed(what: string, cause: unknown): void {
    const { resource } = this.init;
    this.plugged?.report(failureOf('ERR_SNAPSHOT', `The snapshot of ${resource} cannot be ${what}`, cause, { resource }));
  }
}
