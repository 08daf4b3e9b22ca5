import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Names of the loopback interface. Any other host name may belong to another site, even if it resolves to this machine (DNS rebinding). */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The answer to a request that is refused. */
export interface Refusal {
  readonly status: 403 | 405;
  readonly message: string;
}

function isOwnHost(host: string | undefined): host is string {
  return host !== undefined && loopback.has(host.replace(/:\d+$/, '').toLowerCase());
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export function isSameToken(given: string | undefined, token: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/**
 * Checks every request: its Host, its origin, its token, then its method. The static page has no data and needs no token, since a browser that opens an address
 * cannot send one in a header.
 */
export function refusalOf({ method, headers }: IncomingMessage, token: string, isStatic: boolean): Refusal | undefined {
  const { host, origin, authorization } = headers;
  if (!isOwnHost(host)) return { status: 403, message: 'Only requests to localhost are answered' };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { status: 403, message: 'Only the page itself may ask' };
  // Requests of other pages may have no Origin: images, links, frames.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !(isStatic && headers['sec-fetch-mode'] === 'navigate'))
    return { status: 403, message: 'Only the page itself may ask' };
  if (!isStatic && !isSameToken(/^Bearer (.+)$/.exec(authorization ?? '')?.[1], token))
    return { status: 403, message: 'The token is missing or wrong' };
  return method === 'GET' ? undefined : { status: 405, message: 'The inspector only reads' };
}

/** Headers of every answer: no caching, no framing, no resources of or requests to other origins. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
