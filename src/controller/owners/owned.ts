import type { OperatorFunction } from 'rxjs';

import { apiVersionOf } from '../../api/apiVersionOf.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { mapped } from '../reconcile/mapped.js';
import type { Trigger, TriggerError } from '../reconcile/trigger.js';

/**
 * Options of `owned`.
 */
export interface OwnedOptions {
  /**
   * `'controller'`: only the owner that controls the object. `'any'`: every owner of the kind.
   *
   * @defaultValue `'controller'`, as controller-runtime's `Owns`
   */
  readonly owner?: 'controller' | 'any';
}

function groupOf(apiVersion: string): string {
  const at = apiVersion.indexOf('/');
  return at === -1 ? '' : apiVersion.slice(0, at);
}

/**
 * Turns the events of dependents into triggers for their owners, by `metadata.ownerReferences`: a source of `reconcile`.
 *
 * ```text
 * events   --a---b---c--|      a: owned by x; b: went from x to y; c: has no owner of the kind
 * owned    --x---(yx)---|
 * ```
 *
 * Each notification is the key of an owner. The version in an owner reference does not matter, the group and the kind do.
 *
 * @param owner - The owner's resource.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, customResource, owned, resources, type KubernetesObject } from 'rx-informer';
 *
 * const websites = customResource<KubernetesObject>({
 *   group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true,
 * });
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * const triggers = deployments.resource$.pipe(owned(websites));
 * ```
 *
 * @see controller-runtime's `handler.EnqueueRequestForOwner`
 */
export function owned<T extends KubernetesObject>(
  owner: Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'namespaced'>,
  options: OwnedOptions = {},
): OperatorFunction<ResourceEvent<T>, Trigger | TriggerError> {
  const group = groupOf(apiVersionOf(owner));
  const anyOwner = options.owner === 'any';
  return mapped((object) => {
    const { ownerReferences = [], namespace = '' } = object.metadata ?? {};
    return ownerReferences
      .filter(
        (reference) =>
          (anyOwner || reference.controller === true) && reference.kind === owner.kind && groupOf(reference.apiVersion) === group,
      )
      .map(({ name }) => (owner.namespaced && namespace !== '' ? `${namespace}/${name}` : name));
  });
}
