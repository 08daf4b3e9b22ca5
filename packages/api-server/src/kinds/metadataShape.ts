import { atomicObject, listBy, object, type FieldShape } from './fieldShape.js';

/** The shape of `metadata` for custom resources, whose schemas do not describe it. */
export const metadataShape: FieldShape = object({ ownerReferences: listBy('uid', atomicObject), finalizers: { keys: [], patchKey: '' } });
