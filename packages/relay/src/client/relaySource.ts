import { defer, Observable, type ObservableInput, type SchedulerLike, switchMap, take } from 'rxjs';
import { ApiError, type V1Status } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import {
  aFunction,
  anObject,
  aScheduler,
  checkOptions,
  corsMessage,
  either,
  expectArgument,
  fetchExchange,
  nonEmptyString,
  type OptionRules,
  randomOf,
  schedulerOf,
} from 'rx-informer/internal';
import { relayHeader, type RelayFields, protocolVersion, type Scope, scopeId, type RelayWindow } from '../wire/frames.js';
import { followPage } from './pageEvents.js';
import type { ScopeState } from './scopeContent.js';
import { type Connect, RelayStream } from './relayStream.js';

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

const isText = nonEmptyString.holds;

/** The relay checks the rest of a window. */
function isWindow(value: unknown): boolean {
  const { orderBy, limit } = Object(value) as Partial<Record<keyof RelayWindow, unknown>>;
  return isText(orderBy) && Number(limit) >= 1;
}

const optionRules: OptionRules<RelaySourceOptions> = {
  kind: nonEmptyString,
  view: nonEmptyString,
  namespace: nonEmptyString,
  labelSelector: nonEmptyString,
  name: nonEmptyString,
  fields: {
    expected: "'metadata', 'all' or a list of paths",
    holds: (value) => value === 'metadata' || value === 'all' || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  },
  window: { expected: 'an object with `orderBy` and `limit`', holds: isWindow },
  onTotal: aFunction,
  token: either(nonEmptyString, aFunction),
  state: anObject,
  // `fetch` says which words it takes.
  credentials: nonEmptyString,
  fetch: aFunction,
  scheduler: aScheduler,
  random: aFunction,
};

/** The key by which streams are shared: sources with equal values share one. */
export type Way = Pick<RelaySourceOptions, 'token' | 'credentials' | 'fetch' | 'state' | 'scheduler' | 'random'> & { readonly url: string };

/** The content of scopes by their ids, as JSON. */
export interface RelayState {
  readonly [scope: string]: ScopeState;
}

/** The streams of this page. A stream exists only while one of its scopes is subscribed to. */
const streams = new Map<RelayStream, Way>();

/** One request with `fetch`. Emits the head as soon as it arrives, to distinguish a refusal from a dead server. */
function fetched({ url, credentials, fetch: ownFetch }: Way, token: string | undefined, body: string): Observable<string> {
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
        const { status, type, headers } = response;
        // As proxies answer when a login has expired. Browsers hide where to.
        if (type === 'opaqueredirect' || (status > 300 && status < 400))
          throw new Error(`${url} was redirected, as to a login: expected the URL of a relay`);
        // As servers of single-page applications answer whatever they do not know.
        if (status === 200 && headers.get('content-type')?.startsWith('text/html'))
          throw new Error(`${url} answered with a page (text/html): expected the URL of a relay`);
        if (status === 200) {
          subscriber.next('');
          return true;
        }
        // A proxy answers with other bodies than the relay.
        const { reason = '', message = `The relay answered ${status}` } = (await response.json().then(Object, () => ({}))) as V1Status;
        const retryAfterMs = Number(headers.get('retry-after')) * 1000 || 1000;
        throw new ApiError({ code: status, message, retryAfterMs, status: { reason } });
      },
      chunk: (bytes) => subscriber.next(decoder.decode(bytes, { stream: true })),
      complete: () => subscriber.complete(),
      error: (error, isRefused) => subscriber.error(isRefused ? new Error(corsMessage(), { cause: error }) : error),
    });
  });
}

function tokenOf({ token }: Way): Observable<string | undefined> {
  return defer(() => {
    const given = typeof token === 'function' ? token() : token;
    return typeof given === 'object' ? given : [given];
  }).pipe(take(1));
}

function isSameWay(way: Way, other: Way): boolean {
  return (Object.keys({ ...way, ...other }) as (keyof Way)[]).every((part) => other[part] === way[part]);
}

function knownStream(way: Way): RelayStream | undefined {
  for (const [stream, other] of streams) if (isSameWay(way, other)) return stream;
  return undefined;
}

/** What a scope of a stream has now; undefined before it is complete. */
export function stateOf(way: Way, id: string): ScopeState | undefined {
  return knownStream(way)?.stateOf(id);
}

function streamOf(way: Way, connect: Connect): RelayStream {
  const known = knownStream(way);
  if (known) return known;
  const stream: RelayStream = new RelayStream({
    connect,
    state: way.state,
    scheduler: schedulerOf(way.scheduler),
    random: randomOf(way.random),
    onEmpty: () => {
      leave();
      streams.delete(stream);
    },
  });
  const leave = followPage({ wake: () => stream.wake(), rest: () => stream.close() });
  streams.set(stream, way);
  return stream;
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
  const { onTotal, token, credentials, state, fetch: ownFetch, scheduler, random, ...scope } = options;
  expectArgument('relaySource', 'url', url instanceof URL ? url.href : url, nonEmptyString);
  checkOptions('relaySource', options, optionRules);
  const { kind, view, namespace, labelSelector, name, window } = scope;
  const refuse = (isWrong: unknown, expected: string): void => {
    if (isWrong) throw new TypeError(`Expected ${expected}`);
  };
  refuse(!kind === !view, 'either `kind` or `view`');
  refuse(view && name, 'no `name` with a `view`: filter it in the page');
  refuse(view && namespace && window, 'no `namespace` with the `window` of a `view`');
  refuse(name && (window ?? labelSelector), 'neither `window` nor `labelSelector` with a `name`');
  const way: Way = { url: String(url), token, credentials, state, fetch: ownFetch, scheduler, random };
  const connect: Connect = (body) => tokenOf(way).pipe(switchMap((current) => fetched(way, current, body)));
  return relaySourceOver(connect, way, scope, onTotal);
}
