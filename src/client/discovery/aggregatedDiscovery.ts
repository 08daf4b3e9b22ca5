import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { discoveredResource, type Discovered } from './discovered.js';
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

function resourceOf(group: string, version: string, kind: string, found: ResourceDiscovery): Resource<UnstructuredObject> {
  const { resource: plural, scope, singularResource: singular, verbs, shortNames, categories, subresources: parts } = found;
  const subresources = parts?.map(({ subresource }) => subresource);
  const optional = { singular, shortNames, categories, subresources };
  return discoveredResource({ group, version, plural, kind, namespaced: scope === 'Namespaced', optional, verbs });
}

/**
 * The groups of an aggregated answer. A version whose own server does not answer is told of as stale, maybe with the resources it had before.
 */
export function aggregatedGroups(list: GroupDiscoveryList): Discovered[] {
  return (list.items ?? []).map(({ metadata, versions = [] }) => {
    const group = metadata?.name ?? '';
    const resources = versions.flatMap(({ version, resources: found = [] }) =>
      found.flatMap((one) => {
        const kind = one.responseKind?.kind ?? '';
        return kind === '' ? [] : [resourceOf(group, version, kind, one)];
      }),
    );
    const failures = versions
      .filter(({ freshness, resources: found = [] }) => freshness === 'Stale' && found.length === 0)
      .map(({ version }) => `${group}/${version}: its server does not answer`);
    return { resources, failures };
  });
}
