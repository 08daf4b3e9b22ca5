import type { OperatorFunction } from 'rxjs';
import { apiVersionOf, checkOptions, expectArgument, rules } from 'rx-informer/internal';
import type { KubernetesObject, Resource, ResourceChange, ResourceEvent } from 'rx-informer';
import { mappedKeys } from '../reconcile/mappedKeys.js';
import type { Trigger, TriggerError } from '../reconcile/trigger.js';
import { groupOf } from './ownerReferences.js';

/** Options of `ownerKeys`. */
export interface OwnerKeysOptions {
  /**
   * `'controller'`: only the owner that controls the object. `'any'`: every owner of the kind.
   *
   * @defaultValue `'controller'`, as controller-runtime's `Owns`
   */
  readonly owner?: 'controller' | 'any' | undefined;
}

/**
 * Turns the events or changes of dependents into triggers for their owners, by `metadata.ownerReferences`: a source of `reconcile`.
 *
 * ```text
 * events     --a---b---c--|      a: owned by x; b: went from x to y; c: has no owner of the kind
 * ownerKeys  --x---(yx)---|
 * ```
 *
 * Each notification is the key of an owner. Owner references match by group and kind; the version is ignored.
 *
 * @param owner - The owner's resource.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, customResource, resources, type KubernetesObject } from 'rx-informer';
 * import { ownerKeys } from '@rx-informer/controller';
 *
 * const websites = customResource<KubernetesObject>({
 *   group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true,
 * });
 * const deployments = createInformer(createClient(), resources.apps.v1.deployments);
 * const triggers = deployments.resource$.pipe(ownerKeys(websites));
 * ```
 *
 * @see controller-runtime's `handler.EnqueueRequestForOwner`
 */
export function ownerKeys<T extends KubernetesObject>(
  owner: Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'namespaced'>,
  options: OwnerKeysOptions = {},
): OperatorFunction<ResourceEvent<T> | ResourceChange<T>, Trigger | TriggerError> {
  return mappedKeys<T>(keysOfOwners(owner, options));
}

/** A function of the keys of an object's owners. @throws TypeError when an argument is wrong. */
export function keysOfOwners(
  owner: Pick<Resource<unknown>, 'group' | 'version' | 'kind' | 'namespaced'>,
  options: OwnerKeysOptions,
): (object: KubernetesObject) => readonly string[] {
  expectArgument('ownerKeys', 'owner', owner, rules.object);
  checkOptions('ownerKeys', options, { owner: rules.oneOf('controller', 'any') });
  const group = groupOf(apiVersionOf(owner));
  const anyOwner = options.owner === 'any';
  return ({ metadata = {} }) => {
    const { ownerReferences = [], namespace = '' } = metadata;
    return ownerReferences
      .filter(
        (reference) =>
          (anyOwner || reference.controller === true) && reference.kind === owner.kind && groupOf(reference.apiVersion) === group,
      )
      .map(({ name }) => (owner.namespaced && namespace !== '' ? `${namespace}/${name}` : name));
  };
}
