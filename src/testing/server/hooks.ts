import type { IncomingMessage, ServerResponse } from 'node:http';
import type { User } from './auth/user.js';
import type { WatchSink } from './watch/watchSink.js';
import type { RouteTarget } from './http/routePath.js';

/**
 * A request as hooks see it.
 */
export interface HookedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** What the request asks for: `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; of paths outside the API the method in lower case. */
  readonly verb: string;
  readonly target: RouteTarget;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Where bytes of an answer go; a hook may stand before it to delay, cut or change them.
 */
export interface BodyWriter {
  /** Resolves when more can be taken. */
  write(bytes: Buffer): Promise<void>;
  end(): void;
}

/**
 * Places where a test can step in. All are optional.
 */
export interface ServerHooks {
  /** Before a request is handled, its body unread. `true`: the hook has answered, or has cut the connection. It may take its time. */
  readonly beforeRequest?: (request: HookedRequest) => boolean | Promise<boolean>;
  /** Who sends the request. Throwing a StatusError refuses it. */
  readonly authenticate?: (request: HookedRequest) => User | undefined;
  /** Around the body of every answer that is not a watch. */
  readonly wrapBody?: (request: HookedRequest, writer: BodyWriter) => BodyWriter;
  /** Around the frames of a watch. */
  readonly wrapWatch?: (request: HookedRequest, sink: WatchSink) => WatchSink;
}
