import type { HookedRequest } from '../hooks.js';

/**
 * Which requests a fault concerns, and how often. What is absent does not limit it.
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
  readonly verb?: string | readonly string[];
  /** For example `pods` or `deployments.apps`. */
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
}
