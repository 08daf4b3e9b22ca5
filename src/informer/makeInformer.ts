import { filter, pairwise, Subscription } from 'rxjs';
import { builtInResources } from '../api/builtInResources.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import { messageOf } from '../api/errors/informerError.js';
import { keyOfObjectName } from '../cache/keys.js';
import { createInformer, type InformerClient } from './createInformer.js';
import type { ListerWatcherOptions } from '../source/listerWatcher.js';
import type { ResourceInformerOptions } from './informerOptions.js';
import type { SharedInformer } from './sharedInformer.js';

/** What callbacks of a {@link ClientNodeInformer} are registered for. */
export type ClientNodeVerb = 'add' | 'update' | 'change' | 'delete' | 'connect' | 'error';

type ObjectCallback<T> = (object: T) => void;
/** Called with the error, or with nothing when the informer has connected. */
type ErrorCallback = (error?: unknown) => void;

/** An informer with the interface of client-node's. */
export interface ClientNodeInformer<T> {
  /** Calls back for objects that come (`add`), change (`update`), go (`delete`), or any of these (`change`). */
  on(verb: 'add' | 'update' | 'change' | 'delete', callback: ObjectCallback<T>): void;
  /** Calls back when the watch is open (`connect`), and for every failure (`error`), which is retried anyway. */
  on(verb: 'connect' | 'error', callback: ErrorCallback): void;
  /** Undoes one `on`. */
  off(verb: ClientNodeVerb, callback: ObjectCallback<T> | ErrorCallback): void;
  /** Starts, or goes on after `stop`; does nothing while it runs. Resolves when the first list is complete, or at `stop`. */
  start(): Promise<void>;
  /** Aborts all requests and calls no callback any more. The content stays. */
  stop(): Promise<void>;
  /** The object of that name, if the cache has it. */
  get(name: string, namespace?: string): T | undefined;
  /** The objects of a namespace; all without one. */
  list(namespace?: string): readonly T[];
  /** The version that the cache reflects. */
  latestResourceVersion(): string;
  /** The informer behind it, for a migration step by step. */
  readonly informer: SharedInformer<T>;
}

type WatchableResource<T> = Resource<T, 'list' | 'watch'>;

interface Target<T> extends Pick<ListerWatcherOptions, 'namespace' | 'labelSelector' | 'fieldSelector'> {
  readonly resource: WatchableResource<T>;
}

const pathPattern = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/;

function targetOfPath<T>(path: string): Target<T> {
  const [route = '', query = ''] = path.split('?');
  const [, group = '', version, namespace, plural] = pathPattern.exec(route) ?? [];
  const resource = builtInResources.find((known) => known.group === group && known.version === version && known.plural === plural);
  if (resource === undefined) {
    throw new TypeError(
      `Expected \`path\` to be that of a built-in resource, or a resource such as customResource(), got ${JSON.stringify(path)}`,
    );
  }
  const parameters = new URLSearchParams(query);
  return {
    resource: resource as unknown as WatchableResource<T>,
    namespace: namespace && decodeURIComponent(namespace),
    labelSelector: parameters.get('labelSelector') ?? undefined,
    fieldSelector: parameters.get('fieldSelector') ?? undefined,
  };
}

type Happening = 'add' | 'update' | 'delete';

interface Listener<T> {
  readonly verb: Happening | 'change';
  readonly callback: ObjectCallback<T>;
  /** What it was called for when it came, late. */
  readonly known: ReadonlySet<T>;
}

/**
 * Calls callbacks in the order in which they were registered, for one object after the other: those that keep a collection up by several verbs
 * must be called in the order in which things have happened. One that throws does not keep the others from being called.
 */
function dispatch<T>(listeners: ReadonlySet<Listener<T>>, happening: Happening, object: T): void {
  const failures: unknown[] = [];
  for (const { verb, callback, known } of listeners) {
    if ((verb !== happening && verb !== 'change') || (happening === 'add' && known.has(object))) continue;
    try {
      callback(object);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} callbacks failed: ${messageOf(failures[0])}`);
  if (failures.length > 0) throw failures[0];
}

/** An informer that ends with an error has told it on `error$` before. */
const ignore = (): void => undefined;

class Adapter<T extends KubernetesObject> implements ClientNodeInformer<T> {
  readonly informer: SharedInformer<T>;
  private readonly registered: { readonly verb: ClientNodeVerb; readonly callback: unknown; readonly subscription: Subscription }[] = [];
  private held: Subscription | undefined;
  private started: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<Listener<T>>();

  constructor(informer: SharedInformer<T>) {
    const { listeners } = this;
    this.informer = informer;
    informer.addEventHandler({
      onAdd: (object) => dispatch(listeners, 'add', object),
      onUpdate: (_, object) => dispatch(listeners, 'update', object),
      onDelete: (object) => dispatch(listeners, 'delete', object),
    });
  }

  on(verb: ClientNodeVerb, callback: ObjectCallback<T> & ErrorCallback): void {
    if (typeof callback !== 'function') throw new TypeError(`Expected a function for ${JSON.stringify(verb)}, got ${typeof callback}`);
    this.registered.push({ verb, callback, subscription: this.register(verb, callback) });
  }

  off(verb: ClientNodeVerb, callback: ObjectCallback<T> | ErrorCallback): void {
    const at = this.registered.findIndex((entry) => entry.verb === verb && entry.callback === callback);
    this.registered.splice(at, at < 0 ? 0 : 1)[0]?.subscription.unsubscribe();
  }

  start(): Promise<void> {
    if (this.held !== undefined) return this.started;
    this.started = new Promise((resolve) => {
      // One that is stopped and started again must tell what has changed meanwhile: its handlers outlive its sessions, and no session is its last.
      const held = this.informer.resource$.subscribe({
        next: ({ type }) => {
          if (type === 'synced') resolve();
        },
        error: ignore,
      });
      held.add(() => resolve());
      this.held = held;
    });
    return this.started;
  }

  stop(): Promise<void> {
    this.held?.unsubscribe();
    this.held = undefined;
    return Promise.resolve();
  }

  get(name: string, namespace?: string): T | undefined {
    return this.informer.indexer.getByKey(keyOfObjectName({ name, namespace: namespace ?? '' }));
  }

  list(namespace?: string): readonly T[] {
    return namespace === undefined ? this.informer.indexer.list() : this.informer.indexer.byIndex('namespace', namespace);
  }

  latestResourceVersion(): string {
    return this.informer.lastSyncResourceVersion();
  }

  private register(verb: ClientNodeVerb, callback: ObjectCallback<T> & ErrorCallback): Subscription {
    switch (verb) {
      case 'error':
        return this.informer.error$.subscribe({ next: (error) => callback(error), error: ignore });
      case 'connect': {
        const opened = this.informer.health$.pipe(
          pairwise(),
          filter(([before, { state }]) => state === 'watching' && before.state !== 'watching'),
        );
        return opened.subscribe({ next: () => callback(), error: ignore });
      }
      case 'add':
      case 'update':
      case 'change':
      case 'delete':
        return this.listen(verb, callback);
      default:
        throw new TypeError(`Expected add, update, change, delete, connect or error, got ${JSON.stringify(verb)}`);
    }
  }

  /** What is there already counts as added. */
  private listen(verb: Listener<T>['verb'], callback: ObjectCallback<T>): Subscription {
    const known = new Set<T>();
    if (verb === 'add' || verb === 'change') {
      const snapshot = this.informer.addEventHandler({
        onAdd: (object) => {
          known.add(object);
          callback(object);
        },
      });
      snapshot.remove();
    }
    const listener: Listener<T> = { verb, callback, known };
    this.listeners.add(listener);
    return new Subscription(() => this.listeners.delete(listener));
  }
}

/**
 * Makes an informer with the interface of `makeInformer` of client-node, so that a program can move over without a change of its
 * callbacks.
 *
 * - Failures are passed to `error` callbacks and retried by themselves. Calling `start` there, as programs had to, has no effect.
 * - `stop` reports no error, aborts what is under way, and holds even while the first list is on its way.
 * - A callback that is registered late is called for every object that exists.
 * - A callback that throws is reported to the `error` callbacks; the others are called all the same.
 * - Objects are the JSON that the server sent, the same from lists and watches: timestamps are text. They must not be changed.
 *
 * @example
 * ```ts
 * import { createClient, makeInformer, type V1Pod } from 'rx-informer';
 *
 * const informer = makeInformer<V1Pod>(createClient(), '/api/v1/namespaces/default/pods');
 * informer.on('add', (pod) => console.log('added', pod.metadata?.name));
 * informer.on('error', (error) => console.error(error));
 * await informer.start();
 * ```
 *
 * @param client - From `createClient({ kubeConfig })`.
 * @param pathOrResource - The path of a built-in resource, selectors in its query included; or a resource, for example of `customResource`.
 * @param _listFunction - Not called: the informer lists by itself, page by page. It may stay where it stands.
 * @param options - Those of `createInformer`.
 * @throws TypeError when the path is none that is known, or an option is wrong.
 */
export function makeInformer<T extends KubernetesObject>(
  client: InformerClient,
  pathOrResource: string | WatchableResource<T>,
  _listFunction?: unknown,
  labelSelector?: string,
  options: ResourceInformerOptions<T> = {},
): ClientNodeInformer<T> {
  const { resource, ...selection } = typeof pathOrResource === 'string' ? targetOfPath<T>(pathOrResource) : { resource: pathOrResource };
  const informer = createInformer<T>(client, resource, { ...selection, ...(labelSelector !== undefined && { labelSelector }), ...options });
  return new Adapter(informer);
}
