import { defer, Observable, type SchedulerLike, Subject, type Subscriber, takeUntil, timeout } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { ListMeta } from '../../api/kubernetesObject.js';
import type { ListChunk, ListerWatcher, ListRequest } from '../../api/listerWatcher.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { Trampoline } from '../../rx/trampoline.js';
import { schedulerOf } from '../../rx/schedulerOf.js';

/**
 * What a list in pages brings.
 *
 * - `items`: some objects, as they arrive.
 * - `restart`: the server no longer keeps the version of the first page; what came so far does not count, everything comes again in one answer.
 * - `end`: the list is complete. `resourceVersion` is the first page's; `paginated`: there was more than one page.
 */
export type ListPagesEvent<T> =
  | { readonly type: 'items'; readonly items: readonly T[] }
  | { readonly type: 'restart'; readonly error: unknown }
  | { readonly type: 'end'; readonly resourceVersion: string; readonly paginated: boolean };

/** Options of {@link listPages}. */
export interface ListPagesOptions {
  /** The longest silence of each request, in milliseconds. Default `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /** Whether everything is listed in one answer when the version of the first page has expired. Default `true`, as in client-go. */
  readonly fullListIfExpired?: boolean | undefined;
  /** The clock and all timers. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

function problemOf(chunk: { readonly kind?: string; readonly apiVersion?: string; readonly items?: unknown }): string | undefined {
  const table = chunk.kind === 'Table' && (chunk.apiVersion === 'meta.k8s.io/v1' || chunk.apiVersion === 'meta.k8s.io/v1beta1');
  if (table) return `Expected a list, got a Table of ${chunk.apiVersion}`;
  return Array.isArray(chunk.items) ? undefined : `Expected a list with items, got ${typeof chunk.items} for them`;
}

const optionRules: OptionRules<ListPagesOptions> = {
  timeoutMs: rules.durationOf({ above: 0, infinite: true }),
  fullListIfExpired: rules.boolean,
  scheduler: rules.scheduler,
};

/** One list under way. */
class Pager<T> {
  private readonly subscriber: Subscriber<ListPagesEvent<T>>;
  private readonly source: Pick<ListerWatcher<T>, 'list'>;
  private readonly request: ListRequest;
  private readonly options: ListPagesOptions;
  private readonly stopped$ = new Subject<void>();
  private readonly turns = new Trampoline();
  private page = 0;
  private restarted = false;
  private resourceVersion = '';
  /** Of the request under way: the last metadata that came. */
  private metadata: ListMeta | undefined;

  constructor(
    subscriber: Subscriber<ListPagesEvent<T>>,
    source: Pick<ListerWatcher<T>, 'list'>,
    request: ListRequest,
    options: ListPagesOptions,
  ) {
    this.subscriber = subscriber;
    this.source = source;
    this.request = request;
    this.options = options;
  }

  start(): void {
    this.ask(this.request);
  }

  stop(): void {
    this.stopped$.next();
  }

  /** Sends a request. Answers that come at once do not grow the stack. */
  private ask(request: ListRequest): void {
    this.turns.run(() => {
      if (!this.subscriber.closed) this.send(request);
    });
  }

  private send(request: ListRequest): void {
    this.page += 1;
    this.metadata = undefined;
    this.answerTo(request)
      .pipe(takeUntil(this.stopped$))
      .subscribe({
        next: (chunk) => this.received(chunk),
        error: (error: unknown) => this.failed(error),
        complete: () => {
          if (!this.subscriber.closed) this.completed(request.limit);
        },
      });
  }

  private answerTo(request: ListRequest): Observable<ListChunk<T>> {
    const { timeoutMs = Infinity, scheduler } = this.options;
    const answer = defer(() => this.source.list(request));
    if (timeoutMs === Infinity) return answer;
    const silent = () => {
      throw new Error(`No answer for ${timeoutMs} ms`);
    };
    return answer.pipe(timeout({ each: timeoutMs, scheduler: schedulerOf(scheduler), with: silent }));
  }

  private received(chunk: ListChunk<T>): void {
    const problem = problemOf(chunk);
    if (problem !== undefined) {
      this.subscriber.error(new Error(problem));
      return;
    }
    if (chunk.metadata !== undefined) this.metadata = chunk.metadata;
    if (chunk.items.length > 0) this.subscriber.next({ type: 'items', items: chunk.items });
  }

  private completed(limit: number | undefined): void {
    const token = this.metadata?.continue ?? '';
    if (this.page === 1) this.resourceVersion = this.metadata?.resourceVersion ?? '';
    if (token !== '') {
      this.ask(limit === undefined ? { continue: token } : { limit, continue: token });
    } else if (this.resourceVersion === '') {
      this.subscriber.error(new InformerError({ code: 'ERR_NO_RESOURCE_VERSION', message: 'the list came without a resourceVersion' }));
    } else {
      this.subscriber.next({ type: 'end', resourceVersion: this.resourceVersion, paginated: this.page > 1 || this.restarted });
      this.subscriber.complete();
    }
  }

  private failed(error: unknown): void {
    const expired = error instanceof ApiError && error.reason === 'Expired';
    const { fullListIfExpired = true } = this.options;
    if (!expired || this.page === 1 || this.restarted || !fullListIfExpired) {
      this.subscriber.error(error);
      return;
    }
    this.page = 0;
    this.restarted = true;
    this.subscriber.next({ type: 'restart', error });
    this.ask({ ...this.request, limit: undefined });
  }
}

/**
 * Lists page by page, as one cold observable of the objects that arrive: no page is kept.
 *
 * ```text
 * list     (1c)|      (2)|        c: continue token
 * result   1          2(end|)
 * ```
 *
 * - Only the first request carries the version asked for, the others the token. The next page is asked for when the one before has been handed
 *   over, so nothing waits in between; who unsubscribes, or throws in an operator, ends it there.
 * - When a token has expired (reason `Expired`, not before page 2), everything is listed in one answer at the version asked for, unless
 *   `fullListIfExpired` is `false`.
 * - Any other failure is the observable's, and so is a list without a version.
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
  return new Observable((subscriber) => {
    const pager = new Pager(subscriber, source, request, options);
    subscriber.add(() => pager.stop());
    pager.start();
  });
}
