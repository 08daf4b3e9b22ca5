import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The names of this machine for itself. A page of any other name may be anybody's, also if it leads here. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a request is refused; undefined when it is not. */
export interface Refusal {
  readonly status: 403 | 405;
  readonly message: string;
}

function isOwnHost(host: string | undefined): host is string {
  return host !== undefined && loopback.has(host.replace(/:\d+$/, '').toLowerCase());
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares without telling by its time how much is right. */
export function isSameToken(given: string | undefined, token: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/**
 * Looks at every request, in this order: by what name it came, from which page, with which token, what it wants. The static page holds no data, and needs no token: a
 * browser that opens an address cannot send one.
 */
export function refusalOf({ method, headers }: IncomingMessage, token: string, isStatic: boolean): Refusal | undefined {
  const { host, origin, authorization } = headers;
  if (!isOwnHost(host)) return { status: 403, message: 'Only requests to localhost are answered' };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { status: 403, message: 'Only the page itself may ask' };
  // What another page brings about without an Origin: an image, a link, a frame.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !(isStatic && headers['sec-fetch-mode'] === 'navigate'))
    return { status: 403, message: 'Only the page itself may ask' };
  if (!isStatic && !isSameToken(/^Bearer (.+)$/.exec(authorization ?? '')?.[1], token))
    return { status: 403, message: 'The token is missing or wrong' };
  return method === 'GET' ? undefined : { status: 405, message: 'The inspector only reads' };
}

/** For every answer: nothing is kept, framed, loaded from elsewhere, or sent there. */
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
