import type { HookedRequest } from '../hooks.js';

/** The verbs of faults: those of Kubernetes and, for paths outside the API, the method in lower case. */
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
 * import type { FaultScope } from 'rx-informer/testing';
 *
 * // The second and third update of any deployment by the deployer, within the next minute.
 * const scope: FaultScope = { verb: 'update', resource: 'deployments.apps', userAgent: /^deployer/, skip: 1, count: 2, forMs: 60_000 };
 * ```
 */
export interface FaultScope {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `deletecollection`; several in a list. */
  readonly verb?: FaultVerb | readonly FaultVerb[];
  /** For example `pods` or `deployments.apps`: one that is served, or of a group that no built-in kind has. */
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** A path, or what it has to match. */
  readonly path?: string | RegExp;
  /** The `User-Agent` header, or what it has to match. */
  readonly userAgent?: string | RegExp;
  /** Who sends the request. */
  readonly user?: string;
  /** Whatever else decides. */
  readonly when?: (request: HookedRequest) => boolean;
  /** How many matching requests (of event faults: events) pass unharmed first. */
  readonly skip?: number;
  /** How often the fault strikes at most. */
  readonly count?: number;
  /** How long the fault is there, in milliseconds of the server's clock. */
  readonly forMs?: number;
  /** How likely it strikes where it could, from 0 to 1. */
  readonly probability?: number;
  /**
   * Whether it may never strike. Closing the server fails otherwise, since a test of a fault that nothing met shows nothing; a fault with a `probability`
   * below 1, and one taken out by `clear()`, may.
   * @defaultValue false
   */
  readonly optional?: boolean;
}
