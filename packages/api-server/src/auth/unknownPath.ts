import { forbidden } from '../status/statusErrors.js';
import type { AccessAttributes } from './accessAttributes.js';
import type { AccessControl } from './accessControl.js';
import type { User } from './user.js';

const verbsOfMethod: Readonly<Record<string, readonly [ofCollection: string, ofObject: string]>> = {
  GET: ['list', 'get'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

/**
 * The access attributes of a request by its path alone, whether or not the path is served; undefined when the path is not about objects.
 */
function attributesOfPath(path: string, method: string): AccessAttributes | undefined {
  const [root, ...all] = path.split('/').filter((segment) => segment !== '');
  if (root !== 'api' && root !== 'apis') return undefined;
  const group = root === 'api' ? '' : (all[0] ?? '');
  const rest = all.slice(root === 'api' ? 1 : 2);
  // Obsolete path segments that selected an operation.
  const special = rest.length > 1 && (rest[0] === 'proxy' || rest[0] === 'watch') ? rest[0] : undefined;
  const below = special === undefined ? rest : rest.slice(1);
  const inNamespace = below[0] === 'namespaces' && below.length > 2;
  const [resource = '', name = '', subresource = ''] = inNamespace ? below.slice(2) : below;
  const verb = special ?? verbsOfMethod[method]?.[name === '' ? 0 : 1];
  if (resource === '' || verb === undefined) return undefined;
  return { verb, group, resource, subresource, namespace: inNamespace ? (below[1] ?? '') : '', name, path: '' };
}

/**
 * Checks access before a 404 reveals that the path is not served.
 *
 * @throws StatusError 403
 */
export function checkUnknownPath(access: AccessControl, user: User, path: string, method: string): void {
  const attributes = access.byRoles ? attributesOfPath(path, method) : undefined;
  if (attributes === undefined || access.allows(user, attributes)) return;
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  throw forbidden(
    { group, plural: resource },
    name,
    `User "${user.name}" cannot ${verb} resource "${whole}" in API group "${group}" ${where}`,
  );
}
