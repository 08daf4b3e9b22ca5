/**
 * Makes an index function that files objects under their value of one label, and those without that label nowhere.
 *
 * @example
 * ```ts
 * import { labelIndexFunc, type KubernetesObject } from 'rx-informer';
 * import { createIndexer } from 'rx-informer/pipeline';
 *
 * const pods = createIndexer<KubernetesObject>({ indexers: { app: labelIndexFunc('app.kubernetes.io/name') } });
 * pods.byIndex('app', 'web');
 * ```
 */
export function labelIndexFunc(
  label: string,
): (object: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } }) => readonly string[] {
  if (typeof label !== 'string' || label === '')
    throw new TypeError(`Expected \`label\` to be the name of a label, got ${JSON.stringify(label)}`);
  return ({ metadata }) => {
    const labels = metadata?.labels;
    const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
    return value === undefined ? [] : [value];
  };
}
