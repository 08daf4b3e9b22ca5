import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';

/** One group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: ReadonlyMap<string, readonly ServedResource[]>;
}

const stages = ['alpha', 'beta', ''];

/** The rank of a version: its stage, its number, and its number within the stage. Other names come after all versions. */
function rankOf(version: string): readonly number[] {
  const [, major, stage = '', minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? [-1, 0, 0] : [stages.indexOf(stage), Number(major), Number(minor)];
}

/**
 * Orders versions as Kubernetes prefers them: stable ones first, then by number, highest first; other names come last, in alphabetical
 * order.
 */
function byPreference(a: string, b: string): number {
  const [ranks, others] = [rankOf(a), rankOf(b)];
  const difference = ranks.map((rank, at) => (others[at] ?? 0) - rank).find((one) => one !== 0);
  return difference ?? (a < b ? -1 : 1);
}

/** The built-in groups as Kubernetes orders them, by the priorities of their APIServices; those of custom resources come last, by their names. */
const groupOrder = [
  '',
  'apiregistration.k8s.io',
  'apps',
  'events.k8s.io',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'storage.k8s.io',
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'discovery.k8s.io',
  'resource.k8s.io',
  'flowcontrol.apiserver.k8s.io',
  'internal.apiserver.k8s.io',
  'storagemigration.k8s.io',
];

function byPriority({ name: a }: ServedGroup, { name: b }: ServedGroup): number {
  const [first, second] = [a, b].map((name) => (groupOrder.includes(name) ? groupOrder.indexOf(name) : groupOrder.length));
  return (first ?? 0) - (second ?? 0) || (a < b ? -1 : 1);
}

/** The served groups with their versions. */
export function groupsOf(kinds: KindRegistry): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of kinds.all()) {
    const versions = groups.get(resource.group) ?? new Map<string, ServedResource[]>();
    groups.set(resource.group, versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]));
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: new Map([...versions].sort(([a], [b]) => byPreference(a, b))) }))
    .sort(byPriority);
}

/** The kind of a subresource's answers. */
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

/** Subresources whose `connect` options have a kind of their own. */
const optionsOf: Readonly<Record<string, string>> = {
  attach: 'AttachOptions',
  exec: 'ExecOptions',
  portforward: 'PortForwardOptions',
  proxy: 'ProxyOptions',
};

/** The kind of a subresource's answers; undefined when it is the resource's own kind. */
export function kindOfSubresource({ group, version, kind }: ServedResource, subresource: string): AnsweredKind | undefined {
  const options = optionsOf[subresource];
  return options === undefined ? otherKinds[subresource] : { group, version, kind: `${kind}${options}` };
}

/** The served subresources of a resource. */
export function servedSubresources(
  { subresources }: ServedResource,
  verbs: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return [...subresources].filter((name) => Object.hasOwn(verbs, name));
}
