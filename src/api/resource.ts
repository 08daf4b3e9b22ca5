import { boolean, listOf, oneOf, type OptionRule, required, string } from './optionRules.js';
import { checkOptions, describeValue, type OptionRules, similarTo } from './options.js';
import type { KubernetesObject } from './kubernetesObject.js';

/** The verbs that an API server offers for a resource. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/**
 * Describes one resource of an API server: its path, what it offers and, by `T`, what its objects look like.
 *
 * `Verbs` is the union of the offered verbs: where `Resource<T, 'list' | 'watch'>` is required, a create-only kind does not compile.
 */
export interface Resource<T, Verbs extends Verb = Verb> {
  /** The API group; `''` for core. */
  readonly group: string;
  readonly version: string;
  /** The plural, as in the URL. */
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The verbs offered, each a key with the value `true`. */
  readonly verbs: Readonly<Record<Verbs, true>>;
  /** Names of the subresources, for example `status` and `scale`. */
  readonly subresources?: readonly string[];
  /** Carries the type of the objects; never present at run time. */
  readonly objectType?: T;
}

/** The last access to a name that the catalog lacks, such as `resources.core.v1.pod`. */
let missing: { readonly path: string; readonly hint: string } | undefined;

/** Names that runtimes and test libraries read from any object. */
const lookedFor: ReadonlySet<string> = new Set([
  'then',
  'toJSON',
  'constructor',
  'nodeType',
  'tagName',
  'asymmetricMatch',
  '$$typeof',
  'inspect',
]);

function withKnownNames<O extends object>(path: string, catalog: O): O {
  return new Proxy(catalog, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && !(name in target) && !lookedFor.has(name)) {
        missing = { path: `${path}.${name}`, hint: similarTo(name, Object.keys(target)) };
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/** The letters for verbs in rows of the catalog. @internal */
export const verbLetters: Readonly<Record<string, Verb>> = {
  g: 'get',
  l: 'list',
  w: 'watch',
  c: 'create',
  u: 'update',
  p: 'patch',
  d: 'delete',
  x: 'deletecollection',
};

/** The usual plural of a kind. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  return singular.endsWith('s') ? `${singular}es` : singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/**
 * A row: kind, plural if unusual, `c` if cluster-scoped, short names, categories, subresources, letters of the verbs; no letters means
 * all verbs.
 */
function resourceOf(group: string, version: string, row: string): Resource<unknown> {
  const [kind = '', plural, scope, shortNames, categories, subresources, letters = ''] = row.trim().split(' ');
  const list = (field: string, cell = ''): object => (cell === '' ? {} : { [field]: cell.split(',') });
  const offered = Object.entries(verbLetters).flatMap(([letter, verb]) =>
    letters === '' || letters.includes(letter) ? [[verb, true]] : [],
  );
  return {
    ...{ group, version, plural: plural || pluralOf(kind), kind, namespaced: scope !== 'c', singular: kind.toLowerCase() },
    ...list('shortNames', shortNames),
    ...list('categories', categories),
    verbs: Object.fromEntries(offered) as Record<Verb, true>,
    ...list('subresources', subresources),
  };
}

/**
 * A catalog of rows, by group and version. It remembers accesses to unknown groups, versions and plurals, so that the error of a function that is passed `undefined` can
 * suggest the most similar name. @internal
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- only its user knows the types
export function catalogOf<O extends object>(
  catalog: Readonly<Record<string, readonly [group: string, versions: Readonly<Record<string, string>>]>>,
): O {
  const groups = Object.entries(catalog).map(([key, [group, versions]]) => {
    const known = Object.entries(versions).map(([version, rows]) => {
      const plurals = rows.split('\n').filter((row) => row.trim() !== '');
      const named = plurals.map((row) => resourceOf(group, version, row)).map((resource) => [resource.plural, resource]);
      return [version, withKnownNames(`resources.${key}.${version}`, Object.fromEntries(named) as object)];
    });
    return [key, withKnownNames(`resources.${key}`, Object.fromEntries(known) as object)];
  });
  return withKnownNames('resources', Object.fromEntries(groups) as O);
}

/** The name of a resource in messages: `pods`, or `deployments.apps` outside the core group. */
export function resourceName(resource: { readonly group: string; readonly plural: string }): string {
  if (typeof (resource as unknown) !== 'object') throw notAResource(resource);
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}

/** The error of a call whose argument is not a resource. For `undefined`, it names what the catalog lacks. */
export function notAResource(value: unknown): TypeError {
  const absent = value !== undefined || missing === undefined ? '' : `; there is no \`${missing.path}\`${missing.hint}`;
  const hasNames = value instanceof Object && 'plural' in value;
  const got = hasNames ? `${JSON.stringify(value)}; customResource makes one from its names` : describeValue(value);
  return new TypeError(`Expected \`resource\` to be a resource, got ${got}${absent}`);
}

/** Throws a TypeError for what is not a resource, for example `resources.core.v1.pod`: the names are plurals, as in URLs. */
export function expectResource(value: unknown): void {
  if (!isResource(value)) throw notAResource(value);
}

/** The `apiVersion` of a resource's objects: `v1`, or `apps/v1` outside the core group. */
export function apiVersionOf(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** What a path refers to. */
export interface ResourcePathTarget {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly subresource?: string | undefined;
}

function segment(field: string, value: string): string {
  if (value === '' || value === '.' || value === '..' || value.includes('/') || value.includes('%') || /\p{Surrogate}/u.test(value)) {
    throw new TypeError(`Expected \`${field}\` to be a name that is valid in a URL, got ${describeValue(value)}`);
  }
  return encodeURIComponent(value);
}

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Throws a TypeError for a text that no namespace can be named: the server would find no objects there, and say nothing. */
function namespaceSegment(namespace: string): string {
  if (dnsLabel.test(namespace) && namespace.length <= 63) return namespace;
  const names = namespace.split(',').map((name) => name.trim());
  const several = names.length > 1 && names.every((name) => dnsLabel.test(name));
  const hint = several ? `; several namespaces are a list, ${JSON.stringify(names)}` : namespace === '*' ? "; all namespaces are ''" : '';
  throw new TypeError(`Expected \`namespace\` to be the name of a namespace, got ${JSON.stringify(namespace)}${hint}`);
}

/**
 * The URL path of a resource, of one namespace of it, of one object or of an object's subresource, every name escaped.
 *
 * An absent or empty namespace of a namespaced resource means all namespaces.
 *
 * @throws TypeError when a name is invalid in a URL, when a cluster-scoped resource is given a namespace, when one object of a namespaced
 * resource is given none, and for a subresource without an object.
 */
export function resourcePath(
  resource: { readonly group: string; readonly version: string; readonly plural: string; readonly namespaced: boolean },
  target: ResourcePathTarget = {},
): string {
  if (typeof (resource as unknown) !== 'object') throw notAResource(resource);
  const { namespace = '', name, subresource } = target;
  if (!resource.namespaced && namespace !== '') {
    throw new TypeError(
      `Expected no \`namespace\` for the cluster-scoped resource ${resourceName(resource)}, got ${JSON.stringify(namespace)}`,
    );
  }
  if (resource.namespaced && namespace === '' && name !== undefined) {
    throw new TypeError(
      `Expected a \`namespace\` for ${JSON.stringify(name)} of the namespaced resource ${resourceName(resource)}, got none`,
    );
  }
  if (name === undefined && subresource !== undefined) {
    throw new TypeError(`Expected a \`name\` for the subresource ${JSON.stringify(subresource)} of ${resourceName(resource)}, got none`);
  }
  let path =
    resource.group === ''
      ? `/api/${segment('version', resource.version)}`
      : `/apis/${segment('group', resource.group)}/${segment('version', resource.version)}`;
  if (namespace !== '') path += `/namespaces/${namespaceSegment(namespace)}`;
  path += `/${segment('plural', resource.plural)}`;
  if (name !== undefined) path += `/${segment('name', name)}`;
  if (subresource !== undefined) path += `/${segment('subresource', subresource)}`;
  return path;
}

/** What identifies a custom resource: the names of its CustomResourceDefinition. */
export interface CustomResourceNames extends Pick<
  Resource<unknown>,
  'group' | 'version' | 'plural' | 'kind' | 'namespaced' | 'singular' | 'shortNames'
> {
  readonly subresources?: readonly ('status' | 'scale')[];
}

const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function matching(pattern: RegExp, expected: string): OptionRule {
  return { required: true, expected, holds: (value) => typeof value === 'string' && pattern.test(value) };
}

const namesRules: OptionRules<CustomResourceNames> = {
  group: matching(dnsSubdomain, 'a DNS name such as "example.com"'),
  version: matching(dnsLabel, 'a version such as "v1"'),
  plural: matching(dnsLabel, 'a lower-case plural such as "websites"'),
  kind: matching(/^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$/, 'a kind such as "WebSite"'),
  namespaced: required(boolean),
  singular: string,
  shortNames: listOf(string, 'strings'),
  subresources: listOf(oneOf('status', 'scale'), '"status" and "scale"'),
};

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
 * @throws TypeError when a name is unknown, or invalid in a URL of the API server.
 */
export function customResource<T extends KubernetesObject>(names: CustomResourceNames): Resource<T> {
  checkOptions('customResource', names, namesRules);
  return {
    ...names,
    singular: names.singular ?? names.kind.toLowerCase(),
    verbs: { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true, deletecollection: true },
  };
}

/** Whether a value describes a resource. */
export function isResource<T>(value: unknown): value is Resource<T, 'list' | 'watch'> {
  return typeof value === 'object' && value !== null && 'plural' in value && 'verbs' in value;
}
