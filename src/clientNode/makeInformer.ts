import { filter, pairwise, Subscription } from 'rxjs';
import { builtInResources } from '../api/builtInResources.js';
import { keyOfObjectName, type KubernetesObject } from '../api/kubernetesObject.js';
import type { Resource } from '../api/resource.js';
import { definedOf, describeValue } from '../api/options.js';
import { InformerError, messageOf } from '../api/errors/informerError.js';
import { createInformer } from '../informer/createInformer.js';
import type { Attached, InformerClient, PluggedInformer } from '../informer/parts/part.js';
import { promiseOf } from '../informer/session/informerContext.js';
import type { IndexReader } from '../cache/store/store.js';
import type { ResourceInformerOptions } from '../informer/informerOptions.js';
import type { SharedInformer } from '../informer/sharedInformer.js';

/** The verbs of a {@link ClientNodeInformer}. */
export type ClientNodeVerb = 'add' | 'update' | 'change' | 'delete' | 'connect' | 'error';

const verbs: ReadonlySet<unknown> = new Set<ClientNodeVerb>(['add', 'update', 'change', 'delete', 'connect', 'error']);

type ObjectCallback<T> = (object: T) => void;
/** Called with the error, or without argument for `connect`. */
type ErrorCallback = (error?: unknown) => void;

/** An informer with the interface of client-node's. */
export interface ClientNodeInformer<T> {
  /** Registers a callback for objects that are added, updated, deleted, or any of these (`change`). */
  on(verb: 'add' | 'update' | 'change' | 'delete', callback: ObjectCallback<T>): void;
  /** Registers a callback for an open watch (`connect`), or for every failure (`error`), which is retried in any case. */
  on(verb: 'connect' | 'error', callback: ErrorCallback): void;
  /** Removes a callback. */
  off(verb: ClientNodeVerb, callback: ObjectCallback<T> | ErrorCallback): void;
  /** Starts, also again after `stop`; does nothing while it runs. Resolves when the first list is complete, or at `stop`. */
  start(): Promise<void>;
  /** Aborts all requests; no callback is called any more, except within a callback: for what has arrived with the same change. The content stays. */
  stop(): Promise<void>;
  /** The cached object of that name. */
  get(name: string, namespace?: string): T | undefined;
  /** The objects of a namespace; all without one, or with `''`. */
  list(namespace?: string): readonly T[];
  /** The version that the cache reflects. */
  latestResourceVersion(): string;
  /** The underlying informer, for a gradual migration. */
  readonly informer: SharedInformer<T>;
}

const pathPattern = /^\/(?:api|apis\/([^/]+))\/([^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/;

function targetOfPath<T>(path: string) {
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
    resource: resource as unknown as Resource<T, 'list' | 'watch'>,
    namespace: namespace && decodeURIComponent(namespace),
    labelSelector: parameters.get('labelSelector') ?? undefined,
    fieldSelector: parameters.get('fieldSelector') ?? undefined,
  };
}

type Happening = 'add' | 'update' | 'resync' | 'delete';

/** A registered callback. */
interface Listener<T> {
  readonly verb: ClientNodeVerb;
  readonly callback: ObjectCallback<T> & ErrorCallback;
  /** The objects for which it was called at registration. An event that is being told may have one of them. */
  readonly known: WeakSet<object>;
  readonly subscription: Subscription;
}

/** Reports a callback that has failed outside of the informer's own calls. */
type Failed = (cause: unknown) => void;

/** Calls a callback. The rejection of its promise comes when the informer does not look any more. */
function call<T>(callback: (argument: T) => unknown, argument: T, failed: Failed): void {
  promiseOf(callback(argument))?.catch(failed);
}

/**
 * Calls the callbacks in the order of their registration, for one object after another: callbacks of several verbs that maintain one collection must see
 * events in order. An error in one does not affect the others.
 */
function dispatch<T extends object>(listeners: ReadonlySet<Listener<T>>, failed: Failed, happening: Happening, object: T): void {
  const failures: unknown[] = [];
  // One that is registered meanwhile is not told: it has been told of the cache, which has this change.
  for (const listener of [...listeners]) {
    const { verb, callback, known } = listener;
    const isAsked = verb === 'change' || verb === (happening === 'resync' ? 'update' : happening);
    const isKnown = (happening === 'add' || happening === 'update') && known.has(object);
    if (!listeners.has(listener) || !isAsked || isKnown) continue;
    try {
      call(callback, object, failed);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} callbacks failed: ${messageOf(failures[0])}`);
  if (failures.length > 0) throw failures[0];
}

/** Ignored: an informer that ends with an error has emitted it on `error$`. */
const ignore = (): void => undefined;

class Adapter<T extends KubernetesObject> implements ClientNodeInformer<T> {
  readonly informer: SharedInformer<T>;
  private held: Subscription | undefined;
  private started: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<Listener<T>>();
  /** What the callbacks have been told of: not what is only restored. */
  private readonly store: IndexReader<T>;
  private readonly failed: Failed;
  /** Logs that an `error` callback has failed: the callbacks of that verb would be told of themselves, again and again. */
  private readonly errorFailed: Failed;

  constructor(informer: SharedInformer<T>, { store, report, resource, warn }: PluggedInformer) {
    const { listeners } = this;
    const failed: Failed = (cause) =>
      report(new InformerError({ code: 'ERR_HANDLER', message: `A callback failed: ${messageOf(cause)}`, cause, resource }));
    this.informer = informer;
    this.store = store as IndexReader<T>;
    this.failed = failed;
    this.errorFailed = (cause) => warn(`An \`error\` callback failed: ${messageOf(cause)}`);
    informer.addEventHandler({
      onAdd: (object) => dispatch(listeners, failed, 'add', object),
      onUpdate: (before, object) => dispatch(listeners, failed, before === object ? 'resync' : 'update', object),
      onDelete: (object) => dispatch(listeners, failed, 'delete', object),
    });
  }

  on(verb: ClientNodeVerb, callback: ObjectCallback<T> & ErrorCallback): void {
    if (typeof callback !== 'function') throw new TypeError(`Expected a function for ${JSON.stringify(verb)}, got ${typeof callback}`);
    if (!verbs.has(verb)) throw new TypeError(`Expected add, update, change, delete, connect or error, got ${describeValue(verb)}`);
    const known = new WeakSet<object>();
    const subscription = this.register(verb, callback, known);
    this.listeners.add({ verb, callback, known, subscription });
  }

  off(verb: ClientNodeVerb, callback: ObjectCallback<T> | ErrorCallback): void {
    const listener = [...this.listeners].find((known) => known.verb === verb && known.callback === callback);
    if (listener === undefined) return;
    listener.subscription.unsubscribe();
    this.listeners.delete(listener);
  }

  start(): Promise<void> {
    if (this.held !== undefined) return this.started;
    this.started = new Promise((resolve) => {
      // After stop and start, the changes in between must be emitted: so handlers outlive sessions, and the informer itself is not stopped.
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

  get(name: string, namespace = ''): T | undefined {
    return this.informer.indexer.getByKey(keyOfObjectName({ name, namespace }));
  }

  list(namespace?: string): readonly T[] {
    return namespace ? this.informer.indexer.byIndex('namespace', namespace) : this.informer.indexer.list();
  }

  latestResourceVersion(): string {
    return this.informer.lastSyncResourceVersion();
  }

  private try<A>(callback: (argument: A) => unknown, argument: A, failed: Failed = this.failed): void {
    try {
      call(callback, argument, failed);
    } catch (cause) {
      failed(cause);
    }
  }

  /** Subscribes a callback to its verb. A callback for additions is called for each cached object at once; those objects are recorded in `known`. */
  private register(verb: ClientNodeVerb, callback: ObjectCallback<T> & ErrorCallback, known: WeakSet<object>): Subscription {
    if (verb === 'error')
      return this.informer.error$.subscribe({ next: (error) => this.try(callback, error, this.errorFailed), error: ignore });
    if (verb === 'connect') {
      const opened = this.informer.health$.pipe(
        pairwise(),
        filter(([before, { state }]) => state === 'watching' && before.state !== 'watching'),
      );
      return opened.subscribe({ next: () => this.try(callback, undefined), error: ignore });
    }
    for (const object of ['add', 'change'].includes(verb) ? this.store.list() : []) {
      known.add(object);
      this.try(callback, object);
    }
    return Subscription.EMPTY;
  }
}

/**
 * Makes an informer with the interface of client-node's `makeInformer`, so that a program can migrate without changing its
 * callbacks.
 *
 * - Failures are passed to `error` callbacks and retried automatically. Calling `start` there, which client-node needs, has no effect.
 * - `stop` reports no error, aborts pending requests, and works even during the first list.
 * - A callback registered late is called for every cached object.
 * - Errors and rejections of other callbacks are passed to the `error` callbacks, and those of `error` callbacks are logged; all callbacks are still called.
 * - Objects are JSON as the server sent it, the same from lists and watches: timestamps are strings. They must not be changed.
 *
 * @example
 * ```ts
 * import { createClient, type V1Pod } from 'rx-informer';
 * import { makeInformer } from 'rx-informer/client-node';
 *
 * const informer = makeInformer<V1Pod>(createClient(), '/api/v1/namespaces/default/pods');
 * informer.on('add', (pod) => console.log('added', pod.metadata?.name));
 * informer.on('error', (error) => console.error(error));
 * await informer.start();
 * ```
 *
 * @param client - From `createClient({ kubeConfig })`.
 * @param pathOrResource - The path of a built-in resource, selectors in its query included; or a resource, for example of `customResource`.
 * @param _listFunction - Ignored: the informer lists by itself, in pages. The argument may stay.
 * @param options - The options of `createInformer`.
 * @throws TypeError when the path is unknown, or an option is wrong.
 */
export function makeInformer<T extends KubernetesObject>(
  client: InformerClient,
  pathOrResource: string | Resource<T, 'list' | 'watch'>,
  _listFunction?: unknown,
  labelSelector?: string,
  options: ResourceInformerOptions<T> = {},
): ClientNodeInformer<T> {
  const { resource, ...selection } = typeof pathOrResource === 'string' ? targetOfPath<T>(pathOrResource) : { resource: pathOrResource };
  let plugged: PluggedInformer | undefined;
  const attach = (informer: PluggedInformer): Attached => {
    plugged = informer;
    return {};
  };
  const { parts: given = [] } = options;
  // `createInformer` refuses what is no list.
  const isList: boolean = Array.isArray(given);
  const parts = isList ? [...given, { part: 'makeInformer', plug: () => ({ attach }) }] : given;
  const selected = { ...selection, ...definedOf({ labelSelector }), ...definedOf(options), parts };
  const informer = createInformer<T>(client, resource, selected);
  return new Adapter(informer, plugged as unknown as PluggedInformer);
}
