import type { ResourceTarget } from '../http/routePath.js';
import { badRequest, namelessObject } from '../status/statusErrors.js';
import type { SubmittedMeta } from './objectMeta.js';

/**
 * Checks that name and namespace of an object match the path.
 *
 * @throws StatusError 400
 */
export function checkNames(
  { resource, namespace, name }: Pick<ResourceTarget, 'resource' | 'namespace' | 'name'>,
  meta: SubmittedMeta,
): void {
  if (meta.name === '') throw namelessObject(name);
  if (meta.name !== name) throw badRequest(`the name of the object (${meta.name}) does not match the name on the URL (${name})`);
  if (resource.namespaced && meta.namespace !== '' && meta.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}
