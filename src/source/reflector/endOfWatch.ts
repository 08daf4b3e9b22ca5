import { type FailureKind, failureKind } from './failureKind.js';
import type { Memory, Next, Transition, Turn, WatchingState } from './state.js';
import { type Failure, tell } from './tell.js';

/** Internal errors further apart than this are no row. client-go's retry of internal errors has the same. */
const rowMs = 60_000;

function whatOf({ openedAt }: WatchingState, { context }: Turn<unknown>): string {
  return openedAt === undefined ? `Cannot watch ${context.source.resource}` : `The watch of ${context.source.resource} failed`;
}

/** Whether a watch is proof that the link is healthy, so that the next failure counts as the first: it brought an event, or was open for long enough. */
function provesHealth({ events, openedAt = Infinity }: WatchingState, { at, context }: Turn<unknown>): boolean {
  return events > 0 || at - openedAt >= context.settings.healthyWatchMs;
}

/** Whether it may be repeated at once, although it broke off: it was healthy, and brought news or lasted. */
function wasUseful(state: WatchingState, turn: Turn<unknown>): boolean {
  const { openedAt = Infinity, version, startVersion } = state;
  return provesHealth(state, turn) && (version !== startVersion || turn.at - openedAt >= turn.context.settings.veryShortWatchMs);
}

/** Watches on from the last version, at once. What was begun beside the watch goes on. */
function rewatch({ look, relistedFrom }: WatchingState, memory: Memory): Transition {
  return { type: 'begin', memory, next: { type: 'watch', look, relistedFrom } };
}

function later<T>({ relistedFrom }: WatchingState, memory: Memory, failure: Failure, next: Next, turn: Turn<T>): Transition {
  return tell.retryLater(turn, relistedFrom === undefined ? memory : { ...memory, relistAt: turn.at }, failure, next);
}

/** What is remembered of a failure. */
function noted(memory: Memory, kind: FailureKind, { at, context }: Turn<unknown>): Memory {
  switch (kind) {
    case 'decode':
      return { ...memory, undecodableVersion: memory.version };
    // A server that says that a version has expired is alive: what failed for want of a connection does not count any more.
    case 'expired':
      return { ...memory, failures: memory.failures - memory.connectionFailures, connectionFailures: 0 };
    case 'internal': {
      const { last } = memory.internalErrors;
      const since = at - last >= rowMs ? at : memory.internalErrors.since;
      const isWithin = at - since < context.settings.internalErrorRetryMs;
      return { ...memory, internalErrors: { since, last: isWithin ? at : -Infinity } };
    }
    default:
      return memory;
  }
}

/** What follows a failure: the same watch, or a list where that watch would be of no use. */
function nextAfter(kind: FailureKind, { openedAt, version, memory }: WatchingState, { internalErrors }: Memory): Next {
  const list: Next = { type: 'list', reason: kind === 'expired' ? 'expired' : 'error' };
  switch (kind) {
    case 'tooManyRequests':
    case 'credentials':
    case 'connection':
      return { type: 'watch' };
    case 'decode':
      return memory.undecodableVersion === version ? list : { type: 'watch' };
    case 'internal':
      return openedAt === undefined || internalErrors.last === -Infinity ? list : { type: 'watch' };
    default:
      return list;
  }
}

/** Decides what follows a watch: another one from the last version, or a list; at once, or after a wait. @internal */
export const endOfWatch = {
  /** The server closed it in an orderly way. */
  closed<T>(state: WatchingState, turn: Turn<T>): Transition {
    const { startedAt, events, version, startVersion, endsAt } = state;
    const lastedMs = turn.at - startedAt;
    // A clock is not so exact that a second would say anything.
    const memory = endOfWatch.settled(state, turn, turn.at + 1000 >= endsAt);
    // Events alone do not count: a server that repeats the same ones and closes would be asked again and again.
    if (lastedMs >= turn.context.settings.veryShortWatchMs || version !== startVersion) return rewatch(state, memory);
    const why = `the server closed it after ${Math.round(lastedMs)} ms, ${events === 0 ? 'before any event' : 'without any news'}`;
    const next: Next = events === 0 ? { type: 'list', reason: 'error' } : { type: 'watch' };
    return later(state, memory, { code: 'ERR_WATCH', what: whatOf(state, turn), why }, next, turn);
  },

  /** Nothing came for so long that the connection may be dead. */
  silent<T>(state: WatchingState, turn: Turn<T>): Transition {
    const memory = endOfWatch.settled(state, turn);
    if (state.openedAt !== undefined) return rewatch(state, memory);
    const why = `no sign of life for ${turn.at - state.startedAt} ms`;
    return later(state, memory, { code: 'ERR_WATCH_START', what: whatOf(state, turn), why, lost: true }, { type: 'watch' }, turn);
  },

  /** The request was refused, an ERROR event came, or the connection broke. */
  failed<T>(state: WatchingState, error: unknown, turn: Turn<T>): Transition {
    const kind = failureKind(error);
    const memory = noted(endOfWatch.settled(state, turn), kind, turn);
    const code = state.openedAt === undefined ? 'ERR_WATCH_START' : 'ERR_WATCH';
    const failure = tell.requestFailure(kind === 'expired' ? 'ERR_WATCH_EXPIRED' : code, whatOf(state, turn), error);
    if (kind !== 'connection' || !wasUseful(state, turn)) return later(state, memory, failure, nextAfter(kind, state, memory), turn);
    return rewatch(state, tell.failure(turn, memory, failure, { state: 'retrying', nextAttemptAt: turn.at }));
  },

  /**
   * What is remembered of a watch that is over.
   *
   * Unless the server ended it when it was asked to, another server may have taken its place, one that was restored from a backup: it is doubted
   * until its version has been looked at.
   */
  settled(state: WatchingState, turn: Turn<unknown>, onTime = false): Memory {
    const { memory, version, look } = state;
    const doubtedAt = look?.version ?? (onTime ? undefined : version);
    return { ...memory, version, doubtedAt, ...(provesHealth(state, turn) && { failures: 0, connectionFailures: 0 }) };
  },
};
