import { Observable, of, type SchedulerLike, Subscription, type VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, customResource, type KubernetesObject, type Resource } from 'rx-informer';
import type { ListerWatcher, SourceEvent } from 'rx-informer/pipeline';
import type { ReflectOptions } from 'rx-informer/internal';
import type { Connect } from '../src/client/relayStream.js';
import { relaySourceOver } from '../src/client/relaySource.js';
import type { RelaySources } from '../src/log/relaySources.js';
import type { Authorizer, RelayUser } from '../src/rights/authorizer.js';
import { RelayCore, type RelayAuditEvent, type RelayLimits } from '../src/serve/relayCore.js';
import type { Connection } from '../src/serve/connection.js';
import type { Guard, RelayRequest } from '../src/serve/requestChecks.js';
import { relayHeader, type Scope } from '../src/wire/frames.js';
import { seededRandom } from '../../../src/testing/fakes/randomHistory.js';

export const objects: Resource<KubernetesObject> = customResource({
  group: 'example.com',
  version: 'v1',
  plural: 'objects',
  kind: 'Object',
  namespaced: true,
});
export const everybody: Authorizer = { review: () => of(true) };
export const limits: Required<{ [Name in keyof RelayLimits]: number }> = {
  ...{
    streamsPerUser: 20,
    streams: 2_000,
    scopesPerStream: 50,
    scopesPerUser: 100,
    scopes: 500,
    windowLimit: 1_000,
    reviewsPerSecond: 100,
    bytesPerUser: 64 * 2 ** 20,
  },
};

export interface CoreOptions {
  readonly sources: RelaySources;
  readonly scheduler: SchedulerLike;
  readonly authorizer?: Authorizer;
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly authenticate?: (request: RelayRequest) => Observable<RelayUser | undefined>;
  readonly limits?: RelayLimits;
  readonly guard?: Partial<Guard>;
  readonly audit?: (event: RelayAuditEvent) => void;
  readonly seed?: number;
  readonly sliceLength?: number;
}

/** A relay without a server, in virtual time. The header `authorization` names the user. */
export function relayCore(options: CoreOptions): RelayCore {
  const { sources, scheduler, authorizer = everybody, guard, audit = () => undefined, seed = 1 } = options;
  const named = ({ headers }: RelayRequest): RelayUser | undefined => {
    const name = headers.get('authorization');
    return name === null ? undefined : { name };
  };
  return new RelayCore({
    ...{ sources, scheduler, authorizer, audit, random: seededRandom(seed), sliceLength: options.sliceLength ?? 32_768, readersAtOnce: 1 },
    authenticate: options.authenticate ?? ((request) => of(named(request))),
    limits: { ...limits, ...(options.limits as typeof limits | undefined) },
    guard: { hosts: ['relay.example'], origins: [], ...guard },
  });
}

export function requestOf(headers: Readonly<Record<string, string>> = {}, method = 'POST'): RelayRequest {
  const all: Readonly<Record<string, string>> = { host: 'relay.example', [relayHeader]: '1', authorization: 'ada', ...headers };
  return { method, url: '/', headers: { get: (name) => all[name] ?? null } };
}

/** The way from a page to its relay: it can be cut, be slow, and lead to another replica. */
export class Link {
  /** The relay that answers the next request; undefined: the connection is refused. */
  core: RelayCore | undefined;
  headers: Readonly<Record<string, string>>;
  /** How many writes get through before the page takes no more; a `drain` lets as many through again. */
  window: number = Infinity;
  /** The requests and the sent data, in chronological order. */
  readonly requests: string[] = [];
  readonly texts: string[] = [];
  /** Sees every text before the page does. */
  onText: (text: string) => void = () => undefined;
  /** What becomes of every text on its way. */
  alter: (text: string) => string = (text) => text;
  /** Whether the next streams give everything at their end only, as behind a proxy that buffers. */
  buffers = false;
  private readonly open: Set<{ readonly cut: () => void; readonly drain: () => void }> = new Set();

  constructor(core: RelayCore | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.core = core;
    this.headers = headers;
  }

  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly connect: Connect = (body) =>
    new Observable((subscriber) => {
      this.requests.push(body);
      const { core, buffers } = this;
      if (core === undefined) {
        subscriber.error(new Error('refused'));
        return undefined;
      }
      let connection: Connection | undefined;
      let left = this.window;
      let held = '';
      const exchange = new Subscription();
      const pass = (text: string): void => {
        this.texts.push(text);
        this.onText(text);
        subscriber.next(this.alter(text));
      };
      const end = (): void => {
        if (held !== '') pass(held);
        subscriber.complete();
      };
      exchange.add(
        core.answer(requestOf(this.headers), body).subscribe((answer) => {
          if ('reason' in answer) {
            const { status, reason, message, retryAfterSeconds = 1 } = answer;
            subscriber.error(new ApiError({ code: status, message, retryAfterMs: retryAfterSeconds * 1000, status: { reason } }));
            return;
          }
          if (!buffers) subscriber.next('');
          connection = answer.open({
            write: ({ text }) => {
              if (buffers) held += text;
              else pass(text);
              left -= 1;
              return left > 0;
            },
            end,
          });
          exchange.add(() => connection?.close());
        }),
      );
      const way = {
        cut: () => {
          exchange.unsubscribe();
          subscriber.error(new Error('cut'));
        },
        drain: () => {
          left = this.window;
          connection?.drained();
        },
      };
      this.open.add(way);
      return () => {
        this.open.delete(way);
        exchange.unsubscribe();
      };
    });

  cut(): void {
    for (const way of [...this.open]) way.cut();
  }

  drain(): void {
    for (const way of [...this.open]) way.drain();
  }

  streams(): number {
    return this.open.size;
  }
}

const half = (): number => 0.5;

/** A source in a page, over a link. */
export function pageSource(link: Link, scheduler: VirtualTimeScheduler, scope: Scope): Observable<SourceEvent<KubernetesObject>> {
  return relaySourceOver(link.connect, { url: '/', scheduler, random: half, fetch: linkKeys(link) }, scope);
}

const keys = new WeakMap<Link, typeof fetch>();

/** Pages over different links are distinguished by a function that is never called. */
function linkKeys(link: Link): typeof fetch {
  let key = keys.get(link);
  if (key === undefined) keys.set(link, (key = () => Promise.reject(new Error('never called'))));
  return key;
}

/** A page, a relay and an informer in a row, as one source. */
export function throughRelay(server: ListerWatcher<KubernetesObject>, options: ReflectOptions): Observable<SourceEvent<KubernetesObject>> {
  return new Observable<SourceEvent<KubernetesObject>>((subscriber) => {
    const scheduler = options.scheduler as VirtualTimeScheduler;
    const informer = createInformer(server, { ...options, onError: undefined, logger: { warn: () => undefined } });
    const core = relayCore({ scheduler, sources: { objects: { collection: informer, resource: objects } } });
    subscriber.add(pageSource(new Link(core), scheduler, { kind: 'objects', fields: 'all' }).subscribe(subscriber));
    subscriber.add(() => {
      core.stop();
      void informer.stop();
    });
  });
}
