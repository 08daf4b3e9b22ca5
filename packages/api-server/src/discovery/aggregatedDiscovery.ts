import { createHash } from 'node:crypto';
import type { ConvertedForm } from '../http/mediaTypes.js';
import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { groupsOf, kindOfSubresource, servedSubresources, type ServedGroup } from './groups.js';

type SubresourceVerbs = Readonly<Record<string, readonly string[]>>;

/** A whole discovery in one document. */
export interface AggregatedDocument {
  readonly contentType: string;
  readonly etag: string;
  readonly body: Buffer;
}

/** Whether a requested form is aggregated discovery, in a supported version. */
export function isAggregated({ kind, group, version }: ConvertedForm): boolean {
  return kind === 'APIGroupDiscoveryList' && group === 'apidiscovery.k8s.io' && (version === 'v2' || version === 'v2beta1');
}

function resourceBody(resource: ServedResource, subresourceVerbs: SubresourceVerbs): object {
  const { group, version, kind, plural, singular, namespaced, verbs, shortNames, categories, custom } = resource;
  // Group and version default to those of the resource.
  const responseKind = custom === undefined ? { group: '', version: '', kind } : { group, version, kind };
  const subresources = servedSubresources(resource, subresourceVerbs).map((name) => {
    const other = kindOfSubresource(resource, name);
    return {
      subresource: name,
      responseKind: other === undefined ? responseKind : { ...other, version: other.group && other.version },
      verbs: subresourceVerbs[name],
    };
  });
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function groupBody({ name, versions }: ServedGroup, subresourceVerbs: SubresourceVerbs): object {
  return {
    metadata: { ...(name !== '' && { name }) },
    versions: [...versions].map(([version, resources]) => ({
      version,
      resources: resources.map((resource) => resourceBody(resource, subresourceVerbs)),
      freshness: 'Current',
    })),
  };
}

/** The document of `/api` (`core`) or `/apis`. Clients recognize it by the parameters of its Content-Type. */
export function aggregatedDiscovery(
  kinds: KindRegistry,
  core: boolean,
  version: string,
  subresourceVerbs: SubresourceVerbs,
): AggregatedDocument {
  const groups = groupsOf(kinds).filter(({ name }) => (name === '') === core);
  const items = groups.map((group) => groupBody(group, subresourceVerbs));
  const list = { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
  const body = Buffer.from(`${JSON.stringify(list)}\n`);
  return {
    contentType: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    etag: `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"`,
    body,
  };
}
