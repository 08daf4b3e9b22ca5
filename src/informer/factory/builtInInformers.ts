import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { resources } from '../../api/resources.js';
import type { BuiltInInformers } from './informerFactory.js';

type Plurals = Readonly<Record<string, Resource<KubernetesObject, never>>>;
type Catalog = Readonly<Record<string, Readonly<Record<string, Plurals>>>>;

function isWatchable(resource: Resource<KubernetesObject, never>): resource is Resource<KubernetesObject, 'list' | 'watch'> {
  return 'list' in resource.verbs && 'watch' in resource.verbs;
}

/**
 * The informers of all built-in resources by group, version and plural, each asked for when it is read.
 */
export function builtInInformers(informerOf: (resource: Resource<KubernetesObject, 'list' | 'watch'>) => unknown): BuiltInInformers {
  const mapValues = <V, R>(record: Readonly<Record<string, V>>, map: (value: V) => R): Record<string, R> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

  const byPlural = (plurals: Plurals): object => {
    const informers = {};
    for (const [plural, resource] of Object.entries(plurals)) {
      if (isWatchable(resource)) Object.defineProperty(informers, plural, { enumerable: true, get: () => informerOf(resource) });
    }
    return informers;
  };

  const catalog: Catalog = { ...resources };
  return mapValues(catalog, (versions) => mapValues(versions, byPlural)) as BuiltInInformers;
}
