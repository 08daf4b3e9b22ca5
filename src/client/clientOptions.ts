import { type OptionRules, rules } from '../api/options.js';

/** What `createClient` needs of a kubeconfig: the `KubeConfig` of `@kubernetes/client-node` 1.4 and 2.x both have it. */
export interface KubeConfigLike {
  /** The cluster of the current context, if there is one. */
  getCurrentCluster(): {
    readonly server: string;
    readonly caData?: string | undefined;
    readonly caFile?: string | undefined;
    readonly skipTLSVerify?: boolean | undefined;
    readonly tlsServerName?: string | undefined;
    readonly proxyUrl?: string | undefined;
  } | null;
  /** Adds headers and TLS options to options of `https.request`. Called before every request. */
  applyToHTTPSOptions(options: object): Promise<void>;
  /** The name of the current context. */
  getCurrentContext?(): string;
  /** The context with this name; its namespace becomes the client's default namespace. */
  getContextObject?(name: string): { readonly namespace?: string | undefined } | null;
}

/** Serves the logins of kubeconfigs that this library does not know itself: those of `auth-provider`. */
export interface LoginProvider {
  /** The kubeconfig, as an object, of a user with an `auth-provider`. Called again when the file says something else. */
  login(
    cluster: { readonly server: string; readonly skipTLSVerify: boolean },
    user: { readonly name: string; readonly authProvider: { readonly name: string; readonly config: Readonly<Record<string, string>> } },
  ): KubeConfigLike | Promise<KubeConfigLike>;
}

/** The user that requests impersonate. */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Options of `createClient`.
 *
 * The cluster comes from one of three places: `server`, `kubeConfig`, or kubeconfig files, which is the default.
 */
export interface ClientOptions {
  /** A loaded kubeconfig. Its current cluster must stay the same while the client is used. */
  readonly kubeConfig?: KubeConfigLike | undefined;
  /** The one kubeconfig file to read, like kubectl's `--kubeconfig`. */
  readonly kubeConfigFile?: string | undefined;
  /** The context of the kubeconfig files. @defaultValue the current one */
  readonly context?: string | undefined;
  /** Serves users of kubeconfig files that have an `auth-provider`: `clientNodeAuth()`. @defaultValue such users are refused */
  readonly credentials?: LoginProvider | undefined;

  /** The URL of an API server, for example `https://10.0.0.1:6443`. */
  readonly server?: string | undefined;
  /** A bearer token for `server`, or a function that returns one; it is called before every request. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** The certificate authority of `server`, as PEM text. */
  readonly ca?: string | undefined;
  /** A client certificate for `server`, as PEM text. */
  readonly clientCert?: string | undefined;
  /** The key of `clientCert`, as PEM text. */
  readonly clientKey?: string | undefined;
  /** Accepts any certificate of `server`. @defaultValue false */
  readonly insecureSkipTlsVerify?: boolean | undefined;

  /** The user that requests impersonate: a user name, or also uid, groups and extra. */
  readonly impersonate?: string | Impersonation | undefined;
  /** The `User-Agent` header. Its part before the first `/` becomes the field manager of writes that name none. @defaultValue `rx-informer` */
  readonly userAgent?: string | undefined;
  /** Deadline of a request that is neither a list nor a watch, in milliseconds; 0 for none. @defaultValue 30000 */
  readonly requestTimeoutMs?: number | undefined;
  /** Requests gzip, except for watches. Saves bytes and costs time. @defaultValue false */
  readonly compression?: boolean | undefined;
  /** Requests per second in the long run. Watches do not count. @defaultValue no limit */
  readonly qps?: number | undefined;
  /** Requests that may be sent at once before `qps` limits them. @defaultValue 10, as in client-go */
  readonly burst?: number | undefined;
  /**
   * Uses HTTP/2 with a server that offers it: one connection carries all watches and requests and is checked by pings. For programs with many informers. In
   * Node only, and not through a proxy. @defaultValue false: each watch has a connection of its own
   */
  readonly http2?: boolean | undefined;
  /** Sends requests with this function instead of Node's `http` modules. @defaultValue the global `fetch` where there is no Node, for example in a browser */
  readonly fetch?: typeof fetch | undefined;
}

/** Whether a value is a string that is not blank. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
/** Whether a value is a string that is allowed in a header. */
export const isHeader = (value: unknown): boolean => isText(value) && /^[\x20-\x7e]+$/.test(value);
/** Whether a value is a string whose bytes in UTF-8 are allowed in a header. */
// eslint-disable-next-line no-control-regex -- they are what is searched
export const isUtf8Header = (value: unknown): boolean => isText(value) && !/[\u0000-\u001f\u007f\p{Surrogate}]/u.test(value);

/** The options of a client that sends its requests with `fetch`. */
export const fetchRules: OptionRules<
  Pick<ClientOptions, 'server' | 'token' | 'userAgent' | 'requestTimeoutMs' | 'compression' | 'qps' | 'burst' | 'fetch'>
> = {
  server: {
    expected: 'an http or https URL without user, query and fragment, such as "https://10.0.0.1:6443"',
    holds: (value) => isText(value) && /^https?:\/\/[^@?#]+$/i.test(value) && URL.canParse(value),
    secret: true,
  },
  token: {
    expected: 'a token or a function that gives one',
    holds: (value) => isText(value) || typeof value === 'function',
    secret: true,
  },
  userAgent: { expected: 'a text that can stand in a header', holds: isHeader },
  requestTimeoutMs: rules.durationOf({ min: 0 }),
  compression: rules.boolean,
  qps: rules.number({ above: 0 }),
  burst: rules.number({ integer: true, min: 1 }),
  fetch: rules.function,
};
