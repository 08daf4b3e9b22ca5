import type { KubernetesObject } from './kubernetesObject.js';
import type { Resource } from './resource.js';

/** What identifies a custom resource: the names of its CustomResourceDefinition. */
export interface CustomResourceNames extends Pick<
  Resource<unknown>,
  'group' | 'version' | 'plural' | 'kind' | 'namespaced' | 'singular' | 'shortNames'
> {
  readonly subresources?: readonly ('status' | 'scale')[];
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function expectMatch(field: string, value: unknown, pattern: RegExp, expected: string): void {
  if (typeof value !== 'string' || !pattern.test(value)) {
    throw new TypeError(`Expected \`${field}\` of a custom resource to be ${expected}, got ${JSON.stringify(value)}`);
  }
}

/**
 * Describes a custom resource, so that it can be used wherever a built-in one can.
 *
 * @example
 * ```ts
 * import { customResource, type KubernetesObject } from 'rx-informer';
 *
 * interface WebSite extends KubernetesObject {
 *   readonly spec: { readonly host: string };
 * }
 * const websites = customResource<WebSite>({
 *   group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true,
 * });
 * ```
 *
 * @throws TypeError when a name cannot stand in a URL of the API server.
 */
export function customResource<T extends KubernetesObject>(names: CustomResourceNames): Resource<T> {
  expectMatch('group', names.group, dnsSubdomain, 'a DNS name such as "example.com"');
  expectMatch('version', names.version, dnsLabel, 'a version such as "v1"');
  expectMatch('plural', names.plural, dnsLabel, 'a lower-case plural such as "websites"');
  expectMatch('kind', names.kind, /^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/, 'a kind such as "WebSite"');
  if (typeof names.namespaced !== 'boolean') {
    throw new TypeError(`Expected \`namespaced\` of a custom resource to be true or false, got ${JSON.stringify(names.namespaced)}`);
  }
  return {
    ...names,
    singular: names.singular ?? names.kind.toLowerCase(),
    verbs: { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true, deletecollection: true },
  };
}
