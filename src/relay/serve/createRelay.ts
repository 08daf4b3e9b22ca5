import type { IncomingMessage, ServerResponse } from 'node:http';
import { defer, from, isObservable, type Observable, type ObservableInput, of, type SchedulerLike } from 'rxjs';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { collectionPort } from '../../informer/collection.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { RelaySources } from '../log/relaySources.js';
import type { Authorizer, RelayUser } from '../rights/authorizer.js';
import { fetchHandler } from './fetchHandler.js';
import { nodeHandler } from './nodeHandler.js';
import { type RelayAuditEvent, RelayCore, type RelayFigures, type RelayLimits } from './relayCore.js';
import type { RelayRequest } from './requestChecks.js';

/** Options of {@link createRelay}. */
export interface RelayOptions {
  /** What pages may follow, by name: informers with their resources, and views with the names of their inputs. */
  readonly sources: RelaySources;
  /**
   * Who sends a request: the user, or `undefined` for nobody. Everything that decides over rights belongs into the answer: groups and extra too. A failure refuses the
   * request.
   */
  // eslint-disable-next-line rxjs-x/finnish -- a function
  readonly authenticate: (request: RelayRequest) => RelayUser | undefined | ObservableInput<RelayUser | undefined>;
  /** Decides what a user may see. Default: nobody sees anything; `accessReviews(client)` asks the API server. */
  readonly authorize?: Authorizer | undefined;
  /** Bounds, each with a default. */
  readonly limits?: RelayLimits | undefined;
  /** Gets what somebody may want to keep: who followed what, what was refused, what was revoked. */
  readonly audit?: ((event: RelayAuditEvent) => void) | undefined;
  /** The names by which pages reach the relay, without ports: others are refused, so that no foreign name can be bound to it. @defaultValue those of the loopback interface */
  readonly hosts?: readonly string[] | undefined;
  /** Other origins whose pages may follow the relay, for example `https://dashboard.example`. @defaultValue none but its own */
  readonly origins?: readonly string[] | undefined;
  /** The clock and all timers. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
  /** Chance, from 0 up to 1. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

/** One cache for many pages. */
export interface Relay {
  /** Answers a request of Node's `http` and `http2`, Express or Fastify (its raw request and reply). */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers a request as `fetch` knows it: Deno, Bun, Hono, service workers. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** What it has, and what it has done. */
  readonly figures: () => RelayFigures;
  /** Ends all streams: pages go on at another replica, or try again. */
  readonly stop: () => void;
}

const limitRules: OptionRules<RelayLimits> = {
  streamsPerUser: rules.number({ integer: true, min: 1 }),
  streams: rules.number({ integer: true, min: 1 }),
  scopesPerStream: rules.number({ integer: true, min: 1 }),
  scopes: rules.number({ integer: true, min: 1 }),
  windowLimit: rules.number({ integer: true, min: 1 }),
  reviewsPerSecond: rules.number({ min: 1 }),
};

const optionRules: OptionRules<RelayOptions> = {
  sources: rules.required(rules.object),
  authenticate: rules.required(rules.function),
  authorize: rules.withMethods('review'),
  limits: rules.object,
  audit: rules.function,
  hosts: rules.listOf(rules.nonEmptyString, 'names'),
  origins: rules.listOf(rules.nonEmptyString, 'origins'),
  scheduler: rules.scheduler,
  random: rules.function,
};

const defaultLimits = { streamsPerUser: 20, streams: 2_000, scopesPerStream: 50, scopes: 500, windowLimit: 1_000, reviewsPerSecond: 100 };
const loopback = ['localhost', '127.0.0.1', '[::1]'];
const nobody: Authorizer = { review: () => of(false) };

function checkSources(sources: RelaySources): void {
  for (const [name, source] of Object.entries(sources)) {
    checkOptions<object>(`createRelay.sources.${name}`, source, {
      collection: rules.required(rules.object),
      resource: rules.object,
      inputs: rules.listOf(rules.nonEmptyString, 'names'),
    });
    if (!(collectionPort in source.collection))
      throw new TypeError(`Expected \`collection\` of \`sources.${name}\` to be an informer or a view`);
    if ('resource' in source === 'inputs' in source)
      throw new TypeError(`Expected \`sources.${name}\` to have either \`resource\` or \`inputs\``);
  }
}

function once<T>(given: T | ObservableInput<T>): Observable<T> {
  const isInput =
    isObservable(given) || (typeof given === 'object' && given !== null && ('then' in given || Symbol.asyncIterator in given));
  return isInput ? from(given) : of(given as T);
}

/**
 * Makes a relay: one cache, and any number of pages that follow it, each of which sees what its user may see.
 *
 * ```text
 * API server   one watch per kind
 * relay        informers, views -> a log for each scope -> cursors
 * pages        one stream each: rows, rights, health; resumed at any replica
 * ```
 *
 * - Nothing is kept for a page but its position in a log, so a page that is slow, or asleep, costs and misses nothing.
 * - A user sees of a kind what the right to list and watch it allows, by namespace; of a view what the rights to everything that a value was made from allow. A right
 *   that is lost takes its objects away while the stream goes on, one that is granted brings them.
 * - A stream ends when the credentials do, and is resumed with others without a loss.
 * - A request must come from a page of the relay's own origin or of `origins`, by a name in `hosts`, with a header that only scripts can send.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http';
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { accessReviews, createRelay } from 'rx-informer/relay';
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
export function createRelay(options: RelayOptions): Relay {
  checkOptions('createRelay', options, optionRules);
  const { sources, authenticate, authorize = nobody, limits = {}, audit = () => undefined, hosts = loopback, origins = [] } = options;
  checkOptions('createRelay.limits', limits, limitRules);
  checkSources(sources);
  const given = Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
  const core = new RelayCore({
    ...{ sources, authorizer: authorize, audit, guard: { hosts: hosts.map((host) => host.toLowerCase()), origins } },
    authenticate: (request) => defer(() => once(authenticate(request))),
    limits: { ...defaultLimits, ...given },
    scheduler: schedulerOf(options.scheduler),
    random: options.random ?? Math.random,
    sliceLength: 32_768,
  });
  return {
    handle: nodeHandler(core),
    fetch: fetchHandler(core),
    figures: () => core.figures(),
    stop: () => core.stop(),
  };
}
