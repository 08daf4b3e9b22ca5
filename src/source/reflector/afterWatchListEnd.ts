import type { InformerErrorCode } from '../../api/errors/informerError.js';
import { classifyFailure } from './classifyFailure.js';
import type { WatchEnd, WatchFacts } from './watchEnd.js';

/**
 * What to do after a streamed list that ended before it was complete.
 *
 * - `restart`: stream it again, at once.
 * - `mostRecent`: stream it again, at once, without asking for a version.
 * - `later`: stream it again after a backoff.
 * - `list`: LIST instead, at once. `remember`: the server cannot stream lists, do not try again for a while.
 *
 * @internal
 */
export interface AfterWatchList {
  readonly next: 'restart' | 'mostRecent' | 'later' | 'list';
  readonly remember: boolean;
  readonly code: InformerErrorCode;
  /** What to say when there is no error that says it. */
  readonly why?: string;
}

/**
 * What the decision depends on besides the watch itself.
 *
 * @internal
 */
export interface AfterWatchListContext {
  readonly veryShortWatchMs: number;
  /** The version asked for. */
  readonly resourceVersion: string;
  /** This list was restarted before: once is enough, a long list over a short-lived connection would never end. */
  readonly restarted: boolean;
  /** A LIST is out of the question. */
  readonly mustStream: boolean;
}

function step(next: AfterWatchList['next'], code: InformerErrorCode = 'ERR_WATCH_LIST', why?: string): AfterWatchList {
  return { next, remember: false, code, ...(why !== undefined && { why }) };
}

function afterFailure(error: unknown, facts: WatchFacts, context: AfterWatchListContext): AfterWatchList {
  switch (classifyFailure(error)) {
    case 'expired':
    case 'tooLargeResourceVersion':
      return step(context.resourceVersion === '' ? 'list' : 'mostRecent');
    case 'tooManyRequests':
      return step('later');
    case 'connection':
      if (!facts.opened) return step('later');
      return step(context.restarted ? 'list' : 'restart');
    // A LIST would be answered the same.
    case 'unauthorized':
    case 'credentials':
      return step('later', 'ERR_AUTH');
    case 'notServed':
      return step('later', 'ERR_NOT_SERVED');
    case 'unsupported':
      return { ...step('list'), remember: true };
    case 'decode':
      return step('list', 'ERR_DECODE');
    default:
      return step('list');
  }
}

function decide(end: WatchEnd, facts: WatchFacts, context: AfterWatchListContext): AfterWatchList {
  switch (end.type) {
    case 'closed': {
      const empty = facts.eventCount === 0 && facts.lastedMs < context.veryShortWatchMs;
      const why = `the server closed it after ${facts.lastedMs} ms, before the list was complete`;
      return step(empty || context.restarted ? 'list' : 'restart', 'ERR_WATCH_LIST', why);
    }
    case 'silent':
    case 'unopened':
      return step('list', 'ERR_WATCH_LIST', `no sign of life for ${facts.lastedMs} ms`);
    case 'unmarked':
      return { ...step('list', 'ERR_WATCH_LIST', end.why), remember: true };
    case 'failed':
      return afterFailure(end.error, facts, context);
  }
}

/**
 * Decides what follows a streamed list that ended before its marker.
 *
 * @internal
 */
export function afterWatchListEnd(end: WatchEnd, facts: WatchFacts, context: AfterWatchListContext): AfterWatchList {
  const after = decide(end, facts, context);
  return after.next === 'list' && context.mustStream ? { ...after, next: 'later', remember: false } : after;
}
