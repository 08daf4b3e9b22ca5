import { concat, concatMap, defer, EMPTY, filter, from, isObservable, map, merge, Observable, Subscription, tap, throwError } from 'rxjs';
import { checkOptions } from '../../api/options.js';
import { apiVersionOf, type Resource, resourceName, resourcePath } from '../../api/resource.js';
import type { SourceEvent, SourceStatus } from '../../api/events.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';
import { type SavedSnapshot, type WarmStartOptions, warmStartRules } from './snapshotStore.js';
import type { ResourceInformerOptions, SourceInformerOptions } from '../informerOptions.js';
import { listDecoder, type ListShape } from '../../client/decode/listDecoder.js';
import { WarmCache } from './warmCache.js';

/** The saved state of one scope. */
interface Restoration<T> {
  readonly scope: string;
  readonly resource: string;
  readonly resourceVersion: string;
  /** Its objects, in chunks. */
  readonly object$: Observable<readonly T[]>;
  /** Watches from the saved version, and lists if that has expired. */
  readonly resumed$: Observable<SourceEvent<T>>;
  /** Lists and watches from scratch. */
  readonly anew$: Observable<SourceEvent<T>>;
}

/** Emits the saved objects as a list, which completes when they have been read and the watch from their version is trusted. */
class Restoring<T> {
  /** Events of the watch until then. */
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
      // The version has expired: the new list replaces the saved one.
      this.held = undefined;
      this.emit({ ...event, reason: 'first', previousResourceVersion: '' });
    } else if (event.type === 'status') {
      this.status = event;
      // An open watch without an error shows that the version has not expired.
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
 * Emits the saved state of an earlier run, then the changes since.
 *
 * ```text
 * object$    (ab)(c)|
 * resumed$   ---------w--d--        w: the watch from the saved version is trusted
 * result     i(p)(p)--(rw)d--       one atomic list, then the events of the watch
 *
 * resumed$   ---------i-p-r-d--     the version has expired
 * result     i(p)(p)--i-p-r-d--     one atomic list from the server, and none of the saved objects
 * ```
 *
 * If the snapshot cannot be read, that is reported (`ERR_SNAPSHOT`), and a list replaces it.
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
 * Decodes saved objects like a list from the server, so that they share equal parts with its objects.
 *
 * @param parts - JSON of whole objects, separated by commas.
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

/** The dependencies and settings of the warm start of an informer on a resource. @internal */
export interface WarmStartInit<T, U> {
  readonly resource: Resource<T, 'list' | 'watch'>;
  readonly options: ResourceInformerOptions<T, U>;
  readonly warmStart: WarmStartOptions;
  /** Returns the server's URL, once the client has found it. */
  readonly server: (() => Promise<string>) | undefined;
  /** The owner for which objects share equal parts. */
  readonly sharedBy: object | undefined;
  /** The source of one namespace, from a version or from scratch. */
  events(namespace: string, from?: string): Observable<SourceEvent<T>>;
}

function refusing(name: string): (why: string) => never {
  return (why) => {
    throw new TypeError(`The informer of ${name} cannot have a \`warmStart\`: ${why}`);
  };
}

function check<T, U>({ resource, options, warmStart, server }: WarmStartInit<T, U>): void {
  const { transform, readYourWrites = false, namespace, shard } = options;
  checkOptions('createInformer.warmStart', warmStart, warmStartRules);
  const refuse = refusing(resourceName(resource));
  if (resource.group === '' && resource.plural === 'secrets' && warmStart.secrets !== true) {
    refuse('Secrets would be written down; `secrets: true` allows it');
  }
  if (transform !== undefined) refuse('the saved results of its `transform` may be out of date, since the function may have changed');
  if (shard !== undefined) refuse('its shard changes');
  if (readYourWrites !== false) refuse('it has `readYourWrites`');
  if (isObservable(namespace)) refuse('its namespaces change');
  if (server === undefined) refuse('its client has no `server`');
}

/** Starts an informer on a resource from the saved cache of an earlier run. @throws TypeError when it cannot have one. */
function warmResource<T, U>(init: WarmStartInit<T, U>): WarmCache<T, U> {
  check(init);
  const { resource, options, warmStart, server, sharedBy } = init;
  const { namespace = '', labelSelector, fieldSelector, tweakListOptions, managedFields = 'drop', metadataOnly = false } = options;
  const tweaked = tweakListOptions?.({});
  const name = resourceName(resource);
  const scopes = [...new Set([namespace as string | readonly string[]].flat())].sort();

  /** The saved objects of a scope. Ends early if the snapshot was closed because another scope is damaged. */
  const objects = (scope: string, saved: SavedSnapshot, cache: WarmCache<T, never>): Observable<readonly T[]> => {
    const shape = { resource: name, apiVersion: apiVersionOf(resource), kind: resource.kind, managedFields, metadataOnly, scope };
    const end$ = defer(() => (cache.reads(saved) ? EMPTY : throwError(() => new Error('something else in it is damaged'))));
    const part$ = defer(() => from(saved.readAll(scope)));
    return savedItems<T>(concat(part$, end$), shape, sharedBy).pipe(tap((items) => saved.restored?.(scope, items as readonly object[])));
  };

  const scopeEvents = (scope: string, saved: SavedSnapshot | undefined, cache: WarmCache<T, never>): Observable<SourceEvent<T>> => {
    const resourceVersion = saved?.resourceVersions.get(scope);
    if (saved === undefined || resourceVersion === undefined) return init.events(scope);
    return restoring({
      ...{ scope, resource: name, resourceVersion },
      object$: objects(scope, saved, cache),
      resumed$: init.events(scope, resourceVersion),
      anew$: defer(() => {
        cache.forget();
        return init.events(scope);
      }),
    });
  };

  return new WarmCache<T, U>({
    ...{ warmStart, resource: name, scopes },
    identity: async () => {
      const selection = { labelSelector, fieldSelector, managedFields, metadataOnly, tweaked };
      return JSON.stringify([await server?.(), resourcePath(resource), scopes, selection]);
    },
    events: (saved, cache) => merge(...scopes.map((scope) => scopeEvents(scope, saved, cache))),
  });
}

/** The dependencies and settings of the warm start of an informer over source events. @internal */
export interface WarmSourceInit<T, U> {
  readonly event$: Observable<SourceEvent<T>>;
  readonly options: SourceInformerOptions<T, U>;
  readonly warmStart: WarmStartOptions;
}

/**
 * Starts an informer over source events with the snapshot of an earlier run: its cache holds the snapshot until the first list of the source is complete.
 * The list replaces the snapshot without a comparison.
 *
 * @throws TypeError if the informer cannot have a warm start.
 */
function warmSource<T, U>({ event$, options, warmStart }: WarmSourceInit<T, U>): WarmCache<T, U> {
  const { resource = '', transform, scopes } = options;
  checkOptions('createInformer.warmStart', warmStart, warmStartRules);
  const refuse = refusing(resource === '' ? 'a source' : resource);
  if (resource === '') refuse('it has no `resource`, by which it would be known again');
  if (transform !== undefined) refuse('the saved results of its `transform` may be out of date, since the function may have changed');
  if (scopes !== undefined) refuse('it has `scopes`');
  return new WarmCache<T, U>({
    ...{ warmStart, resource, scopes: [''] },
    identity: () => Promise.resolve(JSON.stringify(['source', resource])),
    events: () => event$,
  });
}

/** Starts an informer from the saved cache of an earlier run. @throws TypeError when the informer does not support it. @internal */
export function warmCacheOf<T, U>(init: WarmStartInit<T, U> | WarmSourceInit<T, U>): WarmCache<T, U> {
  return 'event$' in init ? warmSource(init) : warmResource(init);
}
