import { isNotFound } from '../../api/errors/apiError.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import { groupsAt, type Ask, type Discovered } from './groupsAt.js';
import { similarTo } from '../../api/options.js';
import { type Resource, resourceName } from '../../api/resource.js';

type Found = Resource<UnstructuredObject>;

/** The resources that an API server serves, requested once and then cached. */
export interface Discovery {
  /** Every resource of every group, in its group's preferred version first. */
  resources(): Promise<readonly Resource<UnstructuredObject>[]>;
  /**
   * The resource that a user's word names: a plural, singular, kind or short name, in any case, optionally followed by `.group` or `.version.group`. Rejects with
   * a TypeError that suggests similar names.
   */
  find(name: string): Promise<Resource<UnstructuredObject>>;
  /** The resources of a category, for example `all`. */
  category(name: string): Promise<readonly Resource<UnstructuredObject>[]>;
  /** Drops the cached answer: the next call asks the server again. */
  invalidate(): void;
}

/** The names that a word is compared with, in order: the plural of any resource wins over the short name of another. */
const namings: readonly ((resource: Found) => readonly (string | undefined)[])[] = [
  ({ plural }) => [plural],
  ({ singular }) => [singular],
  ({ kind }) => [kind],
  ({ shortNames = [] }) => shortNames,
];

/** Whether the part of a user's word after its first dot matches this resource: it is empty, the group, or the version and the group. */
function isIn({ group, version }: Found, qualifier: string | undefined): boolean {
  return (
    qualifier === undefined ||
    qualifier === group.toLowerCase() ||
    qualifier === `${version}.${group}`.toLowerCase() ||
    (group === '' && qualifier === version)
  );
}

/**
 * The first resource that a user's word names.
 *
 * The word is a plural, a singular, a kind or a short name, in any case, optionally followed by `.group` or `.version.group`.
 */
function findResource(resources: readonly Found[], word: string): Found | undefined {
  const [name = '', ...rest] = word.trim().toLowerCase().split('.');
  const qualifier = rest.length === 0 ? undefined : rest.join('.');
  const candidates = resources.filter((resource) => isIn(resource, qualifier));
  for (const naming of namings) {
    const found = candidates.find((resource) => naming(resource).some((other) => other?.toLowerCase() === name));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The resources of a category, each in its group's preferred version. */
function inCategory(resources: readonly Found[], category: string): Found[] {
  const wanted = category.toLowerCase();
  const versions = new Map<string, string>();
  return resources.filter((resource) => {
    if (resource.categories?.some((other) => other.toLowerCase() === wanted) !== true) return false;
    const name = resourceName(resource);
    if (!versions.has(name)) versions.set(name, resource.version);
    return versions.get(name) === resource.version;
  });
}

/** Every word that names one of these resources, for suggestions. */
function wordsFor(resources: readonly Found[]): string[] {
  return resources
    .flatMap((resource) => [...namings.flatMap((naming) => naming(resource)), resourceName(resource)])
    .filter((word) => word !== undefined);
}

async function discover(ask: Ask): Promise<Discovered> {
  // A server may serve only one of the two.
  const [core, named] = await Promise.allSettled([groupsAt('/api', ask), groupsAt('/apis', ask)]);
  if (core.status === 'rejected' && (named.status === 'rejected' || !isNotFound(core.reason))) throw core.reason;
  if (named.status === 'rejected' && !isNotFound(named.reason)) throw named.reason;
  const groups = [core, named].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  return {
    resources: groups.flatMap(({ resources }) => resources),
    failures: groups.flatMap(({ failures }) => failures),
  };
}

/**
 * Asks a server which resources it serves: by aggregated discovery in two requests, or group by group where it knows only the older form.
 *
 * The answer is cached until `invalidate()`, or until `find` does not find a name in it.
 */
export function createDiscovery(ask: Ask): Discovery {
  let known: Promise<Discovered> | undefined;

  function discovered(): Promise<Discovered> {
    if (known !== undefined) return known;
    const asked = discover(ask);
    known = asked;
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  }

  return {
    resources: async () => (await discovered()).resources,

    async find(name) {
      if (typeof name !== 'string' || name.trim() === '')
        throw new TypeError(`Expected the name of a resource, got ${JSON.stringify(name)}`);
      const old = known;
      let { resources, failures } = await discovered();
      let found = findResource(resources, name);
      if (found === undefined && old !== undefined) {
        // The resource may have been installed since the answer was cached.
        if (known === old) known = undefined;
        ({ resources, failures } = await discovered());
        found = findResource(resources, name);
      }
      if (found !== undefined) return found;
      const unread = failures.length === 0 ? '' : ` (could not read ${failures.join('; ')})`;
      const words = wordsFor(resources);
      const suggestion = similarTo(name, words) || similarTo(name.split('.', 1)[0] ?? '', words);
      throw new TypeError(`The server has no resource ${JSON.stringify(name)}${suggestion}${unread}`);
    },

    category: async (name) => inCategory((await discovered()).resources, name),

    invalidate() {
      known = undefined;
    },
  };
}
