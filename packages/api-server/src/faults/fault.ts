import type { StoreSnapshot } from '../store/store.js';
import type { FaultScope } from './faultScope.js';

/**
 * Answers in place of the server.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'answer', code: 403, verb: 'list', resource: 'secrets' });
 * faults.inject({ type: 'answer', code: 409, verb: 'update', skip: 2, count: 1 }); // a conflict on the third update
 * faults.inject({ type: 'answer', code: 429, body: 'Too many requests, please try again later.', retryAfterSeconds: 1 });
 * faults.inject({ type: 'answer', code: 502, body: '<html>Bad Gateway</html>', contentType: 'text/html' });
 * ```
 */
export interface AnswerFault {
  readonly type: 'answer';
  /** The code of a Status, with the message that Kubernetes uses, for example 401, 403, 404, 409, 410, 429, 500, 503 or 504. */
  readonly code: number;
  readonly message?: string;
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  /** An answer other than a Status: plain text, HTML, broken JSON. */
  readonly body?: string;
  /** @defaultValue `text/plain; charset=utf-8`, for `body` */
  readonly contentType?: string;
}

/**
 * Delays the handling of the request, and so the headers of its answer.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'delay', ms: 5_000, verb: ['list', 'watch'] });
 * ```
 */
export interface DelayFault {
  readonly type: 'delay';
  readonly ms: number;
}

/**
 * Never answers, but keeps the connection open. A watch that is already open is silent until the fault is removed.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * const frozen = faults.inject({ type: 'freeze', at: 'body', verb: 'watch' });
 * frozen.remove(); // the events come now
 * ```
 */
export interface FreezeFault {
  readonly type: 'freeze';
  /** `headers`: sends nothing. `body`: sends the headers and `afterBytes` of the body. */
  readonly at: 'headers' | 'body';
  readonly afterBytes?: number;
}

/**
 * Cuts the connection.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'cut', at: 'line', verb: 'watch', count: 1 }); // half an event, then nothing
 * faults.inject({ type: 'cut', at: 'body', verb: 'list', afterBytes: 1_000 });
 * faults.inject({ type: 'cut', at: 'body', verb: 'watch', how: 'end', atOnce: true }); // half-closes open watches now
 * ```
 */
export interface CutFault {
  readonly type: 'cut';
  /**
   * Where the connection is cut. `headers`: before the headers of the answer. `body`: in the middle of the body; in a watch, between two
   * events. `line`: in the middle of an event.
   */
  readonly at: 'headers' | 'body' | 'line';
  /** @defaultValue 0; in a body, half of its first part */
  readonly afterBytes?: number;
  /** `end`: ends the connection normally instead of destroying it. */
  readonly how?: 'destroy' | 'end';
  /** Strikes open watches now, even silent ones, and not only at their next event. */
  readonly atOnce?: boolean;
}

/**
 * Sends the body in pieces of a given size with pauses between: small pieces split lines, long pauses put several events into one piece. A
 * watch that was struck is sent like this until the fault is removed.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'drip', bytes: 7, everyMs: 10 }); // slow, and split at odd places
 * faults.inject({ type: 'drip', bytes: 1e6, everyMs: 500, verb: 'watch' }); // what happens in half a second comes at once
 * ```
 */
export interface DripFault {
  readonly type: 'drip';
  readonly bytes: number;
  readonly everyMs: number;
}

/**
 * Ends the body normally before it is complete; a watch ends in the middle of an event.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'truncate', afterBytes: 100, verb: 'list' });
 * ```
 */
export interface TruncateFault {
  readonly type: 'truncate';
  readonly afterBytes: number;
}

/**
 * Ends a watch at the next event: normally, or after an ERROR event.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'endWatch', errorCode: 410, resource: 'pods', count: 1 });
 * faults.inject({ type: 'endWatch', atOnce: true, count: 1 }); // one clean end, now
 * ```
 */
export interface EndWatchFault {
  readonly type: 'endWatch';
  /** The code of the ERROR event, for example 410, 429, 500 or 504. When absent, there is no ERROR event. */
  readonly errorCode?: number;
  /** Strikes open watches now, even silent ones, and not only at their next event. */
  readonly atOnce?: boolean;
}

/**
 * Delays, drops, repeats or reorders single events of a watch.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'event', action: 'drop', eventType: 'DELETED', count: 1 });
 * faults.inject({ type: 'event', action: 'delay', ms: 2_000 });
 * ```
 */
export interface EventFault {
  readonly type: 'event';
  readonly action: 'drop' | 'repeat' | 'delay' | 'swap';
  /** The type of the events; all types when absent. `swap` exchanges an event with the next one. */
  readonly eventType?: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  /** How long events are held back by `delay`. */
  readonly ms?: number;
}

/**
 * Withholds bookmarks that informers wait for.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'withhold', what: 'marker', resource: 'configmaps' });
 * ```
 */
export interface WithholdFault {
  readonly type: 'withhold';
  /** `bookmarks`: all of them. `marker`: the one that ends the initial events. `annotation`: only its annotation. */
  readonly what: 'bookmarks' | 'marker' | 'annotation';
}

/**
 * Answers requests for any version (`resourceVersion=0`) with an older state, like an API server that lags behind.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const server = await startApiServer();
 * const snapshot = server.snapshot();
 * // ... writes ...
 * server.faults.inject({ type: 'stale', snapshot });
 * ```
 */
export interface StaleFault {
  readonly type: 'stale';
  readonly snapshot: StoreSnapshot;
}

/**
 * Compresses streamed lists (WatchList, also by default for the versions "" and "0") for clients that accept gzip: one gzip member for each
 * part, as servers do since Kubernetes 1.37. Clients that read only the first member consider the answer complete.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const { faults } = await startApiServer();
 * faults.inject({ type: 'compress', verb: 'watch' });
 * ```
 */
export interface CompressFault {
  readonly type: 'compress';
}

/** A fault and its scope. */
export type Fault = FaultScope &
  (
    | AnswerFault
    | DelayFault
    | FreezeFault
    | CutFault
    | DripFault
    | TruncateFault
    | EndWatchFault
    | EventFault
    | WithholdFault
    | StaleFault
    | CompressFault
  );

/** The type of a fault. */
export type FaultType = Fault['type'];
