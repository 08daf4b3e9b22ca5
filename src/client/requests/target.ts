import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { type Resource, resourceName, resourcePath } from '../../api/resource.js';
import type { ObjectOptions } from '../kubeClient.js';
import { expectResource } from './streamRules.js';

type AnyResource = Resource<KubernetesObject, never>;

/** The namespace of a request about one object, or `''`; what the options and the object say must agree. */
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

/** Where one object lives. */
export interface Target {
  readonly namespace: string;
  readonly name: string;
  /** The path of the request. */
  readonly path: string;
}

/**
 * Where the object of a name lives.
 *
 * @param object - carries its namespace, where it is known already.
 * @throws TypeError when the name is missing, or the namespace is missing or not that of the options.
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

/** The name and namespace that the server gave an object. */
export function placeOf({ metadata }: KubernetesObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** The path to create an object at: throws a TypeError when it has no `name` or `generateName`, or its namespace is missing or not that of the options. */
export function creationPath(resource: AnyResource, object: KubernetesObject, options: ObjectOptions): string {
  expectResource(resource);
  // A review, such as a SubjectAccessReview, is answered and not stored: it has no name.
  const isStored = 'get' in resource.verbs;
  if (isStored && (object.metadata?.generateName === undefined || object.metadata.generateName === ''))
    checkName(resource, object.metadata?.name);
  return resourcePath(resource, { namespace: namespaceOf(resource, options, object) });
}

/** An object with its type, which the server demands of custom resources: throws a TypeError when it says that it is of another type. */
export function typed<O extends KubernetesObject>(object: O, expected: { readonly apiVersion: string; readonly kind: string }): O {
  for (const field of ['kind', 'apiVersion'] as const) {
    const actual = object[field];
    if (actual !== undefined && actual !== expected[field]) {
      throw new TypeError(`Expected the object's \`${field}\` to be ${JSON.stringify(expected[field])}, got ${JSON.stringify(actual)}`);
    }
  }
  return { ...object, ...expected };
}
