import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { type Resource, resourceName, resourcePath } from '../../api/resource.js';
import type { ObjectOptions } from '../kubeClient.js';
import { expectResource } from './streamRules.js';

type AnyResource = Resource<KubernetesObject, never>;

/** The namespace of a request about one object, or `''`. Throws when the options and the object differ. */
function namespaceOf(resource: AnyResource, { namespace: asked = '' }: ObjectOptions, object?: KubernetesObject): string {
  const own = object?.metadata?.namespace ?? '';
  if (asked !== '' && own !== '' && asked !== own) {
    throw new TypeError(`Expected the object's namespace to be the option's ${JSON.stringify(asked)}, got ${JSON.stringify(own)}`);
  }
  const namespace = asked === '' ? own : asked;
  if (resource.namespaced && namespace === '') throw new TypeError(`Expected a \`namespace\` for ${resourceName(resource)}, got none`);
  return namespace;
}

function checkName(resource: AnyResource, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(
      `Expected the \`name\` of one of ${resourceName(resource)}, got ${name === undefined ? 'none' : JSON.stringify(name)}`,
    );
  }
}

/** The namespace and the path of one object. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
  /** The path of the request. */
  readonly path: string;
}

/**
 * Where the object of this name is.
 *
 * @param object - its namespace is used if the options have none.
 * @throws TypeError when the name is missing, or the namespace is missing or differs from that of the options.
 */
export function targetOf(
  resource: AnyResource,
  name: string | undefined,
  options: ObjectOptions,
  subresource?: string,
  object?: KubernetesObject,
): Target {
  expectResource(resource);
  checkName(resource, name);
  const namespace = namespaceOf(resource, options, object);
  return { namespace, name, path: resourcePath(resource, { namespace, name, subresource }) };
}

/** The namespace and name of an object. */
export function placeOf({ metadata }: KubernetesObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** The path to create an object at: throws a TypeError when it has no `name` or `generateName`, or its namespace is missing or not that of the options. */
export function creationPath(resource: AnyResource, object: KubernetesObject, options: ObjectOptions): string {
  expectResource(resource);
  // A review, such as a SubjectAccessReview, has no name: the server answers it and does not store it.
  const isStored = 'get' in resource.verbs;
  if (isStored && (object.metadata?.generateName === undefined || object.metadata.generateName === ''))
    checkName(resource, object.metadata?.name);
  return resourcePath(resource, { namespace: namespaceOf(resource, options, object) });
}

/** Adds the type to an object, which the server demands of custom resources. Throws a TypeError when it has another one. */
export function typed<O extends KubernetesObject>(object: O, expected: { readonly apiVersion: string; readonly kind: string }): O {
  for (const field of ['kind', 'apiVersion'] as const) {
    const actual = object[field];
    if (actual !== undefined && actual !== expected[field]) {
      throw new TypeError(`Expected the object's \`${field}\` to be ${JSON.stringify(expected[field])}, got ${JSON.stringify(actual)}`);
    }
  }
  return { ...object, ...expected };
}
