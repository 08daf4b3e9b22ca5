import {
  defer,
  filter,
  from,
  lastValueFrom,
  map,
  merge,
  Observable,
  type ObservableInput,
  of,
  type SchedulerLike,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import type { SourceEvent } from 'rx-informer/pipeline';
import {
  checkOptions,
  corsMessage,
  describeValue,
  fetchExchange,
  type OptionRules,
  randomOf,
  rules,
  schedulerOf,
} from 'rx-informer/internal';
import { relayHeader, type RelayFields, protocolVersion, type Scope, scopeId, type RelayWindow } from '../wire/frames.js';
import { followPage } from './pageEvents.js';
import type { ScopeState } from './scopeContent.js';
import { type Connect, type ConnectEvent, RelayStream } from './relayStream.js';

/** Options of {@link relaySource}. */
export interface RelaySourceOptions {
  /** The name of a kind at the relay. Give either `kind` or `view`. */
  readonly kind?: string | undefined;
  /** The name of a view at the relay. */
  readonly view?: string | undefined;
  /** One namespace: of a kind, or of the keys of a view's values. @defaultValue all that the user may read */
  readonly namespace?: string | undefined;
  /** Only objects that match this label selector, as text of kubectl's `-l`. An object that no longer matches is `deleted`. @defaultValue all */
  readonly labelSelector?: string | undefined;
  /** The name of one object of a kind; with `namespace` if the kind is namespaced. */
  readonly name?: string | undefined;
  /** The fields of each object: its metadata, everything, or paths such as `status.phase`. @defaultValue `'metadata'` */
  readonly fields?: RelayFields | undefined;
  /** Only a part of an order, kept up at the relay. @defaultValue all objects */
  readonly window?: RelayWindow | undefined;
  /** Called with how many objects the order of the window has, at first and after each change. */
  readonly onTotal?: ((total: number) => void) | undefined;
  /**
   * A bearer token, or a function that returns one before each request. Without it, the browser's cookies authenticate. Sources share a stream if `token` is the same
   * string or the same function.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly token?: string | (() => string | ObservableInput<string>) | undefined;
  /** Whether cookies are sent, as in `fetch`: `'include'` for a relay of another origin, which must name the page's in `origins`. @defaultValue `'same-origin'` */
  readonly credentials?: 'same-origin' | 'include' | 'omit' | undefined;
  /** @defaultValue the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** What a server has loaded with `loadRelay`, for the scopes that it has: the stream goes on from there. */
  readonly state?: RelayState | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** Random numbers from 0 up to 1, for the jitter of delays. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

const isFields = (value: unknown): boolean =>
  value === 'metadata' ||
  value === 'all' ||
  (Array.isArray(value) && value.length > 0 && value.every((path) => typeof path === 'string' && path !== ''));

const optionRules: OptionRules<RelaySourceOptions> = {
  kind: rules.nonEmptyString,
  view: rules.nonEmptyString,
  namespace: rules.nonEmptyString,
  labelSelector: rules.nonEmptyString,
  name: rules.nonEmptyString,
  fields: { expected: "'metadata', 'all' or a list of paths", holds: isFields },
  window: rules.object,
  onTotal: rules.function,
  token: rules.either(rules.nonEmptyString, rules.function),
  state: rules.object,
  credentials: rules.oneOf('same-origin', 'include', 'omit'),
  fetch: rules.function,
  scheduler: rules.scheduler,
  random: rules.function,
};

const windowRules: OptionRules<RelayWindow> = {
  orderBy: rules.required(rules.nonEmptyString),
  descending: rules.boolean,
  offset: rules.number({ integer: true, min: 0 }),
  limit: rules.required(rules.number({ integer: true, min: 1 })),
};

/** The key by which streams are shared: sources with equal values share one. */
type Way = Pick<RelaySourceOptions, 'token' | 'credentials' | 'fetch' | 'state' | 'scheduler' | 'random'> & { readonly url: string };

/** The content of scopes by their ids, as JSON. */
export interface RelayState {
  readonly [scope: string]: ScopeState;
}

/** The streams of this page. A stream exists only while one of its scopes is subscribed to. */
const streams = new Map<RelayStream, Way>();

function textOf(response: Response): Promise<{ readonly reason?: string; readonly message?: string }> {
  return response.json().catch(() => ({})) as Promise<{ readonly reason?: string; readonly message?: string }>;
}

/** One request with `fetch`. Emits the head as soon as it arrives, to distinguish a refusal from a dead server. */
function fetched(
  { url, credentials = 'same-origin', fetch: ownFetch }: Way,
  token: string | undefined,
  body: string,
): Observable<ConnectEvent> {
  return new Observable((subscriber) => {
    const decoder = new TextDecoder();
    return fetchExchange({
      ...{ fetch: ownFetch ?? fetch, url, probe: url },
      init: {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'text/event-stream', [relayHeader]: String(protocolVersion) },
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body,
        cache: 'no-store',
        credentials,
        redirect: 'manual',
      },
      head: async (response) => {
        const { status, type } = response;
        // As proxies answer when a login has expired. Browsers hide where to.
        if (type === 'opaqueredirect' || (status > 300 && status < 400))
          throw new Error(`${url} was redirected, as to a login: expected the URL of a relay`);
        // As servers of single-page applications answer whatever they do not know.
        if (status === 200 && response.headers.get('content-type')?.startsWith('text/html') === true)
          throw new Error(`${url} answered with a page (text/html): expected the URL of a relay`);
        const { reason = '', message = '' } = status === 200 ? {} : await textOf(response);
        const retryAfterMs = Number(response.headers.get('retry-after') ?? 1) * 1000 || 1000;
        subscriber.next({ type: 'head', status, reason, message, retryAfterMs });
        return status === 200;
      },
      chunk: (bytes) => subscriber.next({ type: 'text', text: decoder.decode(bytes, { stream: true }) }),
      complete: () => subscriber.complete(),
      error: (error, isRefused) => subscriber.error(isRefused ? new Error(corsMessage(), { cause: error }) : error),
    });
  });
}

function tokenOf({ token }: Way): Observable<string | undefined> {
  return defer(() => {
    const given = typeof token === 'function' ? token() : token;
    return typeof given === 'string' || given === undefined ? of(given) : from(given).pipe(take(1));
  });
}

function isSameWay(way: Way, other: Way): boolean {
  return (['url', 'token', 'credentials', 'fetch', 'state', 'scheduler', 'random'] as const).every((part) => other[part] === way[part]);
}

function streamOf(way: Way, connect: Connect): RelayStream {
  for (const [stream, other] of streams) if (isSameWay(way, other)) return stream;
  const { scheduler } = way;
  const stream: RelayStream = new RelayStream({
    connect,
    scheduler: schedulerOf(scheduler),
    random: randomOf(way.random),
    stateOf: (id) => way.state?.[id],
    onEmpty: () => {
      leave();
      streams.delete(stream);
    },
  });
  const leave = followPage({ wake: () => stream.wake(), rest: () => stream.rest() });
  streams.set(stream, way);
  return stream;
}

/**
 * Loads scopes of a relay once, as JSON: on a server that renders a page, which goes on from there with the option `state` of `relaySource`, or of `RelayProvider`.
 *
 * Nothing stays open. A scope that is not complete in time, or that the user may not see, is left out.
 *
 * @example
 * ```ts
 * import { loadRelay } from '@rx-informer/relay/client';
 *
 * const state = await loadRelay('http://localhost/relay', [{ kind: 'pods', fields: ['status.phase'] }], { timeoutMs: 2_000 });
 * console.log(Object.keys(state).length);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export async function loadRelay(
  url: string | URL,
  scopes: readonly Scope[],
  { timeoutMs = 5_000, ...options }: Omit<RelaySourceOptions, keyof Scope | 'state'> & { readonly timeoutMs?: number | undefined } = {},
): Promise<RelayState> {
  const loads = scopes.map((scope) =>
    relaySource(url, { ...scope, ...options }).pipe(
      filter(({ type }) => type === 'ready'),
      // What the user may see of it, which the position needs, comes right after it.
      switchMap(() => timer(20, schedulerOf(options.scheduler))),
      take(1),
      map(() => scopeId(scope)),
    ),
  );
  const { token, credentials, fetch: ownFetch, scheduler, random } = options;
  const way: Way = { url: String(url), token, credentials, fetch: ownFetch, scheduler, random };
  const state: Record<string, ScopeState> = {};
  const loading = merge(...loads).pipe(
    tap((id) => {
      for (const [stream, other] of streams) if (isSameWay(way, other)) Object.assign(state, { [id]: stream.stateOf(id) });
    }),
    takeUntil(timer(timeoutMs, schedulerOf(scheduler))),
  );
  await lastValueFrom(loading, { defaultValue: undefined });
  return JSON.parse(JSON.stringify(state)) as RelayState;
}

/** Connects the streams to a relay again at once, whatever they wait for. @internal */
export function retryRelay(url: string): void {
  for (const [stream, way] of streams) if (way.url === url) stream.wake(true);
}

/** {@link relaySource} over a custom connection: for tests in virtual time. @internal */
export function relaySourceOver<T>(
  connect: Connect,
  way: Way,
  scope: Scope,
  onTotal?: (total: number) => void,
): Observable<SourceEvent<T>> {
  return new Observable<SourceEvent<unknown>>((subscriber) =>
    streamOf(way, connect).follow(scopeId(scope), scope, subscriber, onTotal),
  ) as Observable<SourceEvent<T>>;
}

/**
 * Makes a source of what a relay serves: for an informer in a page, which has no credentials of a cluster.
 *
 * ```text
 * relay    open rows(a b) commit        rows(~a) rows(+c) commit        drop(b)
 * result   s    i p(a b) r              ~a +c                           -b revoked
 * i: init, p: page, r: ready, s: status
 * ```
 *
 * - Sources of one page with the same URL and token share one stream, and so use one of the six connections that a browser opens to a host.
 * - It never completes and never fails. Every failure is a `status`: offline, refused, behind, or a failure of the relay's own informer. For a user without permission
 *   it is `retrying` with an error for which `isForbidden` is true, without a `ready`: do not show an empty list then.
 * - When a permission is revoked, its objects are `deleted` with `reason: 'revoked'`; objects that leave a window have the reason `moved`.
 * - A stream that ends is resumed from its last position, at any replica. After three streams of less than 30 s it polls for ten minutes.
 * - Every ten seconds the page compares its content with the relay's by count and checksum. A difference is a `status` with `ERR_DRIFT`, and the scope is sent again.
 *
 * @example
 * ```ts
 * import { createInformer, type KubernetesObject } from 'rx-informer';
 * import { relaySource } from '@rx-informer/relay/client';
 *
 * const pods = createInformer(relaySource<KubernetesObject>('/relay', { kind: 'pods', fields: ['spec.nodeName', 'status.phase'] }), { resource: 'pods' });
 * pods.index$.subscribe((index) => console.log(index.size));
 * pods.health$.subscribe(({ state, error }) => console.log(state, error?.message ?? ''));
 * ```
 *
 * @param url - the URL of the relay's handler, for example `/relay`.
 * @throws TypeError when an option is wrong.
 */
export function relaySource<T>(url: string | URL, options: RelaySourceOptions): Observable<SourceEvent<T>> {
  if ((typeof url !== 'string' || url === '') && !(url instanceof URL))
    throw new TypeError(`Expected \`url\` to be a text or a URL, got ${describeValue(url)}`);
  checkOptions('relaySource', options, optionRules);
  const {
    kind,
    view,
    namespace,
    labelSelector,
    name,
    fields,
    window,
    token,
    credentials,
    state,
    fetch: ownFetch,
    scheduler,
    random,
  } = options;
  if ((kind === undefined) === (view === undefined)) throw new TypeError('Expected either `kind` or `view` of `relaySource`');
  if (view !== undefined && name !== undefined)
    throw new TypeError('Expected no `name` of `relaySource` with a `view`: filter it in the page');
  if (view !== undefined && namespace !== undefined && window !== undefined)
    throw new TypeError('Expected no `namespace` of `relaySource` with the `window` of a `view`');
  if (name !== undefined && (window ?? labelSelector) !== undefined)
    throw new TypeError('Expected neither `window` nor `labelSelector` of `relaySource` with a `name`');
  if (window !== undefined) checkOptions('relaySource.window', window, windowRules);
  const way: Way = { url: String(url), token, credentials, state, fetch: ownFetch, scheduler, random };
  const connect: Connect = (body) => tokenOf(way).pipe(switchMap((current) => fetched(way, current, body)));
  return relaySourceOver(connect, way, { kind, view, namespace, labelSelector, name, fields, window }, options.onTotal);
}
