import type { InitReason, LinkState, SourceEvent } from '../../api/events.js';
import type { ListerWatcher, ListRequest, WatchEvent, WatchRequest } from '../../api/listerWatcher.js';
import type { ListPagesEvent } from '../pages/listPages.js';
import type { ReflectSettings } from './reflectOptions.js';

/** The knowledge of a reflector that all states share. Times are in milliseconds of the scheduler's clock. @internal */
export interface Memory {
  /** The last version seen before the current state; `''` before the first complete list. A watch has a newer one of its own. */
  readonly version: string;
  /** A list failed because of the last version, and none has succeeded since. */
  readonly versionUnavailable: boolean;
  /** The next list must be consistent (`'mostRecent'`). */
  readonly consistent: boolean;
  /** The last list came in pages although it asked for a version: the server had no watch cache then. */
  readonly paginated: boolean;
  /** The last version at which an answer could not be decoded. */
  readonly undecodableVersion: string | undefined;
  /** The last version from which a watch had expired, until a later one has proved healthy. */
  readonly expiredVersion: string | undefined;
  /** The number of failed attempts since the last proof of health. */
  readonly failures: number;
  /** How many of them failed to connect. */
  readonly connectionFailures: number;
  /** The link state emitted last. */
  readonly link: LinkState | undefined;
  /** The version that the server must have reached, while that is in doubt; `undefined` while the server is trusted. */
  readonly doubtedAt: string | undefined;
  /** Versions of this source have decreased although the server was not restored: its versions are not in order. */
  readonly unordered: boolean;
  /** When the next periodic list is due; `Infinity` for never. */
  readonly relistAt: number;
}

/** The version that a list asks for; `''` for the most recent state. @internal */
export type RelistVersion = Pick<ListRequest, 'resourceVersionMatch'> & { readonly resourceVersion: string };

/** A list in pages is being received. @internal */
export interface ListingState {
  readonly type: 'listing';
  readonly memory: Memory;
  readonly asked: RelistVersion;
  readonly limit: number;
  /** Whether some objects have arrived. */
  readonly begun: boolean;
}

/** The state of a watch request. */
interface Connection {
  readonly memory: Memory;
  /** When the request was sent: proxies may hold back the headers until the first event. */
  readonly startedAt: number;
  /** When the first headers, bytes or event arrived. */
  readonly openedAt: number | undefined;
  /** When the server was asked to close it. */
  readonly endsAt: number;
  /** Events accepted, bookmarks included. */
  readonly events: number;
  /** The deadline of its silence. */
  readonly dueAt: number;
}

/** A list is being streamed over a watch, and has not ended. @internal */
export interface StreamingState extends Connection {
  readonly type: 'streaming';
  readonly reason: InitReason;
  /** The version asked for. */
  readonly resourceVersion: string;
  /** Whether it repeats a streamed list that ended early. Repeated once only: over short-lived connections a long list would never end. */
  readonly restarted: boolean;
  /** Whether anything has arrived after the headers. */
  readonly framed: boolean;
}

/** A check of the server's current version, by a list of one object, before a watch is trusted. @internal */
export interface Look {
  /** The version that the server must have reached. */
  readonly version: string;
  readonly asked: boolean;
  /** When to request it, or to repeat it. */
  readonly dueAt: number;
  readonly failures: number;
  /** Whether a decreasing version caused it. */
  readonly ofOrder: boolean;
  /** The watch that caused the check has ended, so the answer may come from the former server: the check is repeated. */
  readonly again: boolean;
}

/** A watch is open. @internal */
export interface WatchingState extends Connection {
  readonly type: 'watching';
  /** The version it started from. */
  readonly startVersion: string;
  /** The newest version received. */
  readonly version: string;
  /** `false` while initial events arrive, whose versions are not in order. */
  readonly ordered: boolean;
  /** The pending version check; `undefined` while the server is trusted. */
  readonly look: Look | undefined;
  /** The watch's version when a periodic list was started beside it; `undefined` while there is none. */
  readonly relistedFrom: string | undefined;
}

/** The request to start next. @internal */
export type Next =
  | {
      readonly type: 'watch';
      /** The version check and the periodic list that were started in parallel to the watch before, and continue. */
      readonly look?: Look | undefined;
      readonly relistedFrom?: string | undefined;
    }
  | {
      readonly type: 'list';
      readonly reason: InitReason;
      /** Not streamed, regardless of the strategy. */
      readonly plain?: boolean;
      /** The page size of the list that this one repeats. */
      readonly limit?: number;
      /** Repeats a streamed list that ended early. */
      readonly restarted?: boolean;
    };

/** Waits before the next attempt. @internal */
export interface WaitingState {
  readonly type: 'waiting';
  readonly memory: Memory;
  readonly dueAt: number;
  readonly next: Next;
}

/**
 * The states of a reflector.
 *
 * ```text
 *              listing <-----+              complete
 * waiting -->     ^ instead  |         -----------------> watching ---+
 *                 |          |                              ^         |
 *              streaming ----+---- marker, same request ----+         +---> watching, waiting or listing
 * ```
 *
 * @internal
 */
export type State = WaitingState | ListingState | StreamingState | WatchingState;

/** The inputs of a reflector. @internal */
export type Happening<T> =
  /** The state's deadline has passed. */
  | { readonly type: 'due' }
  /** From the running list. */
  | ListPagesEvent<T>
  // From the running watch: a sign of life, and an event; `isNew`: the object's key has not occurred in it before
  | { readonly type: 'progress' }
  | { readonly type: 'line'; readonly line: WatchEvent<T>; readonly isNew: boolean }
  | { readonly type: 'closed' }
  | { readonly type: 'looked'; readonly resourceVersion: string }
  /** The list in parallel to the watch is complete. */
  | { readonly type: 'relisted'; readonly resourceVersion: string }
  | { readonly type: 'listFailed' | 'watchFailed' | 'lookFailed' | 'traceFailed'; readonly error: unknown }
  /** A list is wanted now, regardless of the period. */
  | { readonly type: 'relistWanted' };

/** The outputs of a step. Running requests continue until `leave`; a new one of the same kind replaces the old one. @internal */
export type Effect<T> =
  | { readonly do: 'emit'; readonly event: SourceEvent<T> }
  | { readonly do: 'list'; readonly request: ListRequest }
  | { readonly do: 'watch'; readonly request: WatchRequest }
  | { readonly do: 'look' }
  /** Start a list in parallel to the watch, and buffer its events. */
  | { readonly do: 'relist'; readonly memory: Memory }
  /** Emit the buffered events of that list, then those of the watch with versions above this one. */
  | { readonly do: 'handOver'; readonly above: string | undefined }
  /** Unsubscribe from all requests. */
  | { readonly do: 'leave' }
  /** Remember that lists of this resource cannot be streamed. */
  | { readonly do: 'refuse'; readonly until: number };

/** The inputs of a step that are not state. They are constant, except for random numbers and `refusals`, which other sources change. @internal */
export interface Context {
  readonly settings: ReflectSettings;
  readonly source: { readonly resource: string } & {
    readonly [name in 'expected' | 'namespaced' | 'scope' | 'watchList']?: ListerWatcher<unknown>[name] | undefined;
  };
  /** By resource: the time until which lists are not streamed. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** The step being computed: its time, and the effects so far. @internal */
export interface Turn<T> {
  readonly at: number;
  readonly context: Context;
  readonly effects: Effect<T>[];
}

/** The result of a step: the next state, or the request to start with the memory so far. @internal */
export type Transition = State | { readonly type: 'begin'; readonly memory: Memory; readonly next: Next };
