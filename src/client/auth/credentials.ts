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
