import { asJsonObject, asString, objectsAt, textsAt, type JsonObject } from '../json.js';
import { objectsIn } from '../store/bucket.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { Store } from '../store/store.js';
import type { StoredObject } from '../store/storedObject.js';
import type { AccessAttributes } from './accessAttributes.js';
import type { User } from './user.js';

/** The API group of roles and bindings. */
export const rolesGroup = 'rbac.authorization.k8s.io';
const group = rolesGroup;

/** The subject of a binding that a user matches; undefined when there is none. */
function subjectFor({ content }: StoredObject, { name, groups }: User): JsonObject | undefined {
  return objectsAt(content, 'subjects').find((subject) => {
    const own = asString(subject['name']);
    if (subject['kind'] === 'User') return own === name;
    if (subject['kind'] === 'Group') return groups.includes(own);
    const namespace = asString(subject['namespace']) || content.metadata.namespace || '';
    return subject['kind'] === 'ServiceAccount' && name === `system:serviceaccount:${namespace}:${own}`;
  });
}

/** The rules of the role that a binding refers to; undefined when the role does not exist. */
export function rulesOf(store: Store, kind: string, namespace: string, name: string): readonly JsonObject[] | undefined {
  const role =
    kind === 'ClusterRole' ? store.bucket(`${group}/clusterroles`).get(name) : store.bucket(`${group}/roles`).get(`${namespace}/${name}`);
  return role && objectsAt(role.content, 'rules');
}

/** The rules that one binding gives to a user. */
interface Grant {
  /** Undefined when the role does not exist. */
  readonly rules: readonly JsonObject[] | undefined;
  readonly binding: StoredObject;
  readonly subject: JsonObject;
}

function* grantsFor(store: Store, user: User, namespace: string): Generator<Grant, void, undefined> {
  const wide = [...valuesBetween(store.bucket(`${group}/clusterrolebindings`).root)];
  const local = namespace === '' ? [] : [...objectsIn(store.bucket(`${group}/rolebindings`), namespace)];
  for (const binding of [...wide, ...local]) {
    const subject = subjectFor(binding, user);
    if (subject === undefined) continue;
    const { kind, name } = asJsonObject(binding.content['roleRef']);
    yield { rules: rulesOf(store, asString(kind), namespace, asString(name)), binding, subject };
  }
}

/** The rules that apply to a user, in the cluster and in one namespace; `''` for the cluster alone. */
export function rulesFor(store: Store, user: User, namespace: string): readonly JsonObject[] {
  return [...grantsFor(store, user, namespace)].flatMap(({ rules = [] }) => rules);
}

/** The message about roles that are bound to a user and do not exist; `''` when there are none. */
export function missingRoles(store: Store, user: User, namespace: string): string {
  const missing = [...grantsFor(store, user, namespace)].filter(({ rules }) => rules === undefined);
  const refs = missing.map(({ binding }) => asJsonObject(binding.content['roleRef']));
  const said = [...new Set(refs.map(({ kind, name }) => `${asString(kind).toLowerCase()}.${group} ${JSON.stringify(name)} not found`))];
  return said.length > 1 ? `[${said.join(', ')}]` : (said[0] ?? '');
}

const has = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value);

/** Whether one rule allows something. */
export function ruleAllows(rule: JsonObject, { verb, group: of, resource, subresource, name, path }: AccessAttributes): boolean {
  if (!has(textsAt(rule, 'verbs'), verb)) return false;
  if (path !== '')
    return textsAt(rule, 'nonResourceURLs').some(
      (url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1))),
    );
  const resources = textsAt(rule, 'resources');
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const listed = has(resources, whole) || (subresource !== '' && resources.includes(`*/${subresource}`));
  const own = textsAt(rule, 'resourceNames');
  return listed && has(textsAt(rule, 'apiGroups'), of) && (own.length === 0 || own.includes(name));
}

/** The binding, the role and the subject as named in the reason of an access review. */
function shownGrant({ binding, subject }: Grant): string {
  const { namespace } = binding.content.metadata;
  const { kind, name } = asJsonObject(binding.content['roleRef']);
  const own = asString(subject['name']);
  const account = asString(subject['namespace']) || (namespace ?? '');
  const who = JSON.stringify(subject['kind'] === 'ServiceAccount' ? `${own}/${account}` : own);
  const bound =
    namespace === undefined ? `ClusterRoleBinding "${binding.name}"` : `RoleBinding "${binding.content.metadata.name}/${namespace}"`;
  return `${bound} of ${asString(kind)} ${JSON.stringify(name)} to ${asString(subject['kind'])} ${who}`;
}

/**
 * The reason why the roles bound to a user allow something; `''` for the group `system:masters`, which may do everything. Undefined when no
 * role allows it.
 */
export function grantOf(store: Store, user: User, attributes: AccessAttributes): string | undefined {
  if (user.groups.includes('system:masters')) return '';
  for (const grant of grantsFor(store, user, attributes.namespace))
    if (grant.rules?.some((rule) => ruleAllows(rule, attributes)) === true) return `RBAC: allowed by ${shownGrant(grant)}`;
  return undefined;
}

/** One combination that a rule allows. */
function* partsOf(rule: JsonObject): Generator<AccessAttributes, void, undefined> {
  const none = { group: '', resource: '', subresource: '', namespace: '', name: '', path: '' };
  const verbs = textsAt(rule, 'verbs');
  const named = textsAt(rule, 'resourceNames');
  for (const of of textsAt(rule, 'apiGroups'))
    for (const whole of textsAt(rule, 'resources')) {
      const [resource = '', subresource = ''] = whole.split('/', 2);
      for (const verb of verbs)
        for (const name of named.length > 0 ? named : ['']) yield { ...none, verb, group: of, resource, subresource, name };
    }
  for (const path of textsAt(rule, 'nonResourceURLs')) for (const verb of verbs) yield { ...none, verb, path };
}

/** The granted rules that a user does not have. */
export function rulesBeyond(store: Store, user: User, namespace: string, rules: readonly JsonObject[]): readonly AccessAttributes[] {
  const own = rulesFor(store, user, namespace);
  return rules.flatMap((rule) => [...partsOf(rule)].filter((part) => !own.some((one) => ruleAllows(one, part))));
}
