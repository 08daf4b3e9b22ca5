import type { InitReason, LinkState, SourceEvent } from '../../api/events.js';
import type { ListerWatcher, ListRequest, ResourceVersionMatch, WatchEvent, WatchProgress, WatchRequest } from '../../api/listerWatcher.js';
import type { ReflectSettings } from './reflectOptions.js';

/** What a reflector has learned so far, whatever it does at the moment. Times are in milliseconds of the scheduler's clock. @internal */
export interface Memory {
  /** The last version seen when the state began; `''` before the first complete list. A watch has its own, which is newer. */
  readonly version: string;
  /** A list at the last version failed because of that version, and none has succeeded since. */
  readonly versionUnavailable: boolean;
  /** The next complete list has to be consistent. */
  readonly consistent: boolean;
  /** A list at version `0` came in pages, which shows a server without a watch cache. */
  readonly paginated: boolean;
  /** The last version at which an answer could not be decoded. */
  readonly undecodableVersion: string | undefined;
  /** When the first internal error of the current row came, and the last one. */
  readonly internalErrors: { readonly since: number; readonly last: number };
  /** How many attempts have failed since the last proof of health. */
  readonly failures: number;
  /** How many of them for want of a connection. */
  readonly connectionFailures: number;
  /** The state of the link that was told last. */
  readonly link: LinkState | undefined;
  /** The version that the server must have reached, where that is to be looked at; `undefined` while the server can be trusted. */
  readonly doubtedAt: string | undefined;
  /** Versions of this source have been seen to go down although the server had not gone back: they come in no order. */
  readonly unordered: boolean;
  /** When the next periodic list is due; `Infinity` for never. */
  readonly relistAt: number;
}

/** The version that a list asks for. @internal */
export interface RelistVersion {
  /** `''` for the most recent state. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch?: ResourceVersionMatch;
}

/** A list comes page by page. @internal */
export interface ListingState {
  readonly type: 'listing';
  readonly memory: Memory;
  readonly asked: RelistVersion;
  readonly limit: number;
}

/** What is known of a request to watch. */
interface Connection {
  readonly memory: Memory;
  /** When the request was sent: proxies may hold the headers back until the first event. */
  readonly startedAt: number;
  /** When the first sign of life came: headers, bytes or an event. */
  readonly openedAt: number | undefined;
  /** When the server was asked to close it. */
  readonly endsAt: number;
  /** Events accepted, bookmarks included. */
  readonly events: number;
  /** When it is given up for its silence. */
  readonly dueAt: number;
}

/** A list is streamed over a watch, and its marker has not come. @internal */
export interface StreamingState extends Connection {
  readonly type: 'streaming';
  readonly reason: InitReason;
  /** The version asked for. */
  readonly resourceVersion: string;
  /** It repeats a streamed list that ended early. Once is enough: a long list over a short-lived connection would never end. */
  readonly restarted: boolean;
  /** Something came after the headers. */
  readonly framed: boolean;
}

/** A look at the server's version, by a list of one object, before a watch is trusted. @internal */
export interface Look {
  /** The version that the server must have reached. */
  readonly version: string;
  readonly asked: boolean;
  /** When it is asked, or asked again. */
  readonly dueAt: number;
  readonly failures: number;
  /** It was brought on by a version that went down. */
  readonly ofOrder: boolean;
  /** The watch that it was asked for has ended since: its answer may be of a server that is no more, so another one follows. */
  readonly again: boolean;
}

/** A watch is under way. @internal */
export interface WatchingState extends Connection {
  readonly type: 'watching';
  /** Where it began. */
  readonly startVersion: string;
  /** Where it is. */
  readonly version: string;
  /** `false` while it brings initial events, which come in no order. */
  readonly ordered: boolean;
  /** `undefined` when the server can be trusted. */
  readonly look: Look | undefined;
  /** The version at which a periodic list was begun beside the watch; `undefined` while there is none. */
  readonly relistedFrom: string | undefined;
}

/** What is to be begun. @internal */
export type Next =
  | {
      readonly type: 'watch';
      /** What was begun beside the watch before this one, and goes on. */
      readonly look?: Look | undefined;
      readonly relistedFrom?: string | undefined;
    }
  | {
      readonly type: 'list';
      readonly reason: InitReason;
      /** Not streamed, whatever the strategy says. */
      readonly plain?: boolean;
      /** The page size of the list that this one repeats. */
      readonly limit?: number;
      /** It repeats a streamed list that ended early. */
      readonly restarted?: boolean;
    };

/** The next attempt is waited for. @internal */
export interface WaitingState {
  readonly type: 'waiting';
  readonly memory: Memory;
  readonly dueAt: number;
  readonly next: Next;
}

/**
 * What a reflector is doing.
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

/** What happens to a reflector. @internal */
export type Happening<T> =
  /** A time that the state waits for has come. */
  | { readonly type: 'due' }
  // Of the list under way
  | { readonly type: 'items'; readonly items: readonly T[] }
  | { readonly type: 'restart'; readonly error: unknown }
  | { readonly type: 'end'; readonly resourceVersion: string; readonly paginated: boolean }
  // Of the watch under way; `isNew`: of an object that has not come in it before
  | { readonly type: 'line'; readonly line: WatchEvent<T> | WatchProgress; readonly isNew: boolean }
  | { readonly type: 'closed' }
  | { readonly type: 'looked'; readonly resourceVersion: string }
  /** The list that was begun beside the watch is complete. */
  | { readonly type: 'relisted'; readonly resourceVersion: string }
  | { readonly type: 'listFailed' | 'watchFailed' | 'lookFailed' | 'traceFailed'; readonly error: unknown }
  /** A list is due, whatever the period. */
  | { readonly type: 'relistWanted' };

/** What is to be done. Requests under way go on until they are left; a new one of a kind replaces the old one. @internal */
export type Effect<T> =
  | { readonly do: 'emit'; readonly event: SourceEvent<T> }
  | { readonly do: 'list'; readonly request: ListRequest }
  | { readonly do: 'watch'; readonly request: WatchRequest }
  | { readonly do: 'look' }
  /** Begin a list beside the watch, and keep what it brings. */
  | { readonly do: 'relist'; readonly memory: Memory }
  /** Emit what that list has brought, and what the watch has brought since it was begun at versions above this one. */
  | { readonly do: 'handOver'; readonly above: string | undefined }
  /** Leave every request under way. */
  | { readonly do: 'leave' }
  /** Remember that lists of this resource cannot be streamed. */
  | { readonly do: 'refuse'; readonly until: number };

/** What a step depends on besides the state and what happens: nothing of it changes, but for chance and what other sources have learned. @internal */
export interface Context {
  readonly settings: ReflectSettings;
  readonly source: { readonly resource: string } & {
    readonly [name in 'expected' | 'namespaced' | 'scope' | 'watchList']?: ListerWatcher<unknown>[name] | undefined;
  };
  /** By resource: until when lists are not streamed. */
  readonly refusals: ReadonlyMap<string, number>;
}

/** One step under way: when it is, and what it leads to so far. @internal */
export interface Turn<T> {
  readonly at: number;
  readonly context: Context;
  readonly effects: Effect<T>[];
}

/** What a state makes of what happens: the state after it, or what to begin with what is known by then. @internal */
export type Transition = State | { readonly type: 'begin'; readonly memory: Memory; readonly next: Next };
