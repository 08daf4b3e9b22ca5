import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';

/** One group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: ReadonlyMap<string, readonly ServedResource[]>;
}

/** What is served, by group and version. */
export function groupsOf(kinds: KindRegistry): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of kinds.all()) {
    const versions = groups.get(resource.group) ?? new Map<string, ServedResource[]>();
    groups.set(resource.group, versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]));
  }
  return [...groups].map(([name, versions]) => ({ name, versions }));
}

/** A kind as a subresource answers with it. */
export interface AnsweredKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const otherKinds: Readonly<Record<string, AnsweredKind>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
};

/** Subresources whose options are a kind of their own. */
const optionsOf: Readonly<Record<string, string>> = {
  attach: 'AttachOptions',
  exec: 'ExecOptions',
  portforward: 'PortForwardOptions',
  proxy: 'ProxyOptions',
};

/** The kind that a subresource answers with; undefined when it is the resource's own. */
export function kindOfSubresource({ group, version, kind }: ServedResource, subresource: string): AnsweredKind | undefined {
  const options = optionsOf[subresource];
  return options === undefined ? otherKinds[subresource] : { group, version, kind: `${kind}${options}` };
}

/** The subresources of a resource that are served. */
export function servedSubresources(
  { subresources }: ServedResource,
  verbs: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return [...subresources].filter((name) => Object.hasOwn(verbs, name)).sort();
}
