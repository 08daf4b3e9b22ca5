import { asString, isJsonArray, valueAt, type JsonObject } from '../json.js';

/** The finalizer that keeps a definition until the last of its objects is gone. */
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io';

/** The versions that objects are stored in. */
export function storedVersionsOf(definition: JsonObject): readonly string[] {
  const versions = valueAt(definition, 'spec', 'versions');
  const stored = isJsonArray(versions) ? versions.filter((version) => valueAt(version, 'storage') === true) : [];
  return stored.map((version) => asString(valueAt(version, 'name')));
}

/** The status of a definition that has just been made. */
export function definitionStatus(definition: JsonObject): JsonObject {
  return { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storedVersionsOf(definition) };
}

/** The status of a definition that is about to go. */
export function terminatingStatus(status: JsonObject, now: string): JsonObject {
  const { conditions } = status;
  const others = (isJsonArray(conditions) ? conditions : []).filter((condition) => valueAt(condition, 'type') !== 'Terminating');
  const message = 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  const condition = { type: 'Terminating', status: 'True', lastTransitionTime: now, reason: 'InstanceDeletionPending', message };
  return { ...status, conditions: [...others, condition] };
}
