import { asString, listAt, valueAt, type JsonObject } from '../json.js';

/** The finalizer that keeps a definition until all its objects are deleted. */
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io';

/** The storage versions of a definition. */
export function storedVersionsOf(definition: JsonObject): readonly string[] {
  const stored = listAt(definition, 'spec', 'versions').filter((version) => valueAt(version, 'storage') === true);
  return stored.map((version) => asString(valueAt(version, 'name')));
}

/** The status of a new definition. */
export function definitionStatus(definition: JsonObject): JsonObject {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storedVersionsOf(definition) };
}

/** The status of a definition that is being deleted. */
export function terminatingStatus(status: JsonObject, now: string): JsonObject {
  const others = listAt(status, 'conditions').filter((condition) => valueAt(condition, 'type') !== 'Terminating');
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const condition = { type: 'Terminating', status: 'True', lastTransitionTime: now, reason: 'InstanceDeletionPending', message };
  return { ...status, conditions: [...others, condition] };
}
