import {
  catchError,
  concat,
  defer,
  EMPTY,
  exhaustMap,
  from,
  ignoreElements,
  interval,
  isObservable,
  lastValueFrom,
  merge,
  Observable,
  of,
  type SchedulerLike,
  switchMap,
  tap,
  throwError,
} from 'rxjs';
import { apiVersionOf, resourceName } from '../../api/resourceName.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { Resource } from '../../api/resource.js';
import { resourcePath } from '../../api/resourcePath.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { SourceEvent } from '../../api/events/sourceEvent.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { follow } from '../../rx/follow.js';
import { restoring } from './restoring.js';
import { savedItems } from './savedItems.js';
import type { SavedSnapshot, SnapshotScope } from './snapshotStore.js';
import { warmReader } from './warmReader.js';
import { type WarmStartOptions, warmStartRules } from './warmStartOptions.js';
import type { ResourceInformerOptions } from '../informerOptions.js';

interface WarmStartInit<T, U> {
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
