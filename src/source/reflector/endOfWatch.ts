import type { InformerErrorCode } from '../../api/errors/informerError.js';
import type { InitReason } from '../../api/events/sourceEvent.js';
import { failureKind } from './failureKind.js';
import type { Memory, Outcome, Turn, WatchingState } from './state.js';
import { tell } from './tell.js';

/**
 * How a watch came to its end.
 *
 * - `closed`: the server closed it in an orderly way.
 * - `silent`: nothing came for so long that the connection may be dead.
 * - `unopened`: there was no sign of life at all.
 * - `failed`: the request was refused, an ERROR event came, or the connection broke.
 */
interface WatchEnd {
  readonly type: 'closed' | 'silent' | 'unopened' | 'failed';
  readonly error?: unknown;
}

/** What follows it: watch again from the last version, or list; at once, or after a backoff; and what to tell, if anything went wrong. */
interface AfterWatch {
  readonly next: 'watch' | 'list';
  readonly wait: boolean;
  readonly reason?: InitReason;
  readonly code?: InformerErrorCode;
  readonly why?: string;
}

/** Internal errors further apart than this are no row. client-go's retry of internal errors has the same. */
const rowMs = 60_000;

const rewatch: AfterWatch = { next: 'watch', wait: false };

/** Takes note of an internal error; whether it is worth another watch. */
function internalError({ internalErrors }: Memory, { at, context }: Turn<unknown>): [retry: boolean, Memory['internalErrors']] {
  const since = at - internalErrors.last >= rowMs ? at : internalErrors.since;
  const retry = at - since < context.settings.internalErrorRetryMs;
  return [retry, { since, last: retry ? at : -Infinity }];
}

function afterClose({ startedAt, events, version, startVersion }: WatchingState, { at, context }: Turn<unknown>): AfterWatch {
  const lastedMs = at - startedAt;
  if (lastedMs >= context.settings.veryShortWatchMs) return rewatch;
  if (events === 0) {
    const why = `the server closed it after ${Math.round(lastedMs)} ms, before any event`;
    return { next: 'list', wait: true, code: 'ERR_WATCH', why };
  }
  // Without this, a server that repeats the same events and closes would be asked again and again.
  if (version !== startVersion) return rewatch;
  return { next: 'watch', wait: true, code: 'ERR_WATCH', why: `the server closed it after ${Math.round(lastedMs)} ms, without any news` };
}

function afterFailure(state: WatchingState, error: unknown, retryInternal: boolean, turn: Turn<unknown>): AfterWatch {
  const { openedAt, version, startVersion, memory } = state;
  const code = openedAt === undefined ? 'ERR_WATCH_START' : 'ERR_WATCH';
  switch (failureKind(error)) {
    case 'expired':
      return { next: 'list', wait: true, code: 'ERR_WATCH_EXPIRED', reason: 'expired' };
    case 'tooManyRequests':
      return { next: 'watch', wait: true, code };
    case 'credentials':
      return { next: 'watch', wait: true, code: 'ERR_AUTH' };
    case 'unauthorized':
      return { next: 'list', wait: true, code: 'ERR_AUTH' };
    case 'notServed':
      return { next: 'list', wait: true, code: 'ERR_NOT_SERVED' };
    case 'decode':
      return { next: memory.undecodableVersion === version ? 'list' : 'watch', wait: true, code: 'ERR_DECODE' };
    case 'connection': {
      const lasted = openedAt !== undefined && turn.at - openedAt >= turn.context.settings.veryShortWatchMs;
      const healthy = provesHealth(state, turn) && (version !== startVersion || lasted);
      return { next: 'watch', wait: !healthy, code };
    }
    case 'internal':
      return { next: openedAt !== undefined && retryInternal ? 'watch' : 'list', wait: true, code };
    default:
      return { next: 'list', wait: true, code };
  }
}

function afterWatch(state: WatchingState, end: WatchEnd, retryInternal: boolean, turn: Turn<unknown>): AfterWatch {
  switch (end.type) {
    case 'closed':
      return afterClose(state, turn);
    case 'silent':
      return rewatch;
    case 'unopened':
      return { next: 'watch', wait: true, code: 'ERR_WATCH_START', why: `no sign of life for ${turn.at - state.startedAt} ms` };
    case 'failed':
      return afterFailure(state, end.error, retryInternal, turn);
  }
}

/** Decides what follows a watch: another one from the last version, or a list; at once, or after a wait. @internal */
export function endOfWatch<T>(state: WatchingState, end: WatchEnd, turn: Turn<T>): Outcome {
  // A clock is not so exact that a second would say anything.
  const memory = settled(state, turn, end.type === 'closed' && turn.at + 1000 >= state.endsAt);
  const { error: cause } = end;
  const kind = end.type === 'failed' ? failureKind(cause) : undefined;
  const [retryInternal, internalErrors] = kind === 'internal' ? internalError(memory, turn) : [false, memory.internalErrors];
  const after = afterWatch(state, end, retryInternal, turn);
  const { look, relistedFrom } = state;
  if (after.code === undefined) return { type: 'begin', memory, next: { type: 'watch', look, relistedFrom } };

  const what =
    state.openedAt === undefined ? `Cannot watch ${turn.context.source.resource}` : `The watch of ${turn.context.source.resource} failed`;
  const lost = end.type === 'unopened' || kind === 'connection';
  const failure = { code: after.code, what, why: after.why, cause, lost };
  const noted = { ...memory, internalErrors, ...(after.code === 'ERR_DECODE' && { undecodableVersion: memory.version }) };
  if (!after.wait) {
    const told = tell.failure(turn, noted, failure, { state: 'retrying', nextAttemptAt: turn.at });
    return { type: 'begin', memory: told, next: { type: 'watch', look, relistedFrom } };
  }
  // A server that says that a version has expired is alive: what failed for want of a connection does not count any more.
  const failures = noted.failures - (kind === 'expired' ? noted.connectionFailures : 0);
  const counted = { ...noted, failures, ...(kind === 'expired' && { connectionFailures: 0 }) };
  const due = relistedFrom === undefined ? counted : { ...counted, relistAt: turn.at };
  const next = after.next === 'watch' ? ({ type: 'watch' } as const) : ({ type: 'list', reason: after.reason ?? 'error' } as const);
  return tell.retryLater(turn, due, failure, next);
}

/** Whether a watch is proof that the link is healthy, so that the next failure counts as the first: it brought an event, or was open for long enough. */
function provesHealth({ events, openedAt = Infinity }: WatchingState, { at, context }: Turn<unknown>): boolean {
  return events > 0 || at - openedAt >= context.settings.healthyWatchMs;
}

/**
 * What is remembered of a watch that is over.
 *
 * - It may be proof of health: the next failure counts as the first.
 * - Unless the server ended it when it was asked to, another server may have taken its place, one that was restored from a backup: it is doubted
 *   until its version has been looked at.
 *
 * @internal
 */
export function settled(state: WatchingState, turn: Turn<unknown>, onTime = false): Memory {
  const { memory, version, look } = state;
  const doubtedAt = look?.version ?? (onTime ? undefined : version);
  return { ...memory, version, doubtedAt, ...(provesHealth(state, turn) && { failures: 0, connectionFailures: 0 }) };
}
