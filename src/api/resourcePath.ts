import { notAResource, resourceName } from './resourceName.js';

/** Which part of a resource a path points to. */
export interface ResourcePathTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

function segment(field: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/') || value.includes('%') || /\p{Surrogate}/u.test(value)) {
    throw new TypeError(`Expected \`${field}\` to be a name that can stand in a URL, got ${JSON.stringify(value)}`);
  }
  return encodeURIComponent(value);
}

/**
 * The URL path of a resource, of one namespace of it, of one object or of an object's subresource, every name escaped.
 *
 * An absent or empty namespace of a namespaced resource means all namespaces.
 *
 * @throws TypeError when a name cannot stand in a URL, when a cluster-scoped resource is given a namespace, when one object of a namespaced
 * resource has none, and for a subresource of no object.
 */
export function resourcePath(
  resource: { readonly group: string; readonly version: string; readonly plural: string; readonly namespaced: boolean },
  target: ResourcePathTarget = {},
): string {
  if (typeof (resource as unknown) !== 'object') throw notAResource(resource);
  const { namespace = '', name, subresource } = target;
  if (!resource.namespaced && namespace !== '') {
    throw new TypeError(
      `Expected no \`namespace\` for the cluster-scoped resource ${resourceName(resource)}, got ${JSON.stringify(namespace)}`,
    );
  }
  if (resource.namespaced && namespace === '' && name !== undefined) {
    throw new TypeError(
      `Expected a \`namespace\` for ${JSON.stringify(name)} of the namespaced resource ${resourceName(resource)}, got none`,
    );
  }
  if (name === undefined && subresource !== undefined) {
    throw new TypeError(`Expected a \`name\` for the subresource ${JSON.stringify(subresource)} of ${resourceName(resource)}, got none`);
  }
  let path =
    resource.group === ''
      ? `/api/${segment('version', resource.version)}`
      : `/apis/${segment('group', resource.group)}/${segment('version', resource.version)}`;
  if (namespace !== '') path += `/namespaces/${segment('namespace', namespace)}`;
  path += `/${segment('plural', resource.plural)}`;
  if (name !== undefined) path += `/${segment('name', name)}`;
  if (subresource !== undefined) path += `/${segment('subresource', subresource)}`;
  return path;
}
