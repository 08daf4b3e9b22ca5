import { defer, noop, Observable, type SchedulerLike, type Subscriber, tap, timeout } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import { type ListMeta, resourceVersionOf } from '../../api/kubernetesObject.js';
import type { ListChunk, ListerWatcher, ListRequest } from '../../api/listerWatcher.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { follow, Trampoline } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';

/**
 * The events of a list in pages.
 *
 * - `items`: some objects, as they arrive.
 * - `restart`: the version of the first page has expired; drop the objects so far, all objects follow in one answer.
 * - `end`: the list is complete. `resourceVersion` is the first page's; `paginated`: there was more than one page.
 */
export type ListPagesEvent<T> =
  | { readonly type: 'items'; readonly items: readonly T[] }
  | { readonly type: 'restart'; readonly error: unknown }
  | { readonly type: 'end'; readonly resourceVersion: string; readonly paginated: boolean };

/** Options of {@link listPages}. */
export interface ListPagesOptions {
  /** The longest silence of each request, in milliseconds. @defaultValue Infinity */
  readonly timeoutMs?: number | undefined;
  /** Whether to list everything in one answer when the version of the first page has expired. @defaultValue true, as in client-go */
  readonly fullListIfExpired?: boolean | undefined;
  /** The clock of all timers. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/** What to do about a server that cannot be watched. @internal */
export const followByLists: string =
  'it can be followed by lists: `createInformer(pollSource((request) => client.list(resource, request), { periodMs: 30_000 }))`';

const withoutVersion = `the list came without a resourceVersion, so it cannot be watched from there; ${followByLists}`;

function expectList({ kind, apiVersion, items }: { readonly kind?: string; readonly apiVersion?: string; readonly items?: unknown }): void {
  const table = kind === 'Table' && (apiVersion === 'meta.k8s.io/v1' || apiVersion === 'meta.k8s.io/v1beta1');
  if (table) throw new Error(`Expected a list, got a Table of ${apiVersion}`);
  if (!Array.isArray(items)) throw new Error(`Expected a list with items, got ${typeof items} for them`);
}

const optionRules: OptionRules<ListPagesOptions> = {
  timeoutMs: rules.durationOf({ above: 0, infinite: true }),
  fullListIfExpired: rules.boolean,
  scheduler: rules.scheduler,
};

function answerTo<T>(
  source: Pick<ListerWatcher<T>, 'list'>,
  request: ListRequest,
  { timeoutMs = Infinity, scheduler }: ListPagesOptions,
): Observable<ListChunk<T>> {
  const answer = defer(() => source.list(request)).pipe(tap((chunk) => expectList(chunk)));
  if (timeoutMs === Infinity) return answer;
  const silent = () => {
    throw new Error(`No answer for ${timeoutMs} ms`);
  };
  return answer.pipe(timeout({ each: timeoutMs, scheduler: schedulerOf(scheduler), with: silent }));
}

type Answer<T> = (request: ListRequest) => Observable<ListChunk<T>>;

/** One list: sends the first request, then one for each further page. */
function list<T>(subscriber: Subscriber<ListPagesEvent<T>>, request: ListRequest, fullListIfExpired: boolean, answer: Answer<T>): void {
  const turns = new Trampoline();
  let page = 0;
  let restarted = false;
  let resourceVersion = '';

  const completed = (limit: number | undefined, metadata: ListMeta | undefined): void => {
    const token = metadata?.continue ?? '';
    if (page === 1) resourceVersion = resourceVersionOf({ metadata }) ?? '';
    if (token !== '') {
      ask(limit === undefined ? { continue: token } : { limit, continue: token });
    } else if (resourceVersion === '') {
      subscriber.error(new InformerError({ code: 'ERR_NO_RESOURCE_VERSION', message: withoutVersion }));
    } else {
      subscriber.next({ type: 'end', resourceVersion, paginated: page > 1 || restarted });
      subscriber.complete();
    }
  };

  const failed = (error: unknown): void => {
    const expired = error instanceof ApiError && error.reason === 'Expired';
    if (!expired || page === 1 || restarted || !fullListIfExpired) {
      subscriber.error(error);
      return;
    }
    page = 0;
    restarted = true;
    subscriber.next({ type: 'restart', error });
    ask({ ...request, limit: undefined });
  };

  /** Requests a page, without growing the stack when answers are synchronous. */
  const ask = (asked: ListRequest): void =>
    turns.run(() => {
      page += 1;
      let metadata: ListMeta | undefined;
      const next = (chunk: ListChunk<T>): void => {
        metadata = chunk.metadata ?? metadata;
        if (chunk.items.length > 0) subscriber.next({ type: 'items', items: chunk.items });
      };
      // `tap` makes an error of what is thrown where an answer cannot be read.
      const read$ = answer(asked).pipe(tap({ next, complete: () => completed(asked.limit, metadata) }));
      follow(read$, subscriber, { error: failed, complete: noop });
    });
  ask(request);
}

/**
 * Lists page by page, as one cold observable of the objects that arrive: no page is kept.
 *
 * ```text
 * list     (1c)|      (2)|        c: continue token
 * result   1          2(end|)
 * ```
 *
 * - Only the first request carries the requested version, all others the continue token. A page is requested when the one before has been emitted, so nothing
 *   is buffered; unsubscribing, or an error in an operator, ends the list there.
 * - When a token has expired (reason `Expired`, on page 2 or later), everything is listed in one answer at the requested version, unless
 *   `fullListIfExpired` is `false`.
 * - Fails with any other error, and when a list has no version.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, listPages } from 'rx-informer/pipeline';
 *
 * const pods = listerWatcher(createClient(), resources.core.v1.pods);
 * listPages(pods, { limit: 500 }).subscribe((event) => {
 *   if (event.type === 'items') for (const pod of event.items) console.log(pod.metadata?.name);
 * });
 * ```
 *
 * @throws TypeError when an option is wrong.
 * @see client-go's `tools/pager`
 */
export function listPages<T>(
  source: Pick<ListerWatcher<T>, 'list'>,
  request: ListRequest,
  options: ListPagesOptions = {},
): Observable<ListPagesEvent<T>> {
  checkOptions('listPages', options, optionRules);
  const { fullListIfExpired = true } = options;
  return new Observable((subscriber) => list(subscriber, request, fullListIfExpired, (asked) => answerTo(source, asked, options)));
}
