import type { Verb } from 'rx-informer';
import { apiVersionOf, builtInResources } from 'rx-informer/internal';

import { conversionOf } from './conversions.js';
import { rulesOf } from './kindRules.js';
import { servedBy } from './runtimeConfig.js';
import type { ServedResource } from './servedResource.js';

const deprecations: Readonly<Record<string, string>> = {
  '/endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  '/componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
};

function servedBuiltIn(resource: (typeof builtInResources)[number]): ServedResource {
  const { group, version, plural, kind, namespaced, singular, shortNames = [], categories = [], subresources = [] } = resource;
  const conversion = conversionOf(group, version, plural);
  const deprecation = deprecations[`${group}/${plural}`];
  return {
    group,
    version,
    groupVersion: apiVersionOf(resource),
    plural,
    singular: singular ?? kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    namespaced,
    verbs: new Set((Object.keys(resource.verbs) as Verb[]).sort()),
    shortNames,
    categories,
    subresources: new Set([...subresources].sort()),
    bucketId: conversion?.bucketId ?? `${group}/${plural}`,
    rules: rulesOf(group, plural, subresources.includes('status')),
    ...(conversion !== undefined && { conversion }),
    ...(deprecation !== undefined && { deprecation }),
  };
}

/** All built-in resources; a server serves some of them. */
const builtIns: readonly ServedResource[] = [
  ...builtInResources,
  // The catalog is of an older version: these kinds are in v1 since 1.36.
  ...builtInResources
    .filter(({ plural, version }) => version === 'v1beta1' && plural.startsWith('mutatingadmissionpolic'))
    .map((one) => ({ ...one, version: 'v1' })),
].map(servedBuiltIn);

/** The resources that a server serves: the built-in ones, and the current custom resources. */
export class KindRegistry {
  private readonly versions = new Map<string, Map<string, ServedResource>>();
  private readonly byBucket = new Map<string, ServedResource>();
  private custom: readonly ServedResource[] = [];
  /** Kinds that are temporarily not served, by group and plural. */
  private readonly hidden = new Set<string>();
  private readonly builtIns: readonly ServedResource[];
  private changes = 0;

  constructor(runtimeConfig: Readonly<Record<string, string>> = {}) {
    this.builtIns = servedBy(runtimeConfig, builtIns);
    this.rebuild();
  }

  /** Increases whenever the served kinds change. */
  get generation(): number {
    return this.changes;
  }

  /** The resources of a group and version; undefined when it is not served. */
  inGroupVersion(groupVersion: string): ReadonlyMap<string, ServedResource> | undefined {
    return this.versions.get(groupVersion);
  }

  /** Whether any version of a group is served. */
  servesGroup(groupVersion: string): boolean {
    const [group = '', version] = groupVersion.split('/');
    return version === undefined || [...this.versions.keys()].some((served) => served.startsWith(`${group}/`));
  }

  /** Whether a group is one of Kubernetes' own. */
  isBuiltIn(group: string): boolean {
    return builtIns.some((resource) => resource.group === group || resource.groupVersion === group);
  }

  find(groupVersion: string, plural: string): ServedResource | undefined {
    return this.versions.get(groupVersion)?.get(plural);
  }

  findKind(groupVersion: string, kind: string): ServedResource | undefined {
    const resources = [...(this.versions.get(groupVersion)?.values() ?? [])];
    return resources.find((resource) => resource.kind === kind);
  }

  /** Any version of the resource that is stored in a bucket. */
  ofBucket(bucketId: string): ServedResource | undefined {
    return this.byBucket.get(bucketId);
  }

  /** Every resource, in the order of groups. */
  all(): readonly ServedResource[] {
    const all = [...this.builtIns, ...this.custom];
    return this.hidden.size === 0 ? all : all.filter(({ group, plural }) => !this.hidden.has(`${group}/${plural}`));
  }

  /** Replaces all custom resources. */
  setCustom(resources: readonly ServedResource[]): void {
    this.custom = resources;
    this.rebuild();
  }

  /** Stops serving a kind, until the returned function is called. */
  hide(group: string, plural: string): () => void {
    const id = `${group}/${plural}`;
    this.hidden.add(id);
    this.rebuild();
    return () => {
      this.hidden.delete(id);
      this.rebuild();
    };
  }

  private rebuild(): void {
    this.changes += 1;
    this.versions.clear();
    this.byBucket.clear();
    for (const resource of this.all()) {
      const known = this.versions.get(resource.groupVersion) ?? new Map<string, ServedResource>();
      if (!known.has(resource.plural)) known.set(resource.plural, resource);
      this.versions.set(resource.groupVersion, known);
      if (!this.byBucket.has(resource.bucketId)) this.byBucket.set(resource.bucketId, resource);
    }
  }
}
