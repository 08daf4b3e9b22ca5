import { isIP } from 'node:net';
import type { AccessOptions } from './auth/accessControl.js';
import type { WebhookService } from './admission/webhookService.js';
import type { ServerClock } from './clock.js';
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
  readonly port?: number;
  /**
   * The address to listen on. Any but those of the loopback interface need `auth` with a token: whoever reaches the port could do everything.
   * @defaultValue '127.0.0.1'
   */
  readonly bind?: string;
  /**
   * The origins of web pages that may use the server, for example `https://dashboard.example`; `*` for any. Pages of this machine always may.
   * @defaultValue []
   */
  readonly allowedOrigins?: readonly string[];
  /**
   * The generation of API servers to behave like.
   * @defaultValue 'current'
   */
  readonly profile?: ApiServerProfile;
  /** Where time comes from. The machine's clock when absent. */
  readonly clock?: ServerClock;
  /** Makes uids and generated names the same in every run. Drawn at random when absent. */
  readonly seed?: string | number;
  /** A file that keeps the objects and the resourceVersion over restarts. Everything is in memory when absent. */
  readonly file?: string;
  /**
   * How often watches that allow it get a BOOKMARK, in milliseconds.
   * @defaultValue 60000, as Kubernetes
   */
  readonly bookmarkIntervalMs?: number;
  /** How long a pod stays that is being deleted, in milliseconds; `Infinity` until a client removes it. Its own grace period when absent. */
  readonly gracefulDeletionMs?: number;
  /**
   * Whether deleting an owner deletes its dependents.
   * @defaultValue true
   */
  readonly garbageCollection?: boolean;
  /**
   * How many changes of each resource are kept for watches and exact lists. Older resourceVersions answer 410.
   * @defaultValue 10000
   */
  readonly historyLimit?: number;
  /**
   * Whether `metadata.managedFields` has the owners of the fields of every object that came over HTTP, as on a real server. Otherwise that begins with the
   * first server-side apply of an object: objects stay small, and writes take a third less of the processor.
   * @defaultValue true
   */
  readonly managedFields?: boolean;
  /**
   * Whether built-in kinds are held to the definitions of Kubernetes: wrong types are refused, unknown fields are left out and warned of. With
   * `'none'` their objects are taken as they are sent.
   * @defaultValue 'full'
   */
  readonly schema?: 'full' | 'none';
  /**
   * Whether lists and watches heed `shardSelector` (KEP-5866), the feature gate ShardedListAndWatch of Kubernetes 1.36 and later.
   * @defaultValue false, as there
   */
  readonly shardedListAndWatch?: boolean;
  /**
   * Whether other processes can bring in faults and read what has happened, under the path `/-/`.
   * @defaultValue false
   */
  readonly control?: boolean;
  /** Who may use the server: with this present, requests need a token or a client certificate. All users are administrators when absent. */
  readonly auth?: AccessOptions;
  /**
   * Whether to serve HTTPS, with certificates made for this server: HTTP/2 with clients that offer it, HTTP/1.1 with the others.
   * @defaultValue false
   */
  readonly tls?: boolean;
  /**
   * Where a service is reached that webhooks are behind, as `host:port`: a test runs them in its own process. When absent, and for `undefined`, the external
   * name of the service counts, or the first address of its Endpoints. TLS is checked for `NAME.NAMESPACE.svc` all the same.
   */
  readonly serviceAddress?: (service: WebhookService) => string | undefined;
  /** Places to step in. */
  readonly hooks?: ServerHooks;
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

/** Whether only programs of this machine reach an address. */
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

function checkedSchema(schema: string): CompleteOptions['schema'] {
  if (schema === 'full' || schema === 'none') return schema;
  throw new TypeError(`Expected \`schema\` to be one of full, none, got ${JSON.stringify(schema)}`);
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
    schema: checkedSchema(schema),
  };
}
