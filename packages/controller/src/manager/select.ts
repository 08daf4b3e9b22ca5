import { definedOf, describeValue, expectArgument, isResource, rules, type InformerSelection } from 'rx-informer/internal';
import { parseLabelSelector } from 'rx-informer/pipeline';
import type { KubernetesObject, Resource } from 'rx-informer';

/** What the informers of one resource hold. */
export interface SelectOptions<T> extends InformerSelection {
  /** Changes each object before it is cached; see `createInformer`. */
  readonly transform?: ((object: T) => T) | undefined;
}

/** The selection of one resource, made by `select`. */
export interface ManagedSelection {
  readonly resource: Resource<KubernetesObject, 'list' | 'watch'>;
  readonly selection: InformerSelection;
  readonly transform: (<T extends KubernetesObject>(object: T) => T) | undefined;
}

type Namespaces = InformerSelection['namespace'];

/** Namespaces within others. Those of an Observable come and go, so that they cannot be compared. */
function namespacesWithin(all: Namespaces, own: Namespaces): Namespaces {
  const listOf = (namespace: Namespaces): readonly string[] | undefined =>
    typeof namespace === 'string' ? [namespace] : Array.isArray(namespace) ? (namespace as readonly string[]) : undefined;
  const [known, wanted = []] = [listOf(all), listOf(own)];
  const outside = known?.includes('') === false ? wanted.find((one) => !known.includes(one)) : undefined;
  if (outside !== undefined)
    throw new TypeError(`Expected a namespace of those that are selected (${known?.join(', ') ?? ''}), got ${describeValue(outside)}`);
  return own ?? all;
}

/** A selection within another one. @throws TypeError for a namespace outside of it. */
export function selectionWithin(all: InformerSelection, own: InformerSelection): InformerSelection {
  const joined = (...selectors: readonly string[]): string | undefined => selectors.filter((one) => one !== '').join(',') || undefined;
  const labels = [all, own].map(({ labelSelector }) => (labelSelector === undefined ? '' : parseLabelSelector(labelSelector).toString()));
  return definedOf({
    namespace: namespacesWithin(all.namespace, own.namespace),
    labelSelector: joined(...labels),
    fieldSelector: joined(all.fieldSelector ?? '', own.fieldSelector ?? ''),
  });
}

/**
 * Says what all informers of one resource hold, for the option `selections` of `createManager`. A controller may narrow the selection further by its own.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { createManager, select } from '@rx-informer/controller/manager';
 *
 * const { pods, secrets } = resources.core.v1;
 * createManager({
 *   client: createClient(),
 *   selections: [
 *     select(pods, { labelSelector: 'app=web' }),
 *     select(secrets, { transform: ({ data: _, ...secret }) => secret }),
 *   ],
 * });
 * ```
 *
 * @throws TypeError when `resource` is none, or `options` is no object.
 *
 * @see controller-runtime's `cache.Options.ByObject`
 */
export function select<T extends KubernetesObject>(resource: Resource<T, 'list' | 'watch'>, options: SelectOptions<T>): ManagedSelection {
  expectArgument('select', 'resource', resource, { expected: 'a resource', holds: isResource });
  expectArgument('select', 'options', options, rules.object);
  const { transform, ...selection } = options;
  // The factory that gets it makes informers of this resource alone.
  return { resource, selection, transform: transform as ManagedSelection['transform'] };
}
