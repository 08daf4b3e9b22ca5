import { checkOptions, expectArgument, rules } from '../../api/options.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { KubeClient, RequestOptions } from '../../client/kubeClient.js';

/** Options of `applyObject` and `applyStatus`. */
export interface ApplyOptions extends RequestOptions {
  /** The manager of the applied fields. */
  readonly fieldManager: string;
  /**
   * Whether to take over fields of other managers. A controller should, since it cannot resolve a conflict.
   *
   * @defaultValue true
   */
  readonly force?: boolean | undefined;
}

function nameOf(owner: string, object: KubernetesObject): string {
  expectArgument(owner, 'object', object, rules.object);
  const { name = '' } = object.metadata ?? {};
  if (name === '') throw new TypeError('Expected `object` to have a `metadata.name`, got none');
  return name;
}

function patchOptions(owner: string, object: KubernetesObject, given: ApplyOptions) {
  checkOptions(owner, given, {
    fieldManager: rules.required(rules.nonEmptyString),
    force: rules.boolean,
    beforeSend: rules.function,
    rateLimited: rules.boolean,
    signal: rules.signal,
    timeoutMs: rules.durationMs,
  });
  const { force = true, ...options } = given;
  const { namespace } = object.metadata ?? {};
  return { ...options, force, ...(namespace !== undefined && { namespace }) };
}

/**
 * Applies an object by server-side apply: creates it if it is missing, leaves fields of others
 * alone, and removes fields that this program applied before and no longer does.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { applyObject } from 'rx-informer/controller';
 *
 * await applyObject(
 *   createClient(),
 *   resources.core.v1.configmaps,
 *   { metadata: { name: 'site', namespace: 'default' }, data: { title: 'Hello' } },
 *   { fieldManager: 'website-operator' },
 * );
 * ```
 */
export function applyObject<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: ApplyOptions,
): Promise<T> {
  const name = nameOf('applyObject', object);
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  return client.patch(resource, name, 'apply', { ...object, metadata }, patchOptions('applyObject', object, options));
}

/**
 * Applies the status of an object, and nothing else of it, by server-side apply.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { applyStatus } from 'rx-informer/controller';
 *
 * const client = createClient();
 * const service = await client.get(resources.core.v1.services, 'site', { namespace: 'default' });
 * const status = { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } };
 * await applyStatus(client, resources.core.v1.services, { ...service, status }, { fieldManager: 'balancer' });
 * ```
 */
export function applyStatus<T extends KubernetesObject & { readonly status?: unknown }>(
  client: KubeClient,
  resource: Resource<T>,
  object: T,
  options: ApplyOptions,
): Promise<T> {
  const name = nameOf('applyStatus', object);
  const { namespace } = object.metadata ?? {};
  const patch = { metadata: { name, ...(namespace !== undefined && { namespace }) }, status: object.status };
  return client.status.patch(resource, name, 'apply', patch, patchOptions('applyStatus', object, options));
}
