import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from './auth/user.js';
import type { WatchSink } from './watch/watchSink.js';
import type { RouteTarget } from './http/routePath.js';
import type { StoreSnapshot } from './store/store.js';

/** A request, as passed to hooks. */
export interface HookedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /**
   * The verb of the request: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; for paths outside the
   * API, the method in lower case.
   */
  readonly verb: string;
  /** The resource of the request, or its path outside the API. @internal */
  readonly target: RouteTarget;
  readonly user: User;
  readonly incoming: IncomingMessage;
  /** The answer; nothing has been sent yet. @internal */
  readonly response: ServerResponse;
}

/**
 * The destination of an answer's bytes; a hook may wrap it to delay, cut or change them.
 */
export interface BodyWriter {
  /** Resolves when more can be written. */
  write(bytes: Buffer): Promise<void>;
  /** Ends the answer. */
  end(): void;
}

/** Functions by which a test intervenes in requests and answers. All are optional. */
export interface ServerHooks {
  /**
   * Called before a request is handled; its body has not been read. Returns `true` when the hook has answered or has cut the connection.
   * May be asynchronous.
   */
  readonly beforeRequest?: (request: HookedRequest) => boolean | Promise<boolean>;
  /** Wraps the body of an answer that is not a watch; undefined leaves it unchanged. */
  readonly wrapBody?: (request: HookedRequest) => ((writer: BodyWriter) => BodyWriter) | undefined;
  /** The state for a request for any version (`resourceVersion=0`); undefined for the newest state. */
  readonly staleState?: (request: HookedRequest) => StoreSnapshot | undefined;
  /** Wraps the connection of a watch. Must pass on `onDrain` and `onClose`. */
  readonly wrapWatch?: (request: HookedRequest, sink: WatchSink) => WatchSink;
  /**
   * Whether a streamed list (WatchList) is compressed if the client accepts gzip: one gzip member for each part, as since Kubernetes 1.37.
   */
  readonly compressesWatch?: (request: HookedRequest) => boolean;
}

/** Combines two sets of hooks; `outer` is nearer to the client. */
export function composeHooks(outer: ServerHooks, inner: ServerHooks): ServerHooks {
  return {
    beforeRequest: async (request) => (await outer.beforeRequest?.(request)) === true || (await inner.beforeRequest?.(request)) === true,
    wrapBody: (request) => {
      const [first, second] = [inner.wrapBody?.(request), outer.wrapBody?.(request)];
      return first === undefined ? second : second === undefined ? first : (writer) => first(second(writer));
    },
    staleState: (request) => outer.staleState?.(request) ?? inner.staleState?.(request),
    wrapWatch: (request, sink) => {
      const wrapped = outer.wrapWatch?.(request, sink) ?? sink;
      return inner.wrapWatch?.(request, wrapped) ?? wrapped;
    },
    compressesWatch: (request) => outer.compressesWatch?.(request) === true || inner.compressesWatch?.(request) === true,
  };
}
