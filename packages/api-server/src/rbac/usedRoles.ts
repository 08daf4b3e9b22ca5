import type { V1PolicyRule } from 'rx-informer';
import type { UsedRight } from './rightsLog.js';

/** A Role, or a ClusterRole if it has no namespace, with the rules for the used rights. */
export type UsedRole = Readonly<{
  apiVersion: 'rbac.authorization.k8s.io/v1';
  kind: 'Role' | 'ClusterRole';
  metadata: { readonly name: string; readonly namespace?: string };
  rules: readonly V1PolicyRule[];
}>;

/** One verb of one resource in one scope, for some names or for any name. */
export interface ScopedRight {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** `''` for the whole cluster. */
  readonly namespace: string;
  /** Undefined for any name. */
  readonly names: readonly string[] | undefined;
  readonly path: string;
}

const verbOrder = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const rankOf = (verb: string): number => (verbOrder.includes(verb) ? verbOrder.indexOf(verb) : verbOrder.length);
const byVerb = (a: string, b: string): number => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Rights that every user has, by the roles system:discovery, system:basic-user and system:public-info-viewer. */
export function isEverybodys({ verb, group, resource, path }: Pick<UsedRight, 'verb' | 'group' | 'resource' | 'path'>): boolean {
  if (path !== '') return /^\/(-|api|apis|healthz|livez|openapi|readyz|version)(\/|$)/.test(path) || path === '/';
  if (verb !== 'create') return false;
  const own = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'];
  return group === 'authorization.k8s.io' ? own.includes(resource) : group === 'authentication.k8s.io' && resource === 'selfsubjectreviews';
}

function both(a: readonly string[] | undefined, b: readonly string[] | undefined): readonly string[] | undefined {
  return a === undefined || b === undefined ? undefined : [...new Set([...a, ...b])].sort();
}

/** One entry for each verb, resource and namespace. Entries of namespaces are left out if the entry of the whole cluster includes them. */
export function merged(rights: readonly ScopedRight[]): readonly ScopedRight[] {
  const keyOf = ({ verb, group, resource, path }: ScopedRight, namespace: string): string =>
    [verb, group, resource, path, namespace].join('\n');
  const found = new Map<string, ScopedRight>();
  for (const right of rights) {
    const key = keyOf(right, right.namespace);
    const known = found.get(key);
    found.set(key, known === undefined ? right : { ...right, names: both(known.names, right.names) });
  }
  return [...found.values()].flatMap((right) => {
    const wide = right.namespace === '' ? undefined : found.get(keyOf(right, ''));
    if (wide === undefined) return [right];
    if (wide.names === undefined) return [];
    const names = right.names?.filter((name) => wide.names?.includes(name) === false);
    return names?.length === 0 ? [] : [{ ...right, names }];
  });
}

/** Merges items that differ in one field only, and collects the values of that field. */
function collected<T>(items: readonly T[], keyOf: (item: T) => string, valueOf: (item: T) => string): readonly [T, readonly string[]][] {
  const groups = new Map<string, [T, string[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item, [valueOf(item)]]);
    else group[1].push(valueOf(item));
  }
  return [...groups.values()];
}

/** The rules of one role: resources with the same verbs share a rule. */
function rulesOf(rights: readonly ScopedRight[]): readonly V1PolicyRule[] {
  const namesOf = ({ names }: ScopedRight): string => names?.join(' ') ?? '*';
  const ofResources = collected(
    rights.filter(({ path }) => path === ''),
    (right) => [right.group, right.resource, namesOf(right)].join('\n'),
    ({ verb }) => verb,
  );
  const sorted = ofResources
    .map(([right, verbs]) => ({ right, verbs: [...verbs].sort(byVerb) }))
    .sort((a, b) => inOrder(a.right.group, b.right.group) || inOrder(a.right.resource, b.right.resource));
  const together = collected(
    sorted,
    ({ right, verbs }) => [right.group, verbs.join(' '), namesOf(right)].join('\n'),
    ({ right }) => right.resource,
  );
  const paths = collected(
    rights.filter(({ path }) => path !== '').sort((a, b) => inOrder(a.path, b.path)),
    ({ verb }) => verb,
    ({ path }) => path,
  );
  return [
    ...together.map(([{ right, verbs }, resources]) => ({
      apiGroups: [right.group],
      resources,
      verbs,
      ...(right.names !== undefined && { resourceNames: right.names }),
    })),
    ...paths.map(([{ verb }, nonResourceURLs]) => ({ nonResourceURLs, verbs: [verb] })),
  ];
}

/** The fewest roles that allow exactly these rights: a ClusterRole, and a Role for each namespace. */
export function rolesOf(name: string, rights: readonly ScopedRight[]): readonly UsedRole[] {
  const all = merged(rights);
  return [...new Set(all.map(({ namespace }) => namespace))].sort(inOrder).map((namespace) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: namespace === '' ? 'ClusterRole' : 'Role',
    metadata: { name, ...(namespace !== '' && { namespace }) },
    rules: rulesOf(all.filter((right) => right.namespace === namespace)),
  }));
}
