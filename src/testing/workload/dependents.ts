import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { isAlreadyExists, isConflict, isNotFound } from '../../api/errors/apiError.js';
import { controllerOf } from '../../controller/owners/ownerReferences.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';

/** The index of objects by the uid of their controller. */
export const controllerIndex = 'controller';

/** Indexes an object by the uid of its controller. */
export function controllerIndexFunc(object: KubernetesObject): readonly string[] {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
}

/** The objects in the cache that an owner controls, by name. */
export function dependentsOf<T extends KubernetesObject>(cache: SharedInformer<T>, owner: KubernetesObject): T[] {
  const dependents = cache.indexer.byIndex(controllerIndex, owner.metadata?.uid ?? '');
  return dependents.sort((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
}

/**
 * Awaits a write and ignores its error if the object already exists, is gone, or has changed, in which case it will be reconciled again.
 *
 * @returns whether it was written.
 */
export async function tolerate(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error) && !isConflict(error)) throw error;
    return false;
  }
}
