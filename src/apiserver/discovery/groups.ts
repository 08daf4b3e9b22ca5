import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';

/** One group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: ReadonlyMap<string, readonly ServedResource[]>;
}

const stages = ['alpha', 'beta', ''];

/** How far a version has come: its stage, its number, and its number within the stage; other names are behind all versions. */
function rankOf(version: string): readonly number[] {
  const [, major, stage = '', minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? [-1, 0, 0] : [stages.indexOf(stage), Number(major), Number(minor)];
}

/** Orders versions as Kubernetes prefers them: stable ones first, then the highest; what is no version comes last, by name. */
function byPreference(a: string, b: string): number {
  const [ranks, others] = [rankOf(a), rankOf(b)];
  const difference = ranks.map((rank, at) => (others[at] ?? 0) - rank).find((one) => one !== 0);
  return difference ?? (a < b ? -1 : 1);
}

/** What is served, by group and version. */
export function groupsOf(kinds: KindRegistry): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ServedResource[]>>();
  for (const resource of kinds.all()) {
    const versions = groups.get(resource.group) ?? new Map<string, ServedResource[]>();
    groups.set(resource.group, versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]));
  }
  return [...groups].map(([name, versions]) => ({ name, versions: new Map([...versions].sort(([a], [b]) => byPreference(a, b))) }));
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
