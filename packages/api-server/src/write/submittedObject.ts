import type { Cluster } from '../cluster.js';
import { objectTypeOf } from '../http/decodeBody.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { sharedWith, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest } from '../status/statusErrors.js';
import { decodeObject } from './decodeObject.js';
import { acceptFields, yamlProblems } from './fieldValidation.js';
import { submittedMetaOf } from './objectMeta.js';

/**
 * The object in the body of a request, as its kind reads it. It has the parts of the `known` object that it replaces where they are equal.
 *
 * @throws StatusError 400, 415 or 422
 */
export function submittedObject(
  cluster: Cluster,
  exchange: Exchange,
  resource: ServedResource,
  body: Buffer,
  known?: JsonObject,
): JsonObject {
  const contentType = exchange.incoming.headers['content-type'];
  const decoded = decodeObject(resource, contentType, body);
  const object = sharedWith(decoded, known) as JsonObject;
  const type = objectTypeOf(contentType);
  const problems = type === 'application/yaml' ? (): readonly string[] => yamlProblems(body.toString()) : undefined;
  const json = type === 'application/json' ? body : undefined;
  return acceptFields(cluster, exchange, resource, { object, known, by: 'body', problems, json });
}

/** The kind of the objects that a subresource takes, where that is another one. */
export function subresourceKind(resource: ServedResource, groupVersion: string, kind: string): ServedResource {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const { custom: _, conversion: _conversion, ...rest } = resource;
  return { ...rest, group, version, groupVersion, kind, bucketId: `${resource.bucketId}/${kind}`, rules: {} };
}

/** @throws StatusError 400 for an object of another namespace. */
export function checkOwnNamespace({ resource, namespace }: ResourceTarget, object: JsonObject): void {
  const meta = submittedMetaOf(resource, object);
  if (resource.namespaced && meta.namespace !== '' && meta.namespace !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
