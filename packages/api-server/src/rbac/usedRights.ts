import type { V1PolicyRule } from 'rx-informer';
import { checkOptions, rules } from 'rx-informer/internal';
import { yamlOf } from '../http/yamlText.js';
import { type Manifests, objectsOf } from '../manifests.js';
import { type Grant, grantedRights } from './grantedRights.js';
import { allowsDemand } from './policyRule.js';
import type { UsedRight } from './rightsLog.js';
import { isEverybodys, rolesOf, type ScopedRight, type UsedRole } from './usedRoles.js';

/** Options of `server.rbac()`. */
export interface RbacOptions {
  /** Only rights of clients whose user agent begins with this text, or matches the pattern: those of the program under test. */
  readonly userAgent?: string | RegExp | undefined;
  /** Only rights used by this user. */
  readonly user?: string | undefined;
  /**
   * The namespaces that get a Role of their own: `'used'` for all namespaces of the rights, `'any'` for none, so that one ClusterRole has
   * all rights; a list for exactly these, if the other namespaces belong to the test.
   * @defaultValue 'used'
   */
  readonly namespaces?: 'used' | 'any' | readonly string[] | undefined;
  /**
   * The resources whose rules get `resourceNames`: `'used'` for all that were requested by name only, `'any'` for none; a list for exactly
   * these, for example `['leases.coordination.k8s.io']`, if the names of other resources belong to the test.
   * @defaultValue 'used'
   */
  readonly names?: 'used' | 'any' | readonly string[] | undefined;
  /**
   * The name of the roles.
   * @defaultValue 'used'
   */
  readonly roleName?: string | undefined;
  /** Binds the roles to this service account, written as `namespace/name`. */
  readonly serviceAccount?: string | undefined;
}

/** Options of `expectGrantedBy`. */
export interface GrantedByOptions {
  /**
   * Whether unused rights in the manifests are an error as well: a verb, a resource or a name. The number of namespaces does not matter.
   * @defaultValue false
   */
  readonly exact?: boolean | undefined;
  /** Only roles bound to this service account, as `namespace/name`. @defaultValue all bound roles, or all roles if there are no bindings */
  readonly serviceAccount?: string | undefined;
}

/** The differences between granted and used rights. */
export type RbacDifferences = Readonly<{
  /** Used rights that are not granted. */
  missing: readonly UsedRole[];
  /** Granted rules that were not used, each with its role. */
  unused: readonly { readonly role: string; readonly rule: V1PolicyRule }[];
  /** Roles without a binding, and bindings of missing roles. */
  notes: readonly string[];
}>;

/** The rights that clients have used. */
export interface UsedRights {
  /** The used rights, by client, in the order of their first use. */
  readonly rights: readonly UsedRight[];
  /** The smallest roles that allow the used rights: a ClusterRole, and a Role for each namespace. */
  readonly roles: readonly UsedRole[];
  /** The same as YAML, with bindings where a service account is named. */
  readonly yaml: string;
  /** Compares the used rights with the Roles, ClusterRoles and bindings of manifests. */
  compare(manifests: Manifests, options?: Omit<GrantedByOptions, 'exact'>): RbacDifferences;
  /**
   * Checks that manifests grant all used rights.
   *
   * @throws Error that names the missing rules; with `exact`, the unused rules as well.
   */
  expectGrantedBy(manifests: Manifests, options?: GrantedByOptions): void;
}

const scopeRule = rules.either(rules.oneOf('used', 'any'), rules.listOf(rules.nonEmptyString, 'names'));
const accountRule = {
  expected: 'a service account as namespace/name',
  holds: (value: unknown) => typeof value === 'string' && /^[^/]+\/[^/]+$/.test(value),
};

const keeps = (kept: 'used' | 'any' | readonly string[] | undefined, one: string): boolean =>
  kept === undefined || kept === 'used' || (kept !== 'any' && kept.includes(one));

function scoped({ verb, group, resource, namespace, names, path }: UsedRight, options: RbacOptions): ScopedRight {
  const [plural = ''] = resource.split('/');
  const named = names !== undefined && keeps(options.names, group === '' ? plural : `${plural}.${group}`);
  return {
    verb,
    group,
    resource,
    path,
    names: named ? names : undefined,
    namespace: keeps(options.namespaces, namespace) ? namespace : '',
  };
}

function selected(all: readonly UsedRight[], { userAgent, user }: RbacOptions): readonly UsedRight[] {
  const ofAgent = (agent: string): boolean =>
    userAgent === undefined || (typeof userAgent === 'string' ? agent.startsWith(userAgent) : agent.search(userAgent) >= 0);
  const found = all.filter((right) => ofAgent(right.userAgent) && (user === undefined || right.user === user));
  if (found.length > 0 || (userAgent === undefined && user === undefined)) return found;
  // Without matching requests, any role would be sufficient: a misspelt name must not make a test pass.
  const seen = [...new Set(all.map((right) => `${right.userAgent} (${right.user})`))].join(', ');
  const wanted = [...(userAgent === undefined ? [] : [String(userAgent)]), ...(user === undefined ? [] : [`the user ${user}`])].join(
    ' of ',
  );
  throw new TypeError(`Expected requests of ${wanted}, got ${seen === '' ? 'none' : `requests of ${seen}`}`);
}

/** One right for each name. */
const byName = (right: ScopedRight): readonly ScopedRight[] => right.names?.map((name) => ({ ...right, names: [name] })) ?? [right];

function allows({ rule, namespace }: Grant, right: ScopedRight): boolean {
  const inScope = namespace === '' || (right.path === '' && namespace === right.namespace);
  return inScope && allowsDemand(rule, { ...right, name: right.names?.[0] ?? '' });
}

/** A rule as single rights, each of which may be used or unused. */
function partsOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: V1PolicyRule): readonly V1PolicyRule[] {
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((url) => ({ nonResourceURLs: [url], verbs: [verb] })),
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) => {
        const rule = { apiGroups: [group], resources: [resource], verbs: [verb] };
        return resourceNames.length === 0 ? [rule] : resourceNames.map((name) => ({ ...rule, resourceNames: [name] }));
      }),
    ),
  ]);
}

const isWild = ({ verbs, apiGroups = [], resources = [], nonResourceURLs = [] }: V1PolicyRule): boolean =>
  [verbs, apiGroups, resources, nonResourceURLs].flat().some((part) => part.includes('*'));

/** A cluster with OwnerReferencesPermissionEnforcement requires this right; this server does not, so it cannot be recorded as used. */
const isFinalizers = ({ verbs, resources = [] }: V1PolicyRule): boolean =>
  verbs[0] === 'update' && resources[0]?.endsWith('/finalizers') === true;

function unusedOf(grants: readonly Grant[], rights: readonly ScopedRight[]): RbacDifferences['unused'] {
  return grants.flatMap(({ rule, namespace, from }) => {
    const parts = partsOf(rule).filter((part) => {
      const used = rights.some((right) => allows({ rule: part, namespace, from }, right));
      return !isFinalizers(part) && (!used || isWild(part));
    });
    const asRights = parts.map(({ verbs: [verb = ''], apiGroups, resources, resourceNames, nonResourceURLs }) => ({
      verb,
      group: apiGroups?.[0] ?? '',
      resource: resources?.[0] ?? '',
      names: resourceNames,
      path: nonResourceURLs?.[0] ?? '',
      namespace,
    }));
    return rolesOf('', asRights).flatMap((role) => role.rules.map((unused) => ({ role: from, rule: unused })));
  });
}

const flow = (list: readonly string[]): string => `[${list.map((one) => (one === '' || one.includes('*') ? `'${one}'` : one)).join(', ')}]`;

/** A rule on one line of YAML. */
function lineOf(rule: V1PolicyRule): string {
  const { apiGroups, resources, nonResourceURLs, verbs, resourceNames } = rule;
  const fields = Object.entries({ apiGroups, resources, nonResourceURLs, verbs, resourceNames });
  return `- { ${fields.flatMap(([name, list]) => (list === undefined ? [] : [`${name}: ${flow(list)}`])).join(', ')} }`;
}

function complaint({ missing, unused, notes }: RbacDifferences): string {
  const where = ({ kind, metadata: { namespace } }: UsedRole): string =>
    kind === 'ClusterRole' ? 'in a ClusterRole' : `in a Role of the namespace ${String(namespace)}`;
  return [
    ...(missing.length === 0 ? [] : ['The manifests grant less than was used. These rules are missing:']),
    ...missing.flatMap((role) => [`  ${where(role)}:`, ...role.rules.map((rule) => `    ${lineOf(rule)}`)]),
    ...(unused.length === 0 ? [] : ['The manifests grant more than was used. These rules were not used:']),
    ...unused.map(({ role, rule }) => `  ${role}: ${lineOf(rule)}`),
    ...(missing.length === 0 ? [] : notes.map((note) => `Note: ${note}.`)),
  ].join('\n');
}

/** For each role, its binding to a service account. */
function bindingsOf(roles: readonly UsedRole[], account: string): readonly object[] {
  const [namespace = '', name = ''] = account.split('/');
  return roles.map(({ apiVersion, kind, metadata }) => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  }));
}

/**
 * The smallest roles for what clients have used of a server, and the comparison with those of manifests.
 *
 * Rights that every user has (discovery, health checks, reviews of one's own rights) are left out.
 *
 * @throws TypeError for a wrong option, or when no request matches `userAgent` and `user`.
 */
export function usedRightsOf(all: readonly UsedRight[], options: RbacOptions = {}): UsedRights {
  checkOptions<RbacOptions>('rbac', options, {
    userAgent: rules.either(rules.nonEmptyString, { expected: 'a RegExp', holds: (value) => value instanceof RegExp }),
    user: rules.nonEmptyString,
    namespaces: scopeRule,
    names: scopeRule,
    roleName: rules.nonEmptyString,
    serviceAccount: accountRule,
  });
  const { roleName = 'used', serviceAccount } = options;
  const rights = selected(all, options);
  const needed = rights.filter((right) => !isEverybodys(right)).map((right) => scoped(right, options));
  const roles = rolesOf(roleName, needed);
  const compare: UsedRights['compare'] = (manifests, given = {}) => {
    checkOptions<typeof given>('compare', given, { serviceAccount: accountRule });
    const { grants, notes } = grantedRights(objectsOf(manifests), given.serviceAccount);
    const single = needed.flatMap(byName);
    const missing = single.filter((right) => !grants.some((grant) => allows(grant, right)));
    return { missing: rolesOf(roleName, missing), unused: unusedOf(grants, single), notes };
  };
  return {
    rights,
    roles,
    yaml: [...roles, ...(serviceAccount === undefined ? [] : bindingsOf(roles, serviceAccount))].map((one) => yamlOf(one)).join('---\n'),
    compare,
    expectGrantedBy: (manifests, { exact = false, ...given } = {}) => {
      checkOptions<GrantedByOptions>('expectGrantedBy', { exact, ...given }, { exact: rules.boolean, serviceAccount: accountRule });
      const { missing, unused, notes } = compare(manifests, given);
      const text = complaint({ missing, unused: exact ? unused : [], notes });
      if (text !== '') throw new Error(text);
    },
  };
}
