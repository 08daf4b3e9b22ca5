import type { ClientOptions, Impersonation } from '../clientOptions.js';
import type { RequestError } from '../requests/requestError.js';

/** The TLS part of a request's credentials, with the option names of `node:tls`. */
export interface TlsIdentity {
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly key?: unknown;
  readonly pfx?: unknown;
  readonly passphrase?: string | undefined;
  /** The name that is sent, and checked unless `checkedName` is there. */
  readonly servername?: string | undefined;
  /** The name or address that the server's certificate must have. */
  readonly checkedName?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

/** The credentials of one request. */
export interface Credentials {
  /** Header names in lower case. A list of values is sent as several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsIdentity;
  /** The proxy in front of the server. */
  readonly proxy?: { readonly url: string } | undefined;
  /** The server's URL, where it may change while the client lives. */
  readonly server?: string | undefined;
  /** Counts the clusters that the same place has named: versions of one mean nothing in the next. */
  readonly cluster?: number | undefined;
}

/** Where credentials come from. Called before every request, since tokens and certificates may be renewed while the client lives. */
export interface CredentialSource {
  get(): Promise<Credentials>;
  /** Called when the server refused the last credentials (401): the next `get` must fetch new ones. Absent where credentials cannot change. */
  renew?(): void;
  /**
   * Called when a request got no answer. Looks at what may have been replaced meanwhile, at most once a second. Returns nothing when the next `get` gives others
   * than `held`, else the request's error, which may say what it waits for.
   */
  failed?(held: Credentials, error: RequestError): Promise<RequestError | undefined>;
  /** Ends running work, for example a credential plugin. */
  close?(): void;
}

/** The value of an `Authorization` header. Throws an Error when the token cannot be sent in a header; the message does not quote the token. */
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

/** A header is a list of bytes: those of UTF-8, as Go sends them. */
const inHeader = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));

/** Escapes what may not stand in a header's name, and `%`. */
function headerName(key: string): string {
  const escaped = inHeader(key).replace(/[^!#$&'*+.^_`|~0-9A-Za-z-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return escaped.toLowerCase();
}

/** The `Impersonate-...` headers. */
export function impersonationHeaders(impersonation: string | Impersonation): Record<string, string | readonly string[]> {
  const { user, uid, groups = [], extra = {} } = typeof impersonation === 'string' ? { user: impersonation } : impersonation;
  const headers: Record<string, string | readonly string[]> = { 'impersonate-user': inHeader(user) };
  if (uid !== undefined) headers['impersonate-uid'] = inHeader(uid);
  if (groups.length > 0) headers['impersonate-group'] = groups.map(inHeader);
  const more: Record<string, string[]> = {};
  for (const [key, values] of Object.entries(extra)) (more[`impersonate-extra-${headerName(key)}`] ??= []).push(...values.map(inHeader));
  return { ...headers, ...more };
}

/** Credentials made of the client's own options. */
export function serverCredentials({ token }: Pick<ClientOptions, 'token'>, tls: TlsIdentity = {}): CredentialSource {
  return {
    async get() {
      if (token === undefined) return { headers: {}, tls };
      const current = typeof token === 'function' ? await token() : token;
      return { headers: { authorization: bearer(current, '`token`') }, tls };
    },
    // The function is called before every request anyway, so renewing only has to exist for the request to be repeated.
    ...(typeof token === 'function' && { renew: () => undefined }),
  };
}

/** Adds impersonation headers to the credentials of `source`. */
export function impersonating(source: CredentialSource, impersonate: ClientOptions['impersonate']): CredentialSource {
  if (impersonate === undefined) return source;
  const others = impersonationHeaders(impersonate);
  const given = new WeakMap<Credentials, Credentials>();
  return {
    async get() {
      const credentials = await source.get();
      const own = Object.entries(credentials.headers).filter(([name]) => !name.startsWith('impersonate-'));
      const result = { ...credentials, headers: { ...Object.fromEntries(own), ...others } };
      given.set(result, credentials);
      return result;
    },
    ...(source.renew !== undefined && { renew: () => source.renew?.() }),
    ...(source.failed !== undefined && { failed: async (held, error) => source.failed?.(given.get(held) ?? held, error) }),
    close: () => source.close?.(),
  };
}
