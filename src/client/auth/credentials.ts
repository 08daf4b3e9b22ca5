import type { ClientOptions, Impersonation } from '../clientOptions.js';

/** The TLS part of what lets a request in, in the words of `node:tls`. */
export interface TlsIdentity {
  readonly ca?: unknown;
  readonly cert?: unknown;
  readonly key?: unknown;
  readonly pfx?: unknown;
  readonly passphrase?: string | undefined;
  readonly servername?: string | undefined;
  readonly rejectUnauthorized?: boolean | undefined;
}

/** What lets one request in. */
export interface Credentials {
  /** Lower-case names. Several values stand in headers of their own. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly tls: TlsIdentity;
  /** The proxy in front of the server; for one of SOCKS, `agent` makes the `http.Agent` that goes through it. */
  readonly proxy?: { readonly url: string; readonly agent?: (() => Promise<unknown>) | undefined } | undefined;
}

/** Where credentials come from. It is asked before every request, since tokens and certificates are renewed while a client lives. */
export interface CredentialSource {
  get(): Promise<Credentials>;
  /** The server refused the last ones (401): asks for others the next time. Absent where they cannot change. */
  renew?(): void;
  /** Ends what runs, for example a credential plugin. */
  close?(): void;
}

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

type ServerOptions = Pick<ClientOptions, 'token' | 'ca' | 'clientCert' | 'clientKey' | 'insecureSkipTlsVerify'>;

/** The credentials that a caller gave by hand. */
export function serverCredentials({ token, ca, clientCert, clientKey, insecureSkipTlsVerify }: ServerOptions): CredentialSource {
  const tls: TlsIdentity = { ca, cert: clientCert, key: clientKey, ...(insecureSkipTlsVerify === true && { rejectUnauthorized: false }) };
  const source: CredentialSource = {
    async get() {
      if (token === undefined) return { headers: {}, tls };
      const current = typeof token === 'function' ? await token() : token;
      return { headers: { authorization: bearer(current, '`token`') }, tls };
    },
  };
  // A function is asked before every request anyway; what is left to renew is that the request is repeated.
  return typeof token === 'function' ? { ...source, renew: () => undefined } : source;
}

/** Credentials that act as somebody else, whoever they act as themselves. */
export function impersonating(source: CredentialSource, impersonate: ClientOptions['impersonate']): CredentialSource {
  if (impersonate === undefined) return source;
  const others = impersonationHeaders(impersonate);
  return {
    ...source,
    async get() {
      const credentials = await source.get();
      const own = Object.entries(credentials.headers).filter(([name]) => !name.startsWith('impersonate-'));
      return { ...credentials, headers: { ...Object.fromEntries(own), ...others } };
    },
  };
}
