import type { SchedulerLike, Subscriber } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import type { InitReason, LinkState, SourceEvent } from '../../api/events/sourceEvent.js';
import { backoffDelay } from './backoffDelay.js';
import type { ReflectSettings } from './reflectOptions.js';

/**
 * Something that went wrong, before it is an error with a code.
 *
 * @internal
 */
export interface Failure {
  readonly code: InformerErrorCode;
  readonly message: string;
  readonly cause?: unknown;
}

/**
 * Names what failed, and why: by an error, or in words.
 *
 * @internal
 */
export function failureOf(code: InformerErrorCode, what: string, cause: unknown): Failure {
  if (typeof cause === 'string') return { code, message: `${what}: ${cause}` };
  const message = cause instanceof Error ? `${what}: ${cause.message}` : what;
  return { code: cause instanceof InformerError ? cause.code : code, message, cause };
}

/**
 * The way of one session to its subscriber: knows the scope, the state of the link and what `onError` said.
 *
 * @internal
 */
export class SourceOutput<T> {
  /** How many attempts in a row have failed. */
  failures = 0;
  private state: LinkState | undefined;
  private readonly subscriber: Subscriber<SourceEvent<T>>;
  private readonly scope: { readonly scope?: string };
  private readonly resource: string;
  private readonly settings: ReflectSettings;
  private readonly scheduler: SchedulerLike;

  constructor(
    subscriber: Subscriber<SourceEvent<T>>,
    source: { readonly scope?: string; readonly resource?: string },
    settings: ReflectSettings,
  ) {
    this.subscriber = subscriber;
    this.scope = source.scope === undefined || source.scope === '' ? {} : { scope: source.scope };
    this.resource = source.resource ?? 'objects';
    this.settings = settings;
    this.scheduler = settings.scheduler;
  }

  init(reason: InitReason, previousResourceVersion: string): void {
    this.subscriber.next({ type: 'init', scope: this.scope.scope ?? '', reason, previousResourceVersion });
  }

  page(items: readonly T[]): void {
    this.subscriber.next({ type: 'page', ...this.scope, items });
  }

  ready(resourceVersion: string): void {
    this.subscriber.next({ type: 'ready', scope: this.scope.scope ?? '', resourceVersion });
  }

  change(type: 'added' | 'modified' | 'deleted', object: T, resourceVersion: string): void {
    this.subscriber.next(
      this.scope.scope === undefined ? { type, object, resourceVersion } : { type, scope: this.scope.scope, object, resourceVersion },
    );
  }

  bookmark(resourceVersion: string): void {
    this.subscriber.next({ type: 'bookmark', ...this.scope, resourceVersion });
  }

  /** Tells the state of the link, if it is another one. */
  link(state: LinkState): void {
    if (this.state === state) return;
    this.state = state;
    this.subscriber.next({ type: 'status', ...this.scope, state });
  }

  /** Tells a failure that does not change what happens next. */
  report(failure: Failure, state: LinkState = this.state ?? 'listing'): void {
    this.state = state;
    this.fail(this.errorOf(failure), {});
  }

  /** Tells a failure after which the next attempt begins at once. */
  retryNow(failure: Failure): void {
    this.state = 'retrying';
    this.fail(this.errorOf(failure), { nextAttemptAt: this.scheduler.now() });
  }

  /** Tells a failure, and says how long to wait for the next attempt. */
  retryLater(failure: Failure): number {
    this.failures += 1;
    const { cause } = failure;
    const { backoff, random } = this.settings;
    const delay = backoffDelay(this.failures, backoff, random, cause instanceof ApiError ? cause.retryAfterMs : undefined);
    this.state = 'retrying';
    this.fail(this.errorOf(failure, this.failures), { attempt: this.failures, nextAttemptAt: this.scheduler.now() + delay });
    return delay;
  }

  private errorOf({ code, message, cause }: Failure, attempt?: number): InformerError {
    return new InformerError({ code, message, cause, resource: this.resource, attempt });
  }

  private fail(error: InformerError, details: { readonly attempt?: number; readonly nextAttemptAt?: number }): void {
    this.subscriber.next({ type: 'status', ...this.scope, state: this.state ?? 'listing', error, ...details });
    if (this.subscriber.closed) return;
    try {
      if (this.settings.onError(error) === 'stop') this.subscriber.error(error);
    } catch (thrown) {
      this.subscriber.error(thrown);
    }
  }
}
