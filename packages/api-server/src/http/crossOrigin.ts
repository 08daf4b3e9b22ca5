import type { IncomingMessage, ServerResponse } from 'node:http';

const ownNames = new Set(['localhost', '127.0.0.1', '[::1]']);

function isOwnName(host: string | undefined): boolean {
  return host === undefined || ownNames.has(host.toLowerCase().replace(/:\d+$/, ''));
}

/** The host that a request names; HTTP/2 has a field of its own for it. */
export function hostOf({ headers }: IncomingMessage): string | undefined {
  return headers.host ?? (headers[':authority'] as string | undefined);
}

/** The origins whose requests are accepted. */
export interface OriginRules {
  /** Whether the server can be reached from other machines, under any name. */
  readonly everywhere: boolean;
  /** The origins of web pages that may use the server, besides those of this machine; `*` for any. */
  readonly origins: readonly string[];
  /** Whether pages of this machine may read answers. */
  readonly ownPages: boolean;
}

const hostOfOrigin = (origin: string): string => origin.replace(/^https?:\/\//, '');

function isAllowedOrigin(origin: string, origins: readonly string[]): boolean {
  return origins.includes('*') || origins.includes(origin);
}

/**
 * Whether to answer a request. A web page of another origin gets an answer only if it is allowed, even if its host name resolves to this
 * machine or it requests this address.
 */
export function mayAsk(incoming: IncomingMessage, { everywhere, origins }: OriginRules): boolean {
  const { origin } = incoming.headers;
  const known = origin === undefined || isOwnName(hostOfOrigin(origin)) || isAllowedOrigin(origin, origins);
  return known && (everywhere || isOwnName(hostOf(incoming)));
}

const methods = 'POST, GET, OPTIONS, PUT, DELETE, PATCH';
const headers = 'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since';

/**
 * Lets a web page of an allowed origin read the answer.
 *
 * @returns whether the request was a CORS preflight, which needs no further answer.
 */
export function answerOrigin({ headers: sent, method }: IncomingMessage, response: ServerResponse, rules: OriginRules): boolean {
  const { origin } = sent;
  if (origin === undefined) return false;
  if (!isAllowedOrigin(origin, rules.origins) && !(rules.ownPages && isOwnName(hostOfOrigin(origin)))) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', methods);
  response.setHeader('access-control-allow-headers', headers);
  response.setHeader('access-control-expose-headers', 'Date, Warning');
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return false;
  response.writeHead(204);
  response.end();
  return true;
}
