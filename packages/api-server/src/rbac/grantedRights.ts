import type { UnstructuredObject, V1PolicyRule } from 'rx-informer';
import { asJsonObject, asString, objectsAt, textsAt, valueAt, type JsonObject } from '../json.js';
import { selectorOf } from '../validation/selectorErrors.js';

/** A rule with its scope. */
export interface Grant {
  readonly rule: V1PolicyRule;
  /** `''` for the whole cluster. */
  readonly namespace: string;
  /** For example `ClusterRole web`. */
  readonly from: string;
}

/** The rules granted by manifests, and notes about objects that grant nothing. */
export interface Granted {
  readonly grants: readonly Grant[];
  readonly notes: readonly string[];
}

const group = 'rbac.authorization.k8s.io/';

interface Role {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly object: JsonObject;
}

function rbacObjects(objects: readonly UnstructuredObject[]): readonly Role[] {
  return (objects as readonly JsonObject[])
    .filter(({ apiVersion }) => asString(apiVersion).startsWith(group))
    .map((object) => {
      const { name, namespace } = asJsonObject(object['metadata']);
      return { kind: asString(object['kind']), name: asString(name), namespace: asString(namespace) || 'default', object };
    });
}

/** Whether the subject of a binding is this service account, given as namespace/name. */
function isSubject({ kind, name, namespace }: JsonObject, account: string): boolean {
  const [space = ''] = account.split('/');
  if (kind === 'ServiceAccount') return `${asString(namespace)}/${asString(name)}` === account;
  if (kind === 'User') return name === `system:serviceaccount:${account.replace('/', ':')}`;
  return ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${space}`].includes(asString(name));
}

/** A rule of a manifest. A null list (`verbs:` without a value) is empty, as in the API server. */
function ruleOf(rule: JsonObject): V1PolicyRule {
  const { verbs = [], ...lists } = Object.fromEntries(Object.entries(rule).map(([field, list]) => [field, textsAt(list)]));
  return { ...lists, verbs };
}

/** The rules of a role, including those of the roles that it aggregates. */
function rulesIn({ object }: Role, roles: readonly Role[]): readonly V1PolicyRule[] {
  const aggregated = objectsAt(object, 'aggregationRule', 'clusterRoleSelectors').flatMap((selector) =>
    roles.filter(
      (other) =>
        other.kind === 'ClusterRole' &&
        selectorOf(selector)?.matches(asJsonObject(valueAt(other.object, 'metadata', 'labels')) as Readonly<Record<string, string>>) ===
          true,
    ),
  );
  return [object, ...aggregated.map((other) => other.object)].flatMap((one) => objectsAt(one, 'rules')).map(ruleOf);
}

const everything: readonly V1PolicyRule[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/**
 * The rules granted by the Roles and ClusterRoles among some objects: by their bindings, or each in its own scope where there are no
 * bindings.
 *
 * @param account - only rules that are bound to this service account, as namespace/name.
 */
export function grantedRights(objects: readonly UnstructuredObject[], account: string | undefined): Granted {
  const found = rbacObjects(objects);
  const roles = found.filter(({ kind }) => kind === 'Role' || kind === 'ClusterRole');
  const bindings = found.filter(({ kind }) => kind === 'RoleBinding' || kind === 'ClusterRoleBinding');
  const grantsOf = (role: Role, namespace: string): readonly Grant[] =>
    rulesIn(role, roles).map((rule) => ({ rule, namespace, from: `${role.kind} ${role.name}` }));
  if (bindings.length === 0 && account === undefined)
    return { grants: roles.flatMap((role) => grantsOf(role, role.kind === 'Role' ? role.namespace : '')), notes: [] };
  const notes: string[] = [];
  const bound = new Set<Role>();
  const counts = bindings.filter(
    ({ object }) => account === undefined || objectsAt(object, 'subjects').some((one) => isSubject(one, account)),
  );
  const grants = counts.flatMap(({ kind, name, namespace, object }) => {
    const { kind: wanted, name: role } = asJsonObject(object['roleRef']);
    const scope = kind === 'RoleBinding' ? namespace : '';
    const target = roles.find((one) => one.kind === wanted && one.name === role && (wanted === 'ClusterRole' || one.namespace === scope));
    if (target !== undefined) {
      bound.add(target);
      return grantsOf(target, scope);
    }
    if (wanted === 'ClusterRole' && role === 'cluster-admin')
      return everything.map((rule) => ({ rule, namespace: scope, from: 'ClusterRole cluster-admin' }));
    notes.push(`${kind} ${name} binds the ${asString(wanted)} ${asString(role)}, which the manifests do not hold`);
    return [];
  });
  for (const role of roles)
    if (!bound.has(role)) notes.push(`${role.kind} ${role.name} is not bound${account === undefined ? '' : ` to ${account}`}`);
  return { grants, notes };
}
