import { ApiError } from '../api/apiError.js';
import type { LabelSelector } from '../api/labelSelector.js';
import { parseLabelSelector } from '../api/parseLabelSelector.js';
import type { Indexer } from '../cache/indexer.js';
import { namespaceIndex } from '../cache/namespaceIndex.js';
import type { Lister, Selection } from './lister.js';

type Labels = Readonly<Record<string, string>>;
type Labelled = { readonly metadata?: { readonly labels?: Labels } | null } | null | undefined;

function selectorOf(selection: Selection): LabelSelector {
  return typeof selection === 'object' && 'requirements' in selection ? selection : parseLabelSelector(selection);
}

function select<T>(objects: T[], selection: Selection | undefined): T[] {
  if (selection === undefined) return objects;
  const selector = selectorOf(selection);
  if (selector.requirements.length === 0) return objects;
  return objects.filter((object) => selector.matches((object as Labelled)?.metadata?.labels));
}

function notFound(resource: string, key: string): ApiError {
  const name = key.slice(key.indexOf('/') + 1);
  const group = resource.slice(resource.indexOf('.') + 1);
  const message = `${resource} ${JSON.stringify(name)} not found`;
  const details = { name, kind: resource.split('.')[0] ?? resource, ...(resource.includes('.') && { group }) };
  return new ApiError({
    code: 404,
    message,
    status: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message, details },
  });
}

/**
 * Makes the reads of a lister over an indexer. `resource` names the objects in messages, for example `deployments.apps`.
 *
 * Reads of one namespace use the index `namespace`; without it, they look through everything by key.
 */
export function createLister<T>(indexer: Indexer<T>, resource: string): Lister<T> {
  const hasIndex = (): boolean => Object.hasOwn(indexer.getIndexers(), namespaceIndex);

  const inNamespace = (namespace: string): T[] => {
    if (namespace === '') return indexer.list();
    if (hasIndex()) return indexer.byIndex(namespaceIndex, namespace);
    const keys = indexer.listKeys().filter((key) => key.startsWith(`${namespace}/`));
    return keys.flatMap((key) => indexer.getByKey(key) ?? []);
  };

  const getOrThrow = (key: string): T => {
    const object = indexer.getByKey(key);
    if (object === undefined) throw notFound(resource, key);
    return object;
  };

  return {
    list: (selection) => select(indexer.list(), selection),
    get: (key) => indexer.getByKey(key),
    getOrThrow,
    namespace: (namespace) => {
      const keyOf = (name: string): string => (namespace === '' ? name : `${namespace}/${name}`);
      return {
        list: (selection) => select(inNamespace(namespace), selection),
        get: (name) => indexer.getByKey(keyOf(name)),
        getOrThrow: (name) => getOrThrow(keyOf(name)),
      };
    },
  };
}
