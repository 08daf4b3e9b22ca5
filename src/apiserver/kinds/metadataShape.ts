import { atomicObject, listBy, object, type FieldShape } from './fieldShape.js';

/** `metadata` of objects whose kind says nothing of it: custom resources. */
export const metadataShape: FieldShape = object({
  ownerReferences: listBy('uid', atomicObject),
  finalizers: { keys: [], patchKey: '' },
});
