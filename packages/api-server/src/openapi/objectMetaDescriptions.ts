import { asJsonObject, isJsonObject, type JsonObject } from '../json.js';
import type { Definitions } from '../schema/builtIn/definitions.js';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Descriptions of the metadata fields, shown by `kubectl explain`; the same for all kinds. */
const descriptions: Readonly<Record<string, string>> = {
  annotations: 'Annotations are values by key that programs keep with an object. They cannot be selected by.',
  creationTimestamp: 'CreationTimestamp is a timestamp of the server, set when the object was created. Clients do not set it.',
  deletionGracePeriodSeconds: 'Seconds that the object is given to end before it is removed. Set beside deletionTimestamp.',
  deletionTimestamp: 'DeletionTimestamp is the time after which the object is removed, once its finalizers are gone. Set by the server.',
  finalizers: 'Names of those that have work to do before the object is removed. It stays until the list is empty.',
  generateName: 'GenerateName is a prefix that the server makes a unique name of, where no name is given.',
  generation: 'A number that grows with each change of the desired state. Set by the server.',
  labels: 'Labels are values by key that objects are grouped and selected by.',
  managedFields: 'ManagedFields says which manager of server-side apply owns which fields.',
  name: 'Name is unique among the objects of a kind in a namespace. It cannot be changed.',
  namespace: 'Namespace is where the name is unique. Empty for objects of the whole cluster.',
  ownerReferences: 'Objects that this one depends on. It is collected when all of them are gone.',
  resourceVersion: 'A value that changes with each write of the object; it is opaque to clients.',
  selfLink: 'SelfLink is not set any more.',
  uid: 'UID tells this object from others that had or will have its name. Set by the server.',
};

/** The definitions of the built-in kinds, with descriptions of the metadata. */
export function describedDefinitions(all: Definitions): Definitions {
  const meta = all[objectMeta];
  if (meta === undefined) return all;
  const properties = Object.entries(asJsonObject(meta['properties'])).map(([name, property]): [string, JsonObject] => [
    name,
    { ...(isJsonObject(property) && property), ...(descriptions[name] !== undefined && { description: descriptions[name] }) },
  ]);
  return { ...all, [objectMeta]: { ...meta, properties: Object.fromEntries(properties) } };
}
