import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';

type Found = Resource<UnstructuredObject>;

/** In the order in which they are tried: a plural of one group wins over a short name of another. */
const namings: readonly ((resource: Found) => readonly (string | undefined)[])[] = [
  ({ plural }) => [plural],
  ({ singular }) => [singular],
  ({ kind }) => [kind],
  ({ shortNames = [] }) => shortNames,
];

/** Whether what stands behind the first dot of a user's word means this resource: nothing, its group, or its version and group. */
function isIn({ group, version }: Found, qualifier: string | undefined): boolean {
  return (
    qualifier === undefined ||
    qualifier === group.toLowerCase() ||
    qualifier === `${version}.${group}`.toLowerCase() ||
    (group === '' && qualifier === version)
  );
}

/**
 * The first resource that a user's word means.
 *
 * The word is a plural, a singular, a kind or a short name, in any case; `.group` or `.version.group` may stand behind it.
 */
export function findResource(resources: readonly Found[], word: string): Found | undefined {
  const [name = '', ...rest] = word.trim().toLowerCase().split('.');
  const qualifier = rest.length === 0 ? undefined : rest.join('.');
  const candidates = resources.filter((resource) => isIn(resource, qualifier));
  for (const naming of namings) {
    const found = candidates.find((resource) => naming(resource).some((other) => other?.toLowerCase() === name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The resources of a category, each in the version that comes first.
 */
export function inCategory(resources: readonly Found[], category: string): Found[] {
  const wanted = category.toLowerCase();
  const versions = new Map<string, string>();
  return resources.filter((resource) => {
    if (resource.categories?.some((other) => other.toLowerCase() === wanted) !== true) return false;
    const name = resourceName(resource);
    if (!versions.has(name)) versions.set(name, resource.version);
    return versions.get(name) === resource.version;
  });
}

/**
 * Every word that means one of these resources, for suggestions.
 */
export function wordsFor(resources: readonly Found[]): string[] {
  return resources
    .flatMap((resource) => [...namings.flatMap((naming) => naming(resource)), resourceName(resource)])
    .filter((word) => word !== undefined);
}
