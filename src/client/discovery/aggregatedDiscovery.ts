import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import type { DiscoveredGroup, DiscoveredVersion } from './discoveredGroup.js';
import { isRecord } from '../decode/parseObject.js';

/** The part of an APIGroupDiscoveryList that is used. */
interface ResourceDiscovery {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string } | null;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

interface VersionDiscovery {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly ResourceDiscovery[];
}

interface GroupDiscovery {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly VersionDiscovery[];
}

interface GroupDiscoveryList {
  readonly items?: readonly GroupDiscovery[];
}

/** Whether an answer is of the aggregated form. */
export function isAggregated(answer: unknown): answer is GroupDiscoveryList {
  return isRecord(answer) && answer['kind'] === 'APIGroupDiscoveryList';
}

function resourceOf(group: string, version: string, found: ResourceDiscovery): Resource<UnstructuredObject> {
  return {
    group,
    version,
    plural: found.resource,
    kind: found.responseKind?.kind ?? '',
    namespaced: found.scope === 'Namespaced',
    ...(found.singularResource !== undefined && found.singularResource !== '' && { singular: found.singularResource }),
    ...(found.shortNames !== undefined && { shortNames: found.shortNames }),
    ...(found.categories !== undefined && { categories: found.categories }),
    ...(found.subresources !== undefined && { subresources: found.subresources.map(({ subresource }) => subresource) }),
    verbs: verbsOf(found.verbs),
  };
}

/** The verbs of a resource as its descriptor holds them. Which ones they are is known at run time only. */
export function verbsOf(verbs: readonly string[] = []): Resource<UnstructuredObject>['verbs'] {
  return Object.fromEntries(verbs.map((verb) => [verb, true])) as Resource<UnstructuredObject>['verbs'];
}

/**
 * The groups of an aggregated answer. A version whose own server does not answer is told of as stale, maybe with the resources it had before.
 */
export function aggregatedGroups(list: GroupDiscoveryList): DiscoveredGroup[] {
  return (list.items ?? []).map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    const read = versions.map(({ version, resources = [] }): DiscoveredVersion => ({
      version,
      resources: resources
        .filter(({ responseKind }) => (responseKind?.kind ?? '') !== '')
        .map((found) => resourceOf(group, version, found)),
    }));
    const failures = versions
      .filter(({ freshness, resources = [] }) => freshness === 'Stale' && resources.length === 0)
      .map(({ version }) => `${group}/${version}: its server does not answer`);
    return { group, versions: read, failures };
  });
}
