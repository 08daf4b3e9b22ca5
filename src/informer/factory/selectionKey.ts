import { isObservable } from 'rxjs';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { Resource } from '../../api/resource.js';
import { resourceName } from '../../api/resourceName.js';
import type { InformerSelection } from './informerFactory.js';

/** What tells the informers of a factory apart, and what they are called. */
export interface SelectionKey {
  readonly key: string;
  readonly name: string;
}

/** The place of a resource in the URL space. */
export function resourceKey({ group, version, plural }: Resource<unknown, never>): string {
  return `${group}/${version}/${plural}`;
}

/** Makes a function that tells selections apart. Observables of namespaces are the same if they are one and the same object. */
export function createSelectionKeys(): (resource: Resource<unknown, never>, selection: InformerSelection, what: string) => SelectionKey {
  const observables = new WeakMap<object, string>();
  let count = 0;

  const namespaceText = (namespace: InformerSelection['namespace']): string => {
    if (namespace === undefined) return '';
    if (typeof namespace === 'string') return namespace;
    if (!isObservable(namespace)) return [...new Set(namespace)].sort().join(', ');
    const text = observables.get(namespace) ?? `observed namespaces ${(count += 1)}`;
    observables.set(namespace, text);
    return text;
  };

  return (resource, { namespace, labelSelector, fieldSelector = '' }, what) => {
    const where = namespaceText(namespace);
    const labels = labelSelector === undefined ? '' : parseLabelSelector(labelSelector).toString();
    const selectors = [labels, fieldSelector].filter((selector) => selector !== '');
    const name = [resourceName(resource), what, where && `in ${where}`, selectors.length > 0 && `with ${selectors.join(' and ')}`];
    return { key: JSON.stringify([resourceKey(resource), what, where, labels, fieldSelector]), name: name.filter(Boolean).join(' ') };
  };
}
