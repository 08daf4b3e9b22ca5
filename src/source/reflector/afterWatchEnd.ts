import type { InformerErrorCode } from '../../api/errors/informerError.js';
import type { InitReason } from '../../api/events/sourceEvent.js';
import { classifyFailure } from './classifyFailure.js';
import type { WatchEnd, WatchFacts } from './watchEnd.js';

/**
 * What to do after a watch: watch again from the last version, or list; at once, or after a backoff; and what to report.
 *
 * @internal
 */
export interface AfterWatch {
  readonly next: 'watch' | 'list';
  readonly wait: boolean;
  /** Why the list begins. */
  readonly reason: InitReason;
  /** `undefined`: nothing went wrong. */
  readonly code?: InformerErrorCode;
  /** What to say when there is no error that says it. */
  readonly why?: string;
}

/**
 * What the decision depends on besides the watch itself.
 *
 * @internal
 */
export interface AfterWatchContext {
  readonly veryShortWatchMs: number;
  readonly healthyWatchMs: number;
  /** An answer at this very version could not be decoded before. */
  readonly undecodableBefore: boolean;
  /** An internal error of the server inside a watch is worth another watch. */
  readonly internalErrorRetry: boolean;
}

/**
 * Whether a watch is proof that the link is healthy, so that the next failure counts as the first.
 *
 * @internal
 */
export function provesHealth(facts: WatchFacts, healthyWatchMs: number): boolean {
  return facts.eventCount > 0 || (facts.opened && facts.openMs >= healthyWatchMs);
}

const rewatch: AfterWatch = { next: 'watch', wait: false, reason: 'error' };

function rewatchLater(code: InformerErrorCode, why?: string): AfterWatch {
  return { next: 'watch', wait: true, reason: 'error', code, ...(why !== undefined && { why }) };
}

function relistLater(code: InformerErrorCode, reason: InitReason = 'error', why?: string): AfterWatch {
  return { next: 'list', wait: true, reason, code, ...(why !== undefined && { why }) };
}

function afterClose(facts: WatchFacts, context: AfterWatchContext): AfterWatch {
  if (facts.lastedMs >= context.veryShortWatchMs) return rewatch;
  if (facts.eventCount === 0) return relistLater('ERR_WATCH', 'error', `the server closed it after ${facts.lastedMs} ms, before any event`);
  // Without this, a server that repeats the same events and closes would be asked in a hot loop.
  return facts.advanced ? rewatch : rewatchLater('ERR_WATCH', `the server closed it after ${facts.lastedMs} ms, without any news`);
}

function afterFailure(error: unknown, facts: WatchFacts, context: AfterWatchContext): AfterWatch {
  const code = facts.opened ? 'ERR_WATCH' : 'ERR_WATCH_START';
  switch (classifyFailure(error)) {
    case 'expired':
      return relistLater('ERR_WATCH_EXPIRED', 'expired');
    case 'tooManyRequests':
      return rewatchLater(code);
    case 'credentials':
      return rewatchLater('ERR_AUTH');
    case 'unauthorized':
      return relistLater('ERR_AUTH');
    case 'notServed':
      return relistLater('ERR_NOT_SERVED');
    case 'decode':
      return context.undecodableBefore ? relistLater('ERR_DECODE') : rewatchLater('ERR_DECODE');
    case 'connection': {
      const news = facts.advanced || facts.openMs >= context.veryShortWatchMs;
      return news && provesHealth(facts, context.healthyWatchMs) ? { ...rewatch, code } : rewatchLater(code);
    }
    case 'internal':
      return facts.opened && context.internalErrorRetry ? rewatchLater(code) : relistLater(code);
    default:
      return relistLater(code);
  }
}

/**
 * Decides what follows a watch.
 *
 * @internal
 */
export function afterWatchEnd(end: WatchEnd, facts: WatchFacts, context: AfterWatchContext): AfterWatch {
  switch (end.type) {
    case 'closed':
      return afterClose(facts, context);
    case 'silent':
      return rewatch;
    case 'unopened':
      return rewatchLater('ERR_WATCH_START', `no sign of life for ${facts.lastedMs} ms`);
    case 'failed':
      return afterFailure(end.error, facts, context);
    case 'unmarked':
      return relistLater('ERR_WATCH_LIST', 'error', end.why);
  }
}
