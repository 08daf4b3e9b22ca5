import { defer, from, Observable, type ObservableInput, of, type SchedulerLike, switchMap, take } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';
import { corsMessage, refusedByCors } from '../../api/refusedByCors.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import { relayHeader, type RelayFields, protocolVersion, type Scope, scopeId, type RelayWindow } from '../wire/frames.js';
import { type Connect, type ConnectEvent, RelayStream } from './relayStream.js';

/** Options of {@link relaySource}. */
export interface RelaySourceOptions {
  /** The name of a kind at the relay; one of `kind` and `view`. */
  readonly kind?: string | undefined;
  /** The name of a view at the relay. */
  readonly view?: string | undefined;
  /** One namespace of a kind. Default: all that the user may read. */
  readonly namespace?: string | undefined;
  /** One object of a kind, by its name; with `namespace` where the kind has them. */
  readonly name?: string | undefined;
  /** What comes of each object: its metadata, all of it, or paths such as `status.phase`. @defaultValue `'metadata'` */
  readonly fields?: RelayFields | undefined;
  /** The first objects of an order, kept up at the relay. Default: all objects. */
  readonly window?: RelayWindow | undefined;
  /**
   * A bearer token, or a function that gets one before each request. Without it the browser's cookies authenticate. Sources share a stream where `token` is the same
   * text or the same function.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly token?: string | (() => string | ObservableInput<string>) | undefined;
  /** @defaultValue the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
  /** The clock and all timers. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Chance, from 0 up to 1, for the jitter of waits. Default `Math.random`. */
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
  name: rules.nonEmptyString,
  fields: { expected: "'metadata', 'all' or a list of paths", holds: isFields },
  window: rules.object,
  token: rules.either(rules.nonEmptyString, rules.function),
  fetch: rules.function,
  scheduler: rules.scheduler,
  random: rules.function,
};

const windowRules: OptionRules<RelayWindow> = {
  orderBy: rules.required(rules.nonEmptyString),
  descending: rules.boolean,
  limit: rules.required(rules.number({ integer: true, min: 1 })),
};

/** What streams are shared by: sources that agree in it are of one page. */
type Way = Pick<RelaySourceOptions, 'token' | 'fetch' | 'scheduler' | 'random'> & { readonly url: string };

/** The streams of this page. One is there only as long as somebody follows a scope of it. */
const streams = new Map<RelayStream, Way>();

function textOf(response: Response): Promise<{ readonly reason?: string; readonly message?: string }> {
  return response.json().catch(() => ({})) as Promise<{ readonly reason?: string; readonly message?: string }>;
}

/** One request with `fetch`. Its head comes as soon as it is there, so that a refused one is told from a dead server. */
function fetched({ url, fetch: ownFetch }: Way, token: string | undefined, body: string): Observable<ConnectEvent> {
  return new Observable((subscriber) => {
    const abort = new AbortController();
    let isAnswered = false;
    const exchange = async (): Promise<void> => {
      // Of what browsers know, Node's types have less.
      const init: object = {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', accept: 'text/event-stream', [relayHeader]: String(protocolVersion) },
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body,
        cache: 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        signal: abort.signal,
      };
      const response = await (ownFetch ?? fetch)(url, init);
      isAnswered = true;
      const { status } = response;
      const { reason = '', message = '' } = status === 200 ? {} : await textOf(response);
      subscriber.next({
        type: 'head',
        status,
        reason,
        message,
        retryAfterMs: Number(response.headers.get('retry-after') ?? 1) * 1000 || 1000,
      });
      const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = status === 200 ? response.body?.getReader() : undefined;
      const decoder = new TextDecoder();
      for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
        subscriber.next({ type: 'text', text: decoder.decode(part.value, { stream: true }) });
      }
      subscriber.complete();
    };
    exchange().catch((error: unknown) => {
      const asked = isAnswered ? Promise.resolve(false) : refusedByCors(url, ownFetch ?? fetch, abort.signal);
      void asked.then((isRefused) => subscriber.error(isRefused ? new Error(corsMessage(), { cause: error }) : error));
    });
    return () => abort.abort();
  });
}

function tokenOf({ token }: Way): Observable<string | undefined> {
  return defer(() => {
    const given = typeof token === 'function' ? token() : token;
    return typeof given === 'string' || given === undefined ? of(given) : from(given).pipe(take(1));
  });
}

function streamOf(way: Way, connect: Connect): RelayStream {
  const isSame = (other: Way): boolean =>
    (['url', 'token', 'fetch', 'scheduler', 'random'] as const).every((part) => other[part] === way[part]);
  for (const [stream, other] of streams) if (isSame(other)) return stream;
  const { scheduler, random = Math.random } = way;
  const stream: RelayStream = new RelayStream({
    connect,
    scheduler: schedulerOf(scheduler),
    random,
    onEmpty: () => void streams.delete(stream),
  });
  streams.set(stream, way);
  return stream;
}

/** {@link relaySource} over a connection of one's own: for tests in virtual time. @internal */
export function relaySourceOver<T>(connect: Connect, way: Way, scope: Scope): Observable<SourceEvent<T>> {
  return new Observable<SourceEvent<unknown>>((subscriber) =>
    streamOf(way, connect).follow(scopeId(scope), scope, subscriber),
  ) as Observable<SourceEvent<T>>;
}

/**
 * Makes a source of what a relay serves: for an informer in a page, without the credentials of a cluster.
 *
 * ```text
 * relay    open rows(a b) commit        rows(~a) rows(+c) commit        drop(b)
 * result   s    i p(a b) r              ~a +c                           -b revoked
 * i: init, p: page, r: ready, s: status
 * ```
 *
 * - Sources of one page with the same URL and token share one stream, whatever they follow: one of the six connections that a browser has for a host.
 * - It never completes and never fails. Every failure is a `status`: offline, refused, behind, and what the relay's own informer has. A user who may not read it is
 *   `retrying` with an error for which `isForbidden` is true, and no `ready` comes: that is not an empty list.
 * - A right that is lost takes its objects away as `deleted` with `reason: 'revoked'`; what leaves a window has the reason `moved`.
 * - A stream that ends is resumed where it was, at whichever replica answers. After three streams of less than 30 s it polls for ten minutes.
 * - What the page has is compared with what the relay has every ten seconds by count and checksum. A difference is a `status` with `ERR_DRIFT`, and the scope comes anew.
 *
 * @example
 * ```ts
 * import { createInformer, type KubernetesObject } from 'rx-informer';
 * import { relaySource } from 'rx-informer/relay-client';
 *
 * const pods = createInformer(relaySource<KubernetesObject>('/relay', { kind: 'pods', fields: ['spec.nodeName', 'status.phase'] }), { resource: 'pods' });
 * pods.index$.subscribe((index) => console.log(index.size));
 * pods.health$.subscribe(({ state, error }) => console.log(state, error?.message ?? ''));
 * ```
 *
 * @param url - where the relay's handler is, for example `/relay`.
 * @throws TypeError when an option is wrong.
 */
export function relaySource<T>(url: string | URL, options: RelaySourceOptions): Observable<SourceEvent<T>> {
  if ((typeof url !== 'string' || url === '') && !(url instanceof URL))
    throw new TypeError(`Expected \`url\` to be a text or a URL, got ${describeValue(url)}`);
  checkOptions('relaySource', options, optionRules);
  const { kind, view, namespace, name, fields, window, token, fetch: ownFetch, scheduler, random } = options;
  if ((kind === undefined) === (view === undefined)) throw new TypeError('Expected either `kind` or `view` of `relaySource`');
  if (view !== undefined && (namespace ?? name) !== undefined)
    throw new TypeError('Expected neither `namespace` nor `name` of `relaySource` with a `view`: filter it in the page');
  if (name !== undefined && window !== undefined) throw new TypeError('Expected either `name` or `window` of `relaySource`');
  if (window !== undefined) checkOptions('relaySource.window', window, windowRules);
  const way: Way = { url: String(url), token, fetch: ownFetch, scheduler, random };
  const connect: Connect = (body) => tokenOf(way).pipe(switchMap((current) => fetched(way, current, body)));
  return relaySourceOver(connect, way, { kind, view, namespace, name, fields, window });
}
