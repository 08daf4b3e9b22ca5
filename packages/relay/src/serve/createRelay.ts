import type { IncomingMessage, ServerResponse } from 'node:http';
import { defer, from, isObservable, type Observable, type ObservableInput, of, type SchedulerLike } from 'rxjs';
import { checkOptions, entryOf, type OptionRules, randomOf, rules, schedulerOf, collectionPort } from 'rx-informer/internal';
import { type Collection } from 'rx-informer';
import { untyped } from '@rx-informer/views/internal';
import { madeOf } from '../log/groups.js';
import type { RelaySources } from '../log/relaySources.js';
import type { Authorizer, RelayUser } from '../rights/authorizer.js';
import { fetchHandler } from './fetchHandler.js';
import { nodeHandler } from './nodeHandler.js';
import { type RelayAuditEvent, RelayCore, type RelayFigures, type RelayLimits } from './relayCore.js';
import type { RelayRequest } from './requestChecks.js';

/** Options of {@link createRelay}. */
export interface RelayOptions<S extends RelaySources = RelaySources> {
  /** The sources that pages may follow, by name: informers with their resources, and views with the names of their inputs. */
  readonly sources: S;
  /**
   * Returns the user of a request, or `undefined` to refuse it. The result must contain everything that decides permissions, including groups and extra. An error
   * refuses the request.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly authenticate: (request: RelayRequest) => RelayUser | undefined | ObservableInput<RelayUser | undefined>;
  /** Decides what a user may see; `accessReviews(client)` asks the API server. @defaultValue nobody sees anything */
  readonly authorize?: Authorizer | undefined;
  /** Limits, each with a default. */
  readonly limits?: RelayLimits | undefined;
  /** Called with events for an audit log: scopes followed, requests refused, permissions revoked. */
  readonly audit?: ((event: RelayAuditEvent) => void) | undefined;
  /** The host names of the relay, without ports: requests with others are refused, against DNS rebinding. @defaultValue those of the loopback interface */
  readonly hosts?: readonly string[] | undefined;
  /** Other origins whose pages may use the relay, for example `https://dashboard.example`. @defaultValue none but its own */
  readonly origins?: readonly string[] | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
  /** Random numbers from 0 up to 1. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** One cache for many pages. */
export interface Relay<S extends RelaySources = RelaySources> {
  /** What it serves. `RelayOf<typeof relay>` has the types for a page. */
  readonly sources: S;
  /** Answers a request of Node's `http` and `http2`, Express or Fastify: its raw request and reply, with what it has parsed as `body` of the raw request. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request of the Fetch API: Deno, Bun, Hono, service workers. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Current figures and counters. */
  readonly figures: () => RelayFigures;
  /** Ends all streams: pages continue at another replica, or retry. */
  readonly stop: () => void;
}

const limitRules: OptionRules<RelayLimits> = {
  streamsPerUser: rules.number({ integer: true, min: 1 }),
  streams: rules.number({ integer: true, min: 1 }),
  scopesPerStream: rules.number({ integer: true, min: 1 }),
  scopes: rules.number({ integer: true, min: 1 }),
  scopesPerUser: rules.number({ integer: true, min: 1 }),
  bytesPerUser: rules.number({ integer: true, min: 1 }),
  windowLimit: rules.number({ integer: true, min: 1 }),
  reviewsPerSecond: rules.number({ min: 1 }),
};

const matching = (pattern: RegExp): typeof rules.any => ({
  expected: '',
  holds: (value) => typeof value === 'string' && pattern.test(value),
});

const optionRules: OptionRules<RelayOptions> = {
  sources: rules.required(rules.object),
  authenticate: rules.required(rules.function),
  authorize: rules.withMethods('review'),
  limits: rules.object,
  audit: rules.function,
  hosts: rules.listOf(matching(/^(?:[^\s:/*]+|\[[\da-f:.]+\])$/i), 'names of hosts, without ports'),
  origins: rules.listOf(matching(/^(?:null|[a-z][a-z\d+.-]*:\/\/[^\s/*A-Z]+)$/), 'origins, such as https://dashboard.example'),
  scheduler: rules.scheduler,
  random: rules.function,
};

const defaultLimits = {
  ...{ streamsPerUser: 20, streams: 2_000, scopesPerStream: 50, scopesPerUser: 100, scopes: 500 },
  ...{ bytesPerUser: 64 * 2 ** 20, windowLimit: 1_000, reviewsPerSecond: 100 },
};
const loopback = ['localhost', '127.0.0.1', '[::1]'];
const nobody: Authorizer = { review: () => of(false) };

function checkSources(sources: RelaySources): void {
  for (const [name, source] of Object.entries(sources)) {
    checkOptions<object>(`createRelay.sources.${name}`, source, {
      collection: rules.required(rules.object),
      resource: rules.object,
      inputs: rules.listOf(rules.nonEmptyString, 'names'),
      fields: rules.either(rules.oneOf('all'), rules.listOf(rules.nonEmptyString, 'paths')),
    });
    if (!(collectionPort in source.collection))
      throw new TypeError(`Expected \`collection\` of \`sources.${name}\` to be an informer or a view`);
    if ('resource' in source === 'inputs' in source)
      throw new TypeError(`Expected \`sources.${name}\` to have either \`resource\` or \`inputs\``);
  }
}

/** Pages, messages and the inspector tell collections apart by their names. */
function checkNames(sources: RelaySources): void {
  const known = new Map<string, readonly [place: string, collection: Collection<never>]>();
  for (const [name, { collection }] of Object.entries(sources)) {
    for (const each of madeOf(collection)) {
      const place = each === untyped(collection) ? `sources.${name}` : `an input of sources.${name}`;
      const [otherPlace, other] = entryOf(known, each.name, () => [place, each] as const);
      if (other !== each)
        throw new TypeError(
          `Expected the collections of \`sources\` and their inputs to have names of their own, got ${JSON.stringify(each.name)} for ${otherPlace} and for ${place}: give one of them a \`name\``,
        );
    }
  }
}

function once<T>(given: T | ObservableInput<T>): Observable<T> {
  const isInput =
    isObservable(given) || (typeof given === 'object' && given !== null && ('then' in given || Symbol.asyncIterator in given));
  return isInput ? from(given) : of(given as T);
}

/**
 * Makes a relay: one cache for any number of pages, each of which sees what its user may see.
 *
 * ```text
 * API server   one watch per kind
 * relay        informers, views -> a log for each scope -> cursors
 * pages        one stream each: rows, rights, health; resumed at any replica
 * ```
 *
 * - Only a position in a log is stored per page, so a slow or sleeping page costs and misses nothing.
 * - Of a kind, a user sees the namespaces in which the user may list and watch it; of a view, the values computed only from objects that the user may see. When a
 *   permission is revoked, its objects are removed while the stream continues; when one is granted, they are added.
 * - A stream ends when the credentials expire, and is resumed with new ones without a loss.
 * - A request must come from a page of the relay's own origin or of `origins`, with a Host in `hosts` and a header that only scripts can set.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { accessReviews, createRelay } from '@rx-informer/relay';
 *
 * const client = createClient();
 * const { pods } = resources.core.v1;
 * const relay = createRelay({
 *   sources: { pods: { collection: createInformer(client, pods), resource: pods } },
 *   authenticate: ({ headers }) => {
 *     const name = headers.get('x-forwarded-user');
 *     return name === null ? undefined : { name, groups: headers.get('x-forwarded-groups')?.split(',') };
 *   },
 *   authorize: accessReviews(client),
 *   hosts: ['dashboard.example'],
 * });
 * createServer((request, response) => relay.handle(request, response)).listen(8080);
 * ```
 *
 * @throws TypeError when an option is wrong.
 */
export function createRelay<S extends RelaySources>(options: RelayOptions<S>): Relay<S> {
  checkOptions('createRelay', options, optionRules);
  const { sources, authenticate, authorize = nobody, limits = {}, audit = () => undefined, hosts = loopback, origins = [] } = options;
  checkOptions('createRelay.limits', limits, limitRules);
  checkSources(sources);
  checkNames(sources);
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
  const core = new RelayCore({
    ...{ sources, authorizer: authorize, audit, guard: { hosts: hosts.map((host) => host.toLowerCase()), origins } },
    authenticate: (request) => defer(() => once(authenticate(request))),
    limits: { ...defaultLimits, ...given },
    scheduler: schedulerOf(options.scheduler),
    random: randomOf(options.random),
    sliceLength: 32_768,
    readersAtOnce: 50,
  });
  return {
    sources,
    handle: nodeHandler(core),
    fetch: fetchHandler(core),
    figures: () => core.figures(),
    stop: () => core.stop(),
  };
}
