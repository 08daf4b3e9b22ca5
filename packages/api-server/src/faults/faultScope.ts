import type { HookedRequest } from '../hooks.js';

/** The verbs of faults: those of Kubernetes, and lower-case HTTP methods for paths outside the API. */
export const faultVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'post',
  'put',
  'head',
  'options',
] as const;

/** The verb of a request. `post`, `put`, `head` and `options` are for paths outside the API. */
export type FaultVerb = (typeof faultVerbs)[number];

/**
 * The requests that a fault affects, and how often. An absent field does not limit it.
 *
 * @example
 * ```ts
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const server = await startApiServer();
 * // The second and third update of any deployment by the deployer, within the next minute.
 * server.faults.inject({ type: 'cut', at: 'headers', verb: 'update', resource: 'deployments.apps', userAgent: /^deployer/, skip: 1, count: 2, forMs: 60_000 });
 * ```
 */
export interface FaultScope {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; several in a list. */
  readonly verb?: FaultVerb | readonly FaultVerb[];
  /** For example `pods` or `deployments.apps`: a served resource, or one of a group without built-in kinds. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** A path, or a pattern for it. */
  readonly path?: string | RegExp;
  /** The `User-Agent` header, or a pattern for it. */
  readonly userAgent?: string | RegExp;
  /** The name of the user who sends the request. */
  readonly user?: string;
  /** A further condition on the request. */
  readonly when?: (request: HookedRequest) => boolean;
  /** The number of matching requests (for event faults: events) that pass first. */
  readonly skip?: number;
  /** How often the fault strikes at most. */
  readonly count?: number;
  /** How long the fault is active, in milliseconds of the server's clock. */
  readonly forMs?: number;
  /** The probability that it strikes a matching request, from 0 to 1. */
  readonly probability?: number;
  /**
   * Whether the fault need not strike. Otherwise closing the server fails if it never struck, because a test whose fault never strikes
   * proves nothing. Faults with a `probability` below 1, and faults removed by `clear()`, need not strike.
   * @defaultValue false
   */
  readonly optional?: boolean;
}
