import type { Impersonation } from '../clientOptions.js';

/** The value of an `Authorization` header: throws an Error, which does not say what the token is, when it cannot stand in one. */
export function bearer(token: unknown, origin: string): string {
  const text = typeof token === 'string' ? token.trim() : undefined;
  if (text === undefined || text === '')
    throw new Error(`Expected ${origin} to be a token, got ${text === '' ? 'an empty text' : typeof token}`);
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Error(`Expected ${origin} to be a token in one line of ASCII characters, got others`);
  return `Bearer ${text}`;
}

/** The value of an `Authorization` header for a user name and a password. */
export function basic(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** The headers that make a request act as somebody else. */
export function impersonationHeaders(impersonation: string | Impersonation): Record<string, string | readonly string[]> {
  const { user, uid, groups = [], extra = {} } = typeof impersonation === 'string' ? { user: impersonation } : impersonation;
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': user };
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = groups;
  for (const [key, values] of Object.entries(extra)) headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = values;
  return headers;
}
