import { createHash } from 'node:crypto';
import { apiVersionOf } from 'rx-informer/internal';
import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { groupsOf, kindOfSubresource, servedSubresources, type ServedGroup } from './groups.js';

type SubresourceVerbs = Readonly<Record<string, readonly string[]>>;

/** The answer of `/api`. */
export function apiVersions(host: string): object {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: host }] };
}

function groupBody({ name, versions }: ServedGroup): object {
  const listed = [...versions.keys()].map((version) => ({ groupVersion: apiVersionOf({ group: name, version }), version }));
  return { name, versions: listed, preferredVersion: listed[0] };
}

/** The answer of `/apis`. */
export function apiGroupList(kinds: KindRegistry): object {
  const groups = groupsOf(kinds).filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(groupBody) };
}

/** The answer of `/apis/GROUP`; undefined when the group is not served. */
export function apiGroup(kinds: KindRegistry, name: string): object | undefined {
  const group = groupsOf(kinds).find((served) => served.name === name && name !== '');
  return group === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(group) };
}

/** Differs for each version in which objects are stored. */
function storageVersionHash({ group, version, kind }: ServedResource): string {
  const text = `${group === '' ? '' : `${group}/`}${version}/${kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

function resourceBodies(resource: ServedResource, subresourceVerbs: SubresourceVerbs): object[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(verbs.has('get') && { storageVersionHash: storageVersionHash(resource) }),
  };
  const subresources = servedSubresources(resource, subresourceVerbs).map((name) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    ...(kindOfSubresource(resource, name) ?? { kind }),
    verbs: subresourceVerbs[name],
  }));
  return [own, ...subresources];
}

/** The answer of `/api/v1` and `/apis/GROUP/VERSION`; undefined when that is not served. */
export function apiResourceList(kinds: KindRegistry, groupVersion: string, subresourceVerbs: SubresourceVerbs): object | undefined {
  const resources = kinds.inGroupVersion(groupVersion);
  if (resources === undefined) return undefined;
  const bodies = [...resources.values()].flatMap((resource) => resourceBodies(resource, subresourceVerbs));
  // The list of the core group has no apiVersion.
  return { kind: 'APIResourceList', ...(groupVersion !== 'v1' && { apiVersion: 'v1' }), groupVersion, resources: bodies };
}
