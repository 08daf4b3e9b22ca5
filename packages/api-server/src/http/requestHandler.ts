import { forbiddenTo, ImpersonationError, impersonationVerb } from '../auth/accessControl.js';
import { checkUnknownPath } from '../auth/unknownPath.js';
import type { Cluster } from '../cluster.js';
import { controlSegment, type ControlHandler } from '../control/controlHandler.js';
import { handleOther } from '../discovery/handleOther.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, internalError } from '../status/statusErrors.js';
import type { User } from '../auth/user.js';
import { warn } from '../write/warnings.js';
import { Exchange } from './exchange.js';
import { handleResource, verbOf } from './handleResource.js';
import { PageNotFoundError } from './pageNotFoundError.js';
import type { RequestHandler } from './httpServer.js';
import { isResourceTarget, routePath, type RouteTarget } from './routePath.js';

/** Called after every request has been answered. */
export type ExchangeListener = (exchange: Exchange) => void;

/** The parts that the handler needs in addition to the cluster. */
export interface HandlerParts {
  /** Called after every request. */
  readonly onEnd: ExchangeListener;
  /** Handles requests under `/-/`; undefined if there are none. */
  readonly control: () => ControlHandler | undefined;
}

/** The user of a request. Errors in headers are reported before the request is handled. */
function identified({ access, kinds }: Cluster, exchange: Exchange): User {
  const { incoming } = exchange;
  const { authorization } = incoming.headers;
  if (authorization !== undefined && /^bearer {2,}\S/i.test(authorization))
    warn(exchange.response, ['the provided Authorization header contains extra space before the bearer token, and is ignored']);
  try {
    return access.identify(incoming);
  } catch (error) {
    if (error instanceof ImpersonationError) {
      const target = routePath(kinds, exchange.path);
      const verb = isResourceTarget(target) ? verbOf(exchange, target) : exchange.method.toLowerCase();
      exchange.target = target;
      throw forbiddenTo(error.user, exchange, impersonationVerb(String(incoming.headers['impersonate-user']), verb));
    }
    throw error;
  }
}

function isWatch({ kinds }: Cluster, exchange: Exchange): boolean {
  try {
    const target = routePath(kinds, exchange.path);
    return isResourceTarget(target) && verbOf(exchange, target) === 'watch';
  } catch {
    return false;
  }
}

/** A timeout is a duration as Go writes it, such as `1m30s`. That of a watch is not read. */
function checkTimeout(cluster: Cluster, exchange: Exchange): void {
  const text = exchange.parameters.text('timeout');
  if (text === '' || text === '0' || /^[-+]?((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(text)) return;
  if (isWatch(cluster, exchange)) return;
  throw badRequest(`invalid timeout specified in the request URL: ${JSON.stringify(text)} is no duration`);
}

function routed({ kinds, access }: Cluster, { path, user, method }: Exchange): RouteTarget {
  try {
    return routePath(kinds, path);
  } catch (error) {
    checkUnknownPath(access, user, path, method);
    throw error;
  }
}

/** The target of a request that its user may make. A refusal tells browsers not to guess its type. */
function admitted(cluster: Cluster, exchange: Exchange): RouteTarget {
  try {
    exchange.user = identified(cluster, exchange);
    const target = routed(cluster, exchange);
    exchange.target = target;
    exchange.verb = isResourceTarget(target) ? verbOf(exchange, target) : exchange.method.toLowerCase();
    cluster.access.check(exchange.user, exchange);
    return target;
  } catch (error) {
    const code = error instanceof StatusError ? error.status.code : 0;
    if (code === 400 || code === 403) exchange.response.setHeader('x-content-type-options', 'nosniff');
    throw error;
  }
}

async function route(cluster: Cluster, exchange: Exchange, control: ControlHandler | undefined): Promise<void> {
  checkTimeout(cluster, exchange);
  const target = admitted(cluster, exchange);
  if (control !== undefined && !isResourceTarget(target) && target.segments[0] === controlSegment) {
    await control(exchange, target.segments.slice(1));
    return;
  }
  const struck = cluster.hooks.beforeRequest?.(exchange) ?? false;
  if (struck === true || (struck !== false && (await struck))) return;
  if (isResourceTarget(target)) await handleResource(cluster, exchange, target);
  else await handleOther(cluster, exchange, target.segments);
}

async function answerError(exchange: Exchange, error: unknown): Promise<void> {
  const { response } = exchange;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof PageNotFoundError) {
    await exchange.sendPageNotFound();
    return;
  }
  // Any other error is a bug in this server, which must keep running nevertheless.
  const refusal = error instanceof StatusError ? error : internalError(error instanceof Error ? error.message : String(error));
  // HTTP/2 has no such header field.
  if (refusal.status.code === 413 && exchange.incoming.httpVersionMajor < 2) response.setHeader('connection', 'close');
  await exchange.sendError(refusal);
}

const ignore = (): void => undefined;

/** The function that answers every HTTP request of a server. It never rejects. */
export function createRequestHandler(cluster: Cluster, { onEnd, control }: HandlerParts): RequestHandler {
  return (incoming, response, openWebSocket) => {
    const exchange = new Exchange(incoming, response, cluster, openWebSocket);
    incoming.on('error', ignore);
    response.on('error', ignore);
    response.on('close', () => onEnd(exchange));
    route(cluster, exchange, control())
      .catch((error: unknown) => answerError(exchange, error))
      .catch(() => response.destroy());
  };
}
