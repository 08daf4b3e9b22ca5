import type { V1PolicyRule } from 'rx-informer';

/** One action: a verb for objects of a resource, or for a path outside the API. */
export interface Demand {
  readonly verb: string;
  readonly group: string;
  /** With the subresource, for example `pods/log`. */
  readonly resource: string;
  /** `''` for any. */
  readonly name: string;
  /** `''` for a demand about objects. */
  readonly path: string;
}

const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value));

function matchesPath(urls: readonly string[] | undefined, path: string): boolean {
  return urls?.some((url) => url === '*' || url === path || (url.endsWith('*') && path.startsWith(url.slice(0, -1)))) ?? false;
}

/** Whether a rule allows an action, as RBAC defines it: `pods` does not include `pods/log`, and a star before `/log` means the logs of all resources. */
export function allowsDemand(rule: V1PolicyRule, { verb, group, resource, name, path }: Demand): boolean {
  if (!has(rule.verbs, verb)) return false;
  if (path !== '') return matchesPath(rule.nonResourceURLs, path);
  const slash = resource.indexOf('/');
  const anyOwner = slash >= 0 && rule.resources?.includes(`*${resource.slice(slash)}`) === true;
  const names = rule.resourceNames ?? [];
  return has(rule.apiGroups, group) && (has(rule.resources, resource) || anyOwner) && (names.length === 0 || names.includes(name));
}
