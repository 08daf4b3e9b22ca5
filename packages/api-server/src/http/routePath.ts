import type { KindRegistry } from '../kinds/registry.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { PageNotFoundError } from './pageNotFoundError.js';
import { badRequest, pathNotFound } from '../status/statusErrors.js';

/** The target of a path below a group and version. */
export interface ResourceTarget {
  readonly resource: ServedResource;
  /** `''` for cluster-scoped resources, and for all namespaces. */
  readonly namespace: string;
  /** `''` for a collection. */
  readonly name: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The path had the old `/watch/` prefix. */
  readonly watchPrefix: boolean;
}

/** The target of a path that is not about objects, by its segments. */
export interface OtherTarget {
  readonly segments: readonly string[];
}

/** The target of a path. */
export type RouteTarget = ResourceTarget | OtherTarget;

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest(`invalid URL escape in "${segment}"`);
  }
}

/** The segments of a path, decoded after splitting. One trailing slash is ignored. */
export function segmentsOf(path: string): readonly string[] {
  const segments = (path.startsWith('/') ? path.slice(1) : path).split('/');
  if (segments.length > 1 && segments.at(-1) === '') segments.pop();
  return path.includes('%') ? segments.map(decoded) : segments;
}

/** `namespaces/x/status` is about the namespace itself. */
const namespaceSubresources = new Set(['status', 'finalize']);

interface ObjectPath {
  readonly namespace: string;
  readonly rest: readonly string[];
}

function splitNamespace(segments: readonly string[], core: boolean): ObjectPath {
  const [first, namespace = '', third = ''] = segments;
  const inNamespace = first === 'namespaces' && segments.length > 2 && !(core && segments.length === 3 && namespaceSubresources.has(third));
  return inNamespace ? { namespace, rest: segments.slice(2) } : { namespace: '', rest: segments };
}

/** Whether a path without a resource belongs to none of the groups of Kubernetes: the server of custom resources answers it. */
function isOutside(registry: KindRegistry, groupVersion: string): boolean {
  const [group = ''] = groupVersion.split('/');
  return groupVersion.includes('/') && !(registry.isBuiltIn(group) && registry.servesGroup(groupVersion));
}

function resourceTarget(registry: KindRegistry, groupVersion: string, segments: readonly string[]): ResourceTarget {
  const watchPrefix = segments[0] === 'watch' && segments.length > 1;
  const { namespace, rest } = splitNamespace(watchPrefix ? segments.slice(1) : segments, groupVersion === 'v1');
  const [plural = '', name = '', subresource = '', ...more] = rest;
  const resource = registry.find(groupVersion, plural);
  const misplaced = resource?.namespaced === true ? name !== '' && namespace === '' : namespace !== '';
  if (resource === undefined ? isOutside(registry, groupVersion) : resource.custom !== undefined && misplaced)
    throw new PageNotFoundError();
  // Behind a proxy any path may follow.
  const proxied = subresource === 'proxy' && resource?.subresources.has('proxy') === true;
  const strange =
    (more.length > 0 && !proxied && resource?.custom === undefined) || rest.slice(0, 3).includes('') || (segments.includes('') && !proxied);
  if (resource === undefined || misplaced || strange) throw pathNotFound();
  if (name.includes('/') || namespace.includes('/')) throw pathNotFound();
  if (watchPrefix && subresource !== '') throw pathNotFound();
  return { resource, namespace, name, subresource, watchPrefix };
}

/** Finds the target of a path. */
export function routePath(registry: KindRegistry, path: string): RouteTarget {
  const segments = segmentsOf(path);
  const [root, second = '', third = ''] = segments;
  if (root === 'api' && segments.length > 2) return resourceTarget(registry, second, segments.slice(2));
  if (root === 'apis' && segments.length > 3) return resourceTarget(registry, `${second}/${third}`, segments.slice(3));
  return { segments };
}

/** Whether a target is about objects. */
export function isResourceTarget(target: RouteTarget): target is ResourceTarget {
  return 'resource' in target;
}
