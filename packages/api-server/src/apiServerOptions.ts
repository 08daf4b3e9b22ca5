import { isIP } from 'node:net';
import type { AccessOptions } from './auth/accessControl.js';
import type { WebhookService } from './admission/webhookService.js';
import type { Clock } from 'rx-informer/workqueue';
import type { ServerHooks } from './hooks.js';
import { profiles, type ApiServerProfile } from './profile.js';

/**
 * Options of the embedded API server.
 */
export interface ApiServerOptions {
  /**
   * The port; 0 for any free one.
   * @defaultValue 0
   */
  readonly port?: number | undefined;
  /**
   * The address to listen on. Addresses other than loopback require `auth` with a token, since otherwise anybody who can reach the port could do anything.
   * @defaultValue '127.0.0.1'
   */
  readonly bind?: string | undefined;
  /**
   * The origins of web pages that may use the server and read its answers, for example `https://dashboard.example`; `*` for any. Those of this machine may read with `cors`.
   * @defaultValue []
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /**
   * Whether web pages of this machine may read answers (CORS), on any port: those of a development server, for example.
   * @defaultValue false
   */
  readonly cors?: boolean | undefined;
  /**
   * The generation of API servers to behave like.
   * @defaultValue 'current'
   */
  readonly profile?: ApiServerProfile | undefined;
  /** The clock, in milliseconds since 1970: an RxJS scheduler, or a manual clock that a test advances. @defaultValue the machine's clock */
  readonly clock?: Clock | undefined;
  /** Makes uids and generated names the same in every run. @defaultValue a random one */
  readonly seed?: string | number | undefined;
  /** A file that keeps the objects and the resourceVersion over restarts. @defaultValue none: everything is in memory */
  readonly file?: string | undefined;
  /**
   * Whether resourceVersions begin at the clock: then those of an earlier server at the same address are too old, and its clients list again instead of
   * waiting for versions that are still to come. Versions of a `file` go on.
   * @defaultValue false: they begin at 1
   */
  readonly versionsFromClock?: boolean | undefined;
  /**
   * How often watches that allow it get a BOOKMARK, in milliseconds.
   * @defaultValue 60000, as Kubernetes
   */
  readonly bookmarkIntervalMs?: number | undefined;
  /** How long a pod that is being deleted stays, in milliseconds; `Infinity` until a client removes it. @defaultValue its own grace period */
  readonly gracefulDeletionMs?: number | undefined;
  /**
   * Whether deleting an owner deletes its dependents.
   * @defaultValue true
   */
  readonly garbageCollection?: boolean | undefined;
  /**
   * How many changes of each resource are kept for watches and exact lists. Older resourceVersions answer 410.
   * @defaultValue 10000
   */
  readonly historyLimit?: number | undefined;
  /**
   * Whether `metadata.managedFields` records the owners of fields from the first write over HTTP, as on a real server. With `false`,
   * recording begins with the first server-side apply of an object: objects stay small, and writes take a third less processor time.
   * @defaultValue true
   */
  readonly managedFields?: boolean | undefined;
  /**
   * Whether objects of built-in kinds are validated against the definitions of Kubernetes: wrong types are refused, unknown fields are
   * dropped with a warning. With `'none'`, they are stored as sent.
   * @defaultValue 'full'
   */
  readonly schema?: 'full' | 'none' | undefined;
  /**
   * Whether lists and watches apply `shardSelector` (KEP-5866), the feature gate ShardedListAndWatch of Kubernetes 1.36 and later.
   * @defaultValue false, as in Kubernetes
   */
  readonly shardedListAndWatch?: boolean | undefined;
  /**
   * Which built-in versions and resources are served, in the words of kube-apiserver's `--runtime-config`: `{ 'api/all': 'true' }`,
   * `{ 'resource.k8s.io/v1beta2': 'true' }`, `{ 'apps/v1/deployments': 'false' }`.
   * @defaultValue the stable versions, as in Kubernetes
   */
  readonly runtimeConfig?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether other processes can inject faults and read the recorded requests, under the path `/-/`.
   * @defaultValue false
   */
  readonly control?: boolean | undefined;
  /** Authentication and authorization: with this option, requests need a token or a client certificate. Without it, all users are administrators. */
  readonly auth?: AccessOptions | undefined;
  /**
   * Whether to serve HTTPS, with certificates made for this server: HTTP/2 with clients that offer it, HTTP/1.1 with the others.
   * @defaultValue false
   */
  readonly tls?: boolean | undefined;
  /**
   * The address of a webhook's service as `host:port`, for tests that run webhooks in their own process. When absent, or when it returns
   * undefined, the service's external name is used, or the first address of its Endpoints. The certificate is still checked for
   * `NAME.NAMESPACE.svc`.
   */
  readonly serviceAddress?: ((service: WebhookService) => string | undefined) | undefined;
  /** Functions called while requests are handled. @internal */
  readonly hooks?: ServerHooks | undefined;
}

/** Options with every default filled in. */
export interface CompleteOptions {
  readonly port: number;
  readonly bind: string;
  readonly allowedOrigins: readonly string[];
  readonly profile: ApiServerProfile;
  readonly bookmarkIntervalMs: number;
  readonly gracefulDeletionMs: number | undefined;
  readonly garbageCollection: boolean;
  readonly historyLimit: number;
  readonly managedFields: boolean;
  readonly schema: 'full' | 'none';
}

function expectNumber(name: string, value: number, smallest: number, largest: number, whole: boolean): number {
  if (typeof value === 'number' && value >= smallest && value <= largest && (!whole || Number.isInteger(value))) return value;
  const range = largest === Infinity ? `at least ${String(smallest)}` : `from ${String(smallest)} to ${String(largest)}`;
  throw new TypeError(`Expected \`${name}\` to be ${whole ? 'an integer' : 'a number'} ${range}, got ${String(value)}`);
}

/** Whether an address can be reached from this machine only. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127\.\d+\.\d+\.\d+$/.test(address);
}

function checkedAddress(bind: string, auth: AccessOptions | undefined): string {
  if (bind !== 'localhost' && isIP(bind) === 0) throw new TypeError(`Expected \`bind\` to be an IP address, got ${JSON.stringify(bind)}`);
  if (isLoopback(bind) || Object.keys(auth?.tokens ?? {}).length > 0) return bind;
  throw new TypeError(`Expected \`auth\` with a token, since \`bind\` opens the server to other machines: ${bind}`);
}

function checkedOrigin(origin: string): string {
  if (origin === '*' || /^https?:\/\/[^/]+$/.test(origin)) return origin;
  throw new TypeError(`Expected \`allowedOrigins\` to be origins such as https://dashboard.example, or *, got ${JSON.stringify(origin)}`);
}

/**
 * Checks options and fills in defaults.
 *
 * @throws TypeError that names the option.
 */
export function completeOptions(options: ApiServerOptions): CompleteOptions {
  const {
    port = 0,
    bind = '127.0.0.1',
    allowedOrigins = [],
    profile = 'current',
    bookmarkIntervalMs = 60_000,
    gracefulDeletionMs,
    garbageCollection = true,
    historyLimit = 10_000,
    managedFields = true,
    schema = 'full',
  } = options;
  if (!Object.hasOwn(profiles, profile)) {
    throw new TypeError(`Expected \`profile\` to be one of ${Object.keys(profiles).join(', ')}, got ${JSON.stringify(profile)}`);
  }
  return {
    port: expectNumber('port', port, 0, 65_535, true),
    bind: checkedAddress(bind, options.auth),
    allowedOrigins: allowedOrigins.map(checkedOrigin),
    profile,
    bookmarkIntervalMs: expectNumber('bookmarkIntervalMs', bookmarkIntervalMs, 1, Infinity, false),
    gracefulDeletionMs:
      gracefulDeletionMs === undefined ? undefined : expectNumber('gracefulDeletionMs', gracefulDeletionMs, 0, Infinity, false),
    garbageCollection,
    historyLimit: expectNumber('historyLimit', historyLimit, 1, Infinity, true),
    managedFields,
    schema,
  };
}
