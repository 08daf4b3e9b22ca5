import type { StoreSnapshot } from '../store/store.js';

/**
 * Which requests a fault concerns, and how often. What is absent does not limit it.
 */
export interface FaultScope {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; several in a list. */
  readonly verb?: string | readonly string[];
  /** For example `pods` or `deployments.apps`. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** A path, or what it has to match. */
  readonly path?: string | RegExp;
  /** How many matching requests (of event faults: events) pass unharmed first. */
  readonly skip?: number;
  /** How often the fault strikes at most. */
  readonly count?: number;
  /** How long the fault is there, in milliseconds of the server's clock. */
  readonly forMs?: number;
  /** How likely it strikes where it could, from 0 to 1. */
  readonly probability?: number;
}

/** Answers in place of the server. */
export interface AnswerFault {
  readonly type: 'answer';
  /** The code of a Status with the words that Kubernetes uses, for example 401, 403, 404, 409, 410, 429, 500, 503 or 504. */
  readonly code: number;
  readonly message?: string;
  readonly reason?: string;
  readonly retryAfterSeconds?: number;
  /** An answer of another kind than a Status: plain text, HTML, broken JSON. */
  readonly body?: string;
  /** @defaultValue `text/plain; charset=utf-8`, for `body` */
  readonly contentType?: string;
}

/** Handles the request only after a while. */
export interface DelayFault {
  readonly type: 'delay';
  readonly ms: number;
}

/** Never answers, but keeps the connection; of a watch that is open already, stays silent until the fault is gone. */
export interface FreezeFault {
  readonly type: 'freeze';
  /** `headers`: nothing is sent at all. `body`: the headers are, and `afterBytes` of the body. */
  readonly at: 'headers' | 'body';
  readonly afterBytes?: number;
}

/** Cuts the connection. */
export interface CutFault {
  readonly type: 'cut';
  /** `headers`: before them. `body`: in the middle of the body; of a watch between two events. `line`: in the middle of an event. */
  readonly at: 'headers' | 'body' | 'line';
  /** @defaultValue 0, of a body half of its first part */
  readonly afterBytes?: number;
  /** `end`: says that nothing more will come, in place of tearing the connection down. */
  readonly how?: 'destroy' | 'end';
}

/** Sends the body a few bytes at a time. */
export interface DripFault {
  readonly type: 'drip';
  readonly bytes: number;
  readonly everyMs: number;
}

/** Ends the body in good order before it is complete. */
export interface TruncateFault {
  readonly type: 'truncate';
  readonly afterBytes: number;
}

/** Ends a watch at the next event: in good order, or after an ERROR event. */
export interface EndWatchFault {
  readonly type: 'endWatch';
  /** The code of the ERROR event, for example 410, 429, 500 or 504; none when absent. */
  readonly errorCode?: number;
}

/** Does something to single events of a watch. */
export interface EventFault {
  readonly type: 'event';
  readonly action: 'drop' | 'repeat' | 'delay' | 'swap';
  /** Of which type: every one when absent. `swap` exchanges an event with the one after it. */
  readonly eventType?: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  /** How long events are held back by `delay`. */
  readonly ms?: number;
}

/** Leaves out what informers wait for. */
export interface WithholdFault {
  readonly type: 'withhold';
  /** `bookmarks`: all of them. `marker`: the one that ends the initial events. `annotation`: only its annotation. */
  readonly what: 'bookmarks' | 'marker' | 'annotation';
}

/** Shows requests for any version (`resourceVersion=0`) an older state, as an API server that lags behind does. */
export interface StaleFault {
  readonly type: 'stale';
  readonly snapshot: StoreSnapshot;
}

/** What goes wrong, and where. */
export type Fault = FaultScope &
  (AnswerFault | DelayFault | FreezeFault | CutFault | DripFault | TruncateFault | EndWatchFault | EventFault | WithholdFault | StaleFault);

/** The type of a fault. */
export type FaultType = Fault['type'];

const types: Readonly<Record<FaultType, true>> = {
  answer: true,
  delay: true,
  freeze: true,
  cut: true,
  drip: true,
  truncate: true,
  endWatch: true,
  event: true,
  withhold: true,
  stale: true,
};

function expectNumber(name: string, value: unknown, smallest: number, largest = Infinity): void {
  if (value === undefined || (typeof value === 'number' && value >= smallest && value <= largest)) return;
  const range = largest === Infinity ? `at least ${String(smallest)}` : `from ${String(smallest)} to ${String(largest)}`;
  throw new TypeError(`Expected \`${name}\` of a fault to be a number ${range}, got ${JSON.stringify(value)}`);
}

function expectOneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value === 'string' && allowed.includes(value)) return;
  throw new TypeError(`Expected \`${name}\` of a fault to be one of ${allowed.join(', ')}, got ${JSON.stringify(value)}`);
}

/**
 * Checks a fault.
 *
 * @throws TypeError that names the field.
 */
export function checkFault(fault: Fault): void {
  expectOneOf('type', fault.type, Object.keys(types));
  expectNumber('skip', fault.skip, 0);
  expectNumber('count', fault.count, 1);
  expectNumber('forMs', fault.forMs, 0);
  expectNumber('probability', fault.probability, 0, 1);
  if ('afterBytes' in fault) expectNumber('afterBytes', fault.afterBytes, 0);
  if (fault.type === 'answer') expectNumber('code', fault.code, 100, 599);
  if (fault.type === 'answer' && typeof fault.code !== 'number') expectNumber('code', 'nothing', 100, 599);
  if (fault.type === 'delay') expectNumber('ms', fault.ms, 0);
  if (fault.type === 'freeze') expectOneOf('at', fault.at, ['headers', 'body']);
  if (fault.type === 'cut') expectOneOf('at', fault.at, ['headers', 'body', 'line']);
  if (fault.type === 'event') expectOneOf('action', fault.action, ['drop', 'repeat', 'delay', 'swap']);
  if (fault.type === 'withhold') expectOneOf('what', fault.what, ['bookmarks', 'marker', 'annotation']);
  if (fault.type !== 'drip') return;
  expectNumber('bytes', fault.bytes, 1);
  expectNumber('everyMs', fault.everyMs, 0);
}
