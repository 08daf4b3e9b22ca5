import { apiVersionOf } from '../../api/apiVersionOf.js';
import type { UnstructuredObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { discoveredResource, type Discovered } from './discovered.js';
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
    .map(({ name: plural, singularName: singular, namespaced = false, kind = '', verbs, shortNames, categories }) => {
      const parts = list.filter(({ name }) => name.startsWith(`${plural}/`)).map(({ name }) => name.slice(plural.length + 1));
      const optional = { singular, shortNames, categories, subresources: parts.length > 0 ? parts : undefined };
      return discoveredResource({ group, version, plural, kind, namespaced, optional, verbs });
    });
}

function preferredFirst({ versions = [], preferredVersion }: ApiGroup): string[] {
  const names = versions.map(({ version }) => version);
  const preferred = preferredVersion?.version;
  return preferred !== undefined && names.includes(preferred) ? [preferred, ...names.filter((name) => name !== preferred)] : names;
}

async function readGroup(group: string, versions: readonly string[], ask: Ask): Promise<Discovered> {
  const failures: string[] = [];
  const read = versions.map(async (version) => {
    const apiVersion = apiVersionOf({ group, version });
    try {
      const { resources } = (await ask(`${group === '' ? '/api' : '/apis'}/${apiVersion}`)) as {
        readonly resources?: readonly ApiResource[] | null;
      };
      return resourcesOf(group, version, resources ?? []);
    } catch (error) {
      failures.push(`${apiVersion}: ${redactedMessage(error)}`);
      return [];
    }
  });
  return { resources: (await Promise.all(read)).flat(), failures };
}

/** Asks for every group version that an answer names, all at once. One that fails does not break the others. */
export function legacyGroups({ versions, groups = [] }: LegacyAnswer, ask: Ask): Promise<Discovered[]> {
  const core = versions === undefined ? [] : [readGroup('', versions, ask)];
  return Promise.all([...core, ...groups.map((group) => readGroup(group.name, preferredFirst(group), ask))]);
}
