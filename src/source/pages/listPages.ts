import { asyncScheduler, Observable, type SchedulerLike, type Subscriber } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { ListMeta } from '../../api/kubernetesObject.js';
import type { ListChunk, ListerWatcher, ListRequest } from '../../api/listerWatcher.js';
import { Deadline } from '../reflector/deadline.js';
import { createRequestSlot } from '../reflector/requestSlot.js';
import { StepRunner } from '../reflector/stepRunner.js';

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

/**
 * Options of {@link listPages}.
 */
export interface ListPagesOptions {
  /** The longest silence of each request, in milliseconds. Default `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /** Whether everything is listed in one answer when the version of the first page has expired. Default `true`, as in client-go. */
  readonly fullListIfExpired?: boolean | undefined;
  /** The clock and all timers. Default `asyncScheduler`. */
  readonly scheduler?: SchedulerLike | undefined;
}

function problemOf(chunk: { readonly kind?: string; readonly apiVersion?: string; readonly items?: unknown }): string | undefined {
  const table = chunk.kind === 'Table' && (chunk.apiVersion === 'meta.k8s.io/v1' || chunk.apiVersion === 'meta.k8s.io/v1beta1');
  if (table) return `Expected a list, got a Table of ${chunk.apiVersion}`;
  return Array.isArray(chunk.items) ? undefined : `Expected a list with items, got ${typeof chunk.items} for them`;
}

/** One list under way. */
class Pager<T> {
  private readonly subscriber: Subscriber<ListPagesEvent<T>>;
  private readonly source: Pick<ListerWatcher<T>, 'list'>;
  private readonly request: ListRequest;
  private readonly timeoutMs: number;
  private readonly fullListIfExpired: boolean;
  private readonly steps: StepRunner;
  private readonly slot = createRequestSlot();
  private readonly deadline: Deadline;
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
    const { timeoutMs = Infinity, fullListIfExpired = true, scheduler = asyncScheduler } = options;
    this.timeoutMs = timeoutMs;
    this.fullListIfExpired = fullListIfExpired;
    this.steps = new StepRunner(scheduler);
    this.deadline = new Deadline(scheduler, () => this.subscriber.error(new Error(`No answer for ${this.timeoutMs} ms`)));
  }

  start(): void {
    this.ask(this.request);
  }

  stop(): void {
    this.steps.stop();
    this.slot.stop();
    this.deadline.clear();
  }

  private ask(request: ListRequest): void {
    this.steps.run(() => {
      this.page += 1;
      this.metadata = undefined;
      this.deadline.set(this.timeoutMs);
      this.slot.start(() => this.source.list(request), {
        next: (chunk) => this.received(chunk),
        error: (error) => this.failed(error),
        complete: () => this.completed(request.limit),
      });
    });
  }

  private received(chunk: ListChunk<T>): void {
    this.deadline.set(this.timeoutMs);
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
    if (!expired || this.page === 1 || this.restarted || !this.fullListIfExpired) {
      this.subscriber.error(error);
      return;
    }
    this.page = 0;
    this.restarted = true;
    this.subscriber.next({ type: 'restart', error });
    this.ask({ ...this.request, limit: undefined });
  }
}

function check({ timeoutMs, fullListIfExpired }: ListPagesOptions): void {
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    throw new TypeError(`Expected \`timeoutMs\` to be a number of milliseconds > 0, got ${String(timeoutMs)}`);
  }
  if (fullListIfExpired !== undefined && typeof fullListIfExpired !== 'boolean') {
    throw new TypeError(`Expected \`fullListIfExpired\` to be a boolean, got ${typeof fullListIfExpired}`);
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
  check(options);
  return new Observable((subscriber) => {
    const pager = new Pager(subscriber, source, request, options);
    subscriber.add(() => pager.stop());
    pager.start();
  });
}
