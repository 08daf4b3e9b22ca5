import { apiVersionOf } from '../../api/apiVersionOf.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { verbsOf } from './aggregatedDiscovery.js';
import type { DiscoveredGroup, DiscoveredVersion } from './discoveredGroup.js';
import { redactedMessage } from '../auth/redact.js';

/** The part of an APIResourceList that is used. */
interface ApiResource {
  readonly name: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly kind?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The part of an APIGroup that is used. */
interface ApiGroup {
  readonly name: string;
  readonly versions?: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version?: string };
}

/** Answers of the legacy form: `/api` with `versions`, `/apis` with `groups`. */
export interface LegacyAnswer {
  readonly versions?: readonly string[];
  readonly groups?: readonly ApiGroup[];
}

/** Asks for a path, and gives the JSON of the answer. */
type Ask = (path: string) => Promise<unknown>;

function resourcesOf(group: string, version: string, list: readonly ApiResource[]): Resource<UnstructuredObject>[] {
  return list
    .filter(({ name, kind }) => !name.includes('/') && kind !== undefined && kind !== '')
    .map(({ name, singularName, namespaced = false, kind = '', verbs, shortNames, categories }) => {
      const subresources = list.filter((other) => other.name.startsWith(`${name}/`)).map((other) => other.name.slice(name.length + 1));
      return {
        group,
        version,
        plural: name,
        kind,
        namespaced,
        ...(singularName !== undefined && singularName !== '' && { singular: singularName }),
        ...(shortNames !== undefined && { shortNames }),
        ...(categories !== undefined && { categories }),
        ...(subresources.length > 0 && { subresources }),
        verbs: verbsOf(verbs),
      };
    });
}

function preferredFirst({ versions = [], preferredVersion }: ApiGroup): string[] {
  const names = versions.map(({ version }) => version);
  const preferred = preferredVersion?.version;
  return preferred !== undefined && names.includes(preferred) ? [preferred, ...names.filter((name) => name !== preferred)] : names;
}

async function readGroup(group: string, versions: readonly string[], ask: Ask): Promise<DiscoveredGroup> {
  const failures: string[] = [];
  const read = versions.map(async (version): Promise<DiscoveredVersion> => {
    const path = `${group === '' ? '/api' : '/apis'}/${apiVersionOf({ group, version })}`;
    try {
      const { resources } = (await ask(path)) as { readonly resources?: readonly ApiResource[] | null };
      return { version, resources: resourcesOf(group, version, resources ?? []) };
    } catch (error) {
      failures.push(`${apiVersionOf({ group, version })}: ${redactedMessage(error)}`);
      return { version, resources: [] };
    }
  });
  return { group, versions: await Promise.all(read), failures };
}

/** Asks for every group version that an answer names, all at once. One that fails does not break the others. */
export function legacyGroups({ versions, groups = [] }: LegacyAnswer, ask: Ask): Promise<DiscoveredGroup[]> {
  const core = versions === undefined ? [] : [readGroup('', versions, ask)];
  return Promise.all([...core, ...groups.map((group) => readGroup(group.name, preferredFirst(group), ask))]);
}
