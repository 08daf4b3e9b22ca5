import {
  ApiError,
  isExpired,
  isForbidden,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
} from '../../api/errors/apiError.js';
import { defaults } from '../../api/defaults.js';
import { errorOf as asError, InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import type { InitReason, LinkState, SourceEvent } from '../../api/events.js';
import { type KubernetesObject, resourceVersionOf } from '../../api/kubernetesObject.js';
import { followByLists } from '../pages/listPages.js';
import type { Context, Memory, Next, Transition, Turn } from './state.js';

/**
 * The kinds of failed lists and watches, which decide the next step.
 *
 * - `connection`: no answer from the server: refused, reset, timed out.
 * - `credentials`: no request was sent, because the credentials failed.
 * - `decode`: the answer violates the protocol.
 * - `unsupported`: the server does not understand the request.
 * - `refused`: any other error answer.
 *
 * @internal
 */
export type FailureKind =
  | 'expired'
  | 'tooLargeResourceVersion'
  | 'tooManyRequests'
  | 'unauthorized'
  | 'notServed'
  | 'unsupported'
  | 'refused'
  | 'decode'
  | 'credentials'
  | 'connection';

/** The status codes of servers that do not understand a request. */
const unsupportedCodes: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null | undefined)?.code;

/** Classifies a failure. @internal */
export function failureKind(error: unknown): FailureKind {
  if (codeOf(error) === 'ERR_DECODE' || error instanceof SyntaxError) return 'decode';
  if (error instanceof InformerError) return 'refused';
  if (!(error instanceof ApiError)) return codeOf(error) === 'ERR_CREDENTIALS' ? 'credentials' : 'connection';
  if (isTooManyRequests(error)) return 'tooManyRequests';
  if (isExpired(error)) return 'expired';
  if (isTooLargeResourceVersion(error)) return 'tooLargeResourceVersion';
  if (isUnauthorized(error)) return 'unauthorized';
  if (isNotFound(error)) return 'notServed';
  return unsupportedCodes.has(error.code) ? 'unsupported' : 'refused';
}

/** A failure that can be classified: an unreadable one, for example a proxy that throws, is replaced. @internal */
export function readable(failure: unknown): unknown {
  try {
    failureKind(failure);
    return failure;
  } catch {
    return asError(failure);
  }
}

/** The data of an error to report. @internal */
export interface Failure {
  readonly code: InformerErrorCode;
  readonly what: string;
  /** The reason in words, if there is no error. */
  readonly why?: string | undefined;
  readonly cause?: unknown;
  /** Whether there was no connection, or it broke. */
  readonly lost?: boolean;
}

/** The codes of connections that could not be made, or broke. A wrong certificate or name is no such thing: that does not pass by itself. */
const lostCodes: ReadonlySet<unknown> = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ERR_TIMEOUT'.split(' '),
);

const errorCodes: Partial<Record<FailureKind, InformerErrorCode>> = {
  credentials: 'ERR_AUTH',
  unauthorized: 'ERR_AUTH',
  notServed: 'ERR_NOT_SERVED',
  decode: 'ERR_DECODE',
};

/** A hint for a 403 or 405: what happens next, or what helps. */
function hintOf({ code, cause }: Failure, { namespaced = false, scope = '' }: Context['source']): string {
  if (cause instanceof ApiError && cause.code === 405) return code === 'ERR_LIST' ? '' : `; ${followByLists}`;
  if (!isForbidden(cause)) return '';
  // The list succeeded, so listing again works.
  if (code === 'ERR_WATCH_START') return '; the resource may be listed but not watched, so it is listed again after a backoff';
  return code === 'ERR_LIST' && namespaced && scope === '' ? '; `permittedNamespaces` follows the namespaces that may be read' : '';
}

function errorOf(failure: Failure, source: Context['source'], attempt?: number): InformerError {
  const { code, what, why, cause } = failure;
  const { resource } = source;
  const reason = why ?? (cause instanceof Error ? `${cause.message}${hintOf(failure, source)}` : undefined);
  return new InformerError({
    code: cause instanceof InformerError ? cause.code : code,
    message: reason === undefined ? what : `${what}: ${reason}`,
    cause,
    resource,
    attempt,
  });
}

function scopeOf({ source }: Context): { readonly scope?: string } {
  return source.scope === undefined || source.scope === '' ? {} : { scope: source.scope };
}

/**
 * The delay before the next attempt, after `attempt` failures (from 1) and `connectionFailures` failures to connect among them.
 *
 * - A Retry-After of the server takes the place of the backoff, as it knows better when it can answer; jitter is added, a tenth of the first delay at most. It is
 *   limited: no header may silence a source for hours.
 * - Connecting costs a server nothing that does not answer, so the first attempts to connect come soon. The backoff begins after them.
 */
function waitAfter(attempt: number, connectionFailures: number, { cause, lost = false }: Failure, { settings }: Context): number {
  const { initialMs, maxMs, factor, jitter } = settings.backoff;
  const asked = cause instanceof ApiError ? Math.min(cause.retryAfterMs ?? 0, defaults.maxRetryAfterMs) : 0;
  const more = jitter * settings.random();
  if (asked > 0) return asked + (Math.min(asked, initialMs) / 10) * more;
  const soon = Math.min(connectionFailures, settings.connectionRetries);
  if (lost && soon > 0 && soon === connectionFailures) return (initialMs / 2) * (1 + more);
  return Math.min(maxMs, initialMs * factor ** Math.max(0, attempt - soon - 1)) * (1 + more);
}

/** Emits events of a step, and updates the memory accordingly. @internal */
export const report = {
  emit<T>({ effects }: Turn<T>, event: SourceEvent<T>): void {
    effects.push({ do: 'emit', event });
  },

  init<T>(turn: Turn<T>, reason: InitReason, { version }: Memory): void {
    const { scope = '' } = turn.context.source;
    report.emit(turn, { type: 'init', scope, reason: version === '' ? 'first' : reason, previousResourceVersion: version });
  },

  ready<T>(turn: Turn<T>, resourceVersion: string): void {
    report.emit(turn, { type: 'ready', scope: turn.context.source.scope ?? '', resourceVersion });
  },

  page<T>(turn: Turn<T>, items: readonly T[]): void {
    report.emit(turn, { type: 'page', ...scopeOf(turn.context), items });
  },

  bookmark<T>(turn: Turn<T>, resourceVersion: string): void {
    report.emit(turn, { type: 'bookmark', ...scopeOf(turn.context), resourceVersion });
  },

  /** Emits the link state if it has changed. */
  link<T>(turn: Turn<T>, memory: Memory, state: LinkState): Memory {
    if (memory.link === state) return memory;
    report.emit(turn, { type: 'status', ...scopeOf(turn.context), state });
    return { ...memory, link: state };
  },

  /** The failure of a request; `code` applies unless the cause has a code of its own. */
  requestFailure(code: InformerErrorCode, what: string, cause: unknown): Failure {
    // What cannot be asked for matters less than why nothing can. The error says all that its cause would: it is printed once.
    if (codeOf(cause) === 'ERR_KUBECONFIG') return { code: 'ERR_KUBECONFIG', what: messageOf(cause) };
    return { code: errorCodes[failureKind(cause)] ?? code, what, cause, lost: lostCodes.has(codeOf(cause)) };
  },

  /** Emits a failure, and the link state after it. */
  failure<T>(
    turn: Turn<T>,
    memory: Memory,
    failure: Failure,
    { state = memory.link ?? 'listing', ...next }: { state?: LinkState; attempt?: number; nextAttemptAt?: number } = {},
  ): Memory {
    const error = errorOf(failure, turn.context.source, next.attempt);
    report.emit(turn, { type: 'status', ...scopeOf(turn.context), state, error, ...next });
    return { ...memory, link: state };
  },

  /** Emits the failure of a malformed watch line. */
  oddLine<T>(turn: Turn<T>, memory: Memory, code: InformerErrorCode, why: string): Memory {
    return report.failure(turn, memory, { code, what: `Watching ${turn.context.source.resource}`, why });
  },

  /** Emits a failure if the object has no version. */
  missingVersion<T>(turn: Turn<T>, memory: Memory, { type, object }: { readonly type: string; readonly object: KubernetesObject }): Memory {
    if (resourceVersionOf(object) !== undefined) return memory;
    const { namespace = '', name = '' } = object.metadata ?? {};
    return report.oddLine(turn, memory, 'ERR_NO_RESOURCE_VERSION', `${type} of ${namespace}/${name} came without a resourceVersion`);
  },

  /** Emits a failure with the time of the next attempt; returns that time. `lost` is the number of failures to connect. */
  retry<T>(
    turn: Turn<T>,
    memory: Memory,
    failure: Failure,
    attempt: number,
    lost = 0,
  ): { readonly memory: Memory; readonly dueAt: number } {
    const dueAt = turn.at + waitAfter(attempt, lost, failure, turn.context);
    return { memory: report.failure(turn, memory, failure, { state: 'retrying', attempt, nextAttemptAt: dueAt }), dueAt };
  },

  /** Emits a failure, ends every request and waits. */
  retryLater<T>(turn: Turn<T>, before: Memory, failure: Failure, next: Next): Transition {
    const failures = before.failures + 1;
    const connectionFailures = before.connectionFailures + (failure.lost === true ? 1 : 0);
    turn.effects.push({ do: 'leave' });
    const { memory, dueAt } = report.retry(turn, { ...before, failures, connectionFailures }, failure, failures, connectionFailures);
    return { type: 'waiting', memory, dueAt, next };
  },
};
