import type { ListMeta } from './kubernetesObject.js';
import type { Drop } from './drops.js';
import type { ResourceEvent, SourceEvent } from './events.js';
import type { ListRequest, WatchEvent, WatchRequest } from './listerWatcher.js';

/** The fields of all steps of a trace. */
export interface TraceStepBase {
  /** The time, in milliseconds of the scheduler's clock. */
  readonly at: number;
  /** The name of the informer, or of the source if there is no informer. */
  readonly name: string;
  /** The resource, for example `pods`. */
  readonly resource: string;
}

/** The fields of all steps of a request. */
export interface TraceRequestBase extends TraceStepBase {
  /** The namespace or selector of the source; `''` for everything. */
  readonly scope: string;
  /** The number of the request within one subscription to the source, from 1. */
  readonly id: number;
  /** `'watchList'` is a watch that begins with a list; `'probe'` a list of one object that reads the server's version. */
  readonly verb: 'list' | 'watchList' | 'watch' | 'probe';
}

/** A list, the next page of one, or a watch is requested. */
export interface TraceRequest extends TraceRequestBase {
  readonly stage: 'request';
  readonly request: ListRequest & WatchRequest;
}

/** A part of a list has arrived and is decoded. */
export interface TracePage extends TraceRequestBase {
  readonly stage: 'page';
  readonly items: readonly unknown[];
  /** Of the list; not every part has it. */
  readonly metadata?: ListMeta | undefined;
}

/** A line of a watch has arrived and is decoded. */
export interface TraceLine extends TraceRequestBase {
  readonly stage: 'line';
  readonly event: WatchEvent<unknown>;
}

/** A request has ended: its answer is complete, it failed, or it was unsubscribed from. */
export interface TraceEnd extends TraceRequestBase {
  readonly stage: 'end';
  readonly outcome: 'complete' | 'failed' | 'aborted';
  /** The time since it was sent, in milliseconds. */
  readonly lastedMs: number;
  /** The error, if it failed. */
  readonly error?: unknown;
}

/** The figures of an informer, computed when they are read. */
export interface InformerReadings {
  /** The number of cached objects. */
  readonly objects: number;
  /** Whether every scope has been listed completely in this session. */
  readonly synced: boolean;
  /** How long the cache has not been known to be current, in milliseconds: 0 while a watch is open, `Infinity` before the first list is complete. */
  readonly staleMs: number;
  /** The version of the cache; `''` before the first list. */
  readonly resourceVersion: string;
  /** The number of queued events of each handler and each consumer with a buffer. */
  readonly waiting: readonly { readonly name: string; readonly events: number }[];
}

/**
 * One step on the way of objects from the server to a subscriber.
 *
 * ```text
 * request --> page, page, ... or line, line, ... --> end      of each request, by the source
 *                  |               |
 *                source (-> deltas) -> cache -> delivery, delivery, ... -> settled      of each event, by the informer
 *                             |           |        |
 *                          dropped     dropped  dropped                                 where it goes no further
 * ```
 */
export type TraceStep =
  | TraceRequest
  | TracePage
  | TraceLine
  | TraceEnd
  | (TraceStepBase &
      /** An informer has received an event of its source; its cache has not changed yet. */
      (
        | { readonly stage: 'source'; readonly event: SourceEvent<unknown> }
        /** An informer with a DeltaFIFO has taken the deltas of one key; its cache has not changed yet. */
        /** An informer's cache has changed by this event, which is not emitted yet. */
        | { readonly stage: 'cache'; readonly event: ResourceEvent<unknown> }
        /** An event goes no further. Operators tell what they filter out while an event is delivered, not what they drop later, by a timer. */
        | ({ readonly stage: 'dropped' } & Drop)
        /** An event is being passed to a subscriber or to a handler: `resource$`, `events()`, `process()`, or the name of the handler. */
        | { readonly stage: 'delivery'; readonly to: string; readonly event: ResourceEvent<unknown> }
        /** The cache and all synchronous subscribers have processed an event of the source; `lastedMs` is the time since its `source` step. */
        | { readonly stage: 'settled'; readonly lastedMs: number }
        /** An informer was created; from now on its figures can be read. */
        | {
            readonly stage: 'opened';
            /** Returns the current figures. */
            readonly read: () => InformerReadings;
          }
        /** An informer was stopped for good: its figures are no longer needed. */
        | { readonly stage: 'closed' }
      ));

/** Receives every step. Called synchronously while objects are processed: it must be fast, and must not subscribe to or write to what it observes. */
export type Trace = (step: TraceStep) => void;
