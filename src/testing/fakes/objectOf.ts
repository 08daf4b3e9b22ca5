import { apiVersionOf, type Resource, resourceName } from '../../api/resource.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { type Overrides, withOverrides } from './withOverrides.js';

function namesOf(resource: Resource<unknown, never>, name: string): { readonly name: string; readonly namespace?: string } {
  const parts: readonly string[] = typeof name === 'string' ? name.split('/') : [];
  const [first = '', second] = parts;
  const wrong = parts.length > (resource.namespaced ? 2 : 1) || parts.includes('');
  if (parts.length === 0 || wrong) {
    const form = resource.namespaced ? '"namespace/name" or "name"' : '"name"';
    throw new TypeError(`Expected \`name\` of ${resourceName(resource)} to be ${form}, got ${JSON.stringify(name)}`);
  }
  if (!resource.namespaced) return { name: first };
  return second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
}

/**
 * An object as a server would send it; equal for equal arguments: its uid is computed from its kind, namespace and name, its version is `1`.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { objectOf } from 'rx-informer/testing';
 *
 * const service = objectOf(resources.core.v1.services, 'shop/web', { metadata: { resourceVersion: '7' }, spec: { type: 'NodePort' } });
 * ```
 *
 * @param name - `namespace/name`, or `name` alone, which means the namespace `default` for a namespaced resource.
 * @param overrides - Merged into it, field by field; lists are replaced as a whole, and `undefined` removes a field.
 * @throws TypeError when the name is invalid.
 */
export function objectOf<T extends KubernetesObject>(resource: Resource<T>, name: string, overrides?: Overrides<T>): T {
  const names = namesOf(resource, name);
  const uid = ['uid-of', resource.kind.toLowerCase(), ...(names.namespace === undefined ? [] : [names.namespace]), names.name].join('-');
  const base = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { ...names, uid, resourceVersion: '1' } };
  return withOverrides(base as unknown as T, overrides);
}
