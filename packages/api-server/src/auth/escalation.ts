import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import type { ResourceTarget } from '../http/routePath.js';
import { asJsonObject, asString, isJsonArray, isEqualJson, objectsAt, valueAt, without, type JsonObject } from '../json.js';
import { badRequest, bareError, forbidden, notFound } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import type { AccessAttributes } from './accessAttributes.js';
import { rolesGroup as group, rulesBeyond, rulesOf } from './roleAccess.js';

/** The rules that a user must have to aggregate roles by labels, since the labels may select any role. */
const everything: readonly JsonObject[] = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
];

/** A right in words, for example `get deployments.apps/scale "web"`. */
function shownRight({ verb, group: of, resource, subresource, name, path }: AccessAttributes): string {
  const whole = `${resource}${of && `.${of}`}${subresource && `/${subresource}`}${name && ` ${JSON.stringify(name)}`}`;
  return `${verb} ${path === '' ? whole : path}`;
}

const gathers = (content: StoredContent | undefined): boolean => {
  const selectors = valueAt(content, 'aggregationRule', 'clusterRoleSelectors');
  return isJsonArray(selectors) && selectors.length > 0;
};

/** Whether a write only helps the garbage collector: it changes nothing but owner references and finalizers. */
function isForCollection(before: StoredContent | undefined, after: StoredContent): boolean {
  if (before === undefined) return false;
  const rest = ({ metadata, ...content }: StoredContent): JsonObject => ({
    ...content,
    metadata: without(metadata, 'ownerReferences', 'finalizers', 'managedFields', 'resourceVersion'),
  });
  return isEqualJson(rest(before), rest(after));
}

/**
 * Prevents users from granting rights by roles and bindings that they do not have themselves, unless they may `escalate` or `bind`.
 *
 * @throws StatusError 403; 404 for a binding to a missing role.
 */
export function checkEscalation(
  { access, store }: Cluster,
  { user }: Exchange,
  { resource, namespace, name }: Pick<ResourceTarget, 'resource' | 'namespace' | 'name'>,
  after: StoredContent,
  before?: StoredContent,
): void {
  if (!access.byRoles || resource.group !== group || user.groups.includes('system:masters') || isForCollection(before, after)) return;
  const refuse = (reason: string): Error => forbidden(resource, after.metadata.name, reason);
  const may = (verb: string, of: string, own: string): boolean =>
    access.allows(user, { verb, group, resource: of, subresource: '', namespace, name: own, path: '' });
  const confirm = (rules: readonly JsonObject[]): void => {
    const beyond = rulesBeyond(store, user, namespace, rules);
    if (beyond.length === 0) return;
    const who = `user ${JSON.stringify(user.name)} (groups=${JSON.stringify(user.groups)})`;
    throw refuse(`${who} is attempting to grant RBAC permissions not currently held:\n${beyond.map(shownRight).sort().join('\n')}`);
  };
  const { plural } = resource;
  if (plural === 'roles' || plural === 'clusterroles') {
    if (may('escalate', plural, name)) return;
    const { rules } = after;
    confirm(objectsAt(rules));
    if ((gathers(after) || gathers(before)) && rulesBeyond(store, user, namespace, everything).length > 0)
      throw refuse('must have cluster-admin privileges to use the aggregationRule');
    return;
  }
  const { kind, name: role } = asJsonObject(after['roleRef']);
  if (kind !== 'Role' && kind !== 'ClusterRole') throw bareError(`unsupported role reference kind: ${JSON.stringify(asString(kind))}`);
  const of = kind === 'Role' ? 'roles' : 'clusterroles';
  if (may('bind', of, asString(role))) return;
  if (role === '') throw badRequest('Name parameter required.');
  const rules = rulesOf(store, asString(kind), namespace, asString(role));
  // The error of the storage, which looks up the role for the binding.
  if (rules === undefined) throw notFound(resource, asString(role));
  confirm(rules);
}
