import { describeValue } from '../api/options.js';
import { ApiError } from '../api/errors/apiError.js';
import type { ReadFacts } from '../api/running/facts.js';
import { type LabelSelector, parseLabelSelector } from '../api/selectors.js';
import type { Indexer } from '../cache/store/store.js';
import { namespaceIndex } from '../cache/store/indexFuncs.js';
import type { ReadYourWrites } from '../cache/createReadYourWrites.js';
import { keyOfObjectName, splitMetaNamespaceKey } from '../cache/keys.js';
import type { Lister, Selection } from './collection.js';

type Labels = Readonly<Record<string, string>>;
type Labelled = { readonly metadata?: { readonly labels?: Labels } | null } | null | undefined;

function isParsed(selection: Selection): selection is LabelSelector {
  return typeof selection === 'object' && 'requirements' in selection && Array.isArray(selection.requirements);
}

function selectorOf(selection: Selection): LabelSelector {
  return isParsed(selection) ? selection : parseLabelSelector(selection);
}

const labelsInMetadata = (object: unknown): Labels | undefined => (object as Labelled)?.metadata?.labels;

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
 *
 * @param reader - a view of the indexer to read instead of itself.
 * @param labelsOf - the labels of an object; by default those in its metadata.
 * @param counts - counts what selectors look through.
 */
export function createLister<T>(
  indexer: Indexer<T>,
  resource: string,
  reader: Pick<ReadYourWrites<T>, 'list' | 'listKeys' | 'getByKey' | 'byIndex'> = indexer,
  labelsOf: (object: T) => Labels | undefined = labelsInMetadata,
  counts?: ReadFacts,
): Lister<T> {
  const read = (): typeof reader => {
    if (counts !== undefined) counts.reads += 1;
    return reader;
  };

  const hasIndex = (): boolean => Object.hasOwn(indexer.getIndexers(), namespaceIndex);

  const select = (objects: T[], selection: Selection | undefined): T[] => {
    if (selection === undefined) return objects;
    const selector = selectorOf(selection);
    if (selector.requirements.length === 0) return objects;
    const found = objects.filter((object) => selector.matches(labelsOf(object)));
    if (counts !== undefined) {
      counts.searches += 1;
      counts.searched += objects.length;
      counts.found += found.length;
    }
    return found;
  };

  const inNamespace = (namespace: string): T[] => {
    if (namespace === '') return read().list();
    if (hasIndex()) return read().byIndex(namespaceIndex, namespace);
    const keys = read()
      .listKeys()
      .filter((key) => key.startsWith(`${namespace}/`));
    return keys.flatMap((key) => read().getByKey(key) ?? []);
  };

  const get = (key: string): T | undefined => {
    if (typeof (key as unknown) !== 'string' || key === '')
      throw new TypeError(`Expected the key for ${resource} to be "name" or "namespace/name", got ${describeValue(key)}`);
    const object = read().getByKey(key);
    // What is no key at all is a mistake, and not an object that is missing.
    if (object === undefined) splitMetaNamespaceKey(key);
    return object;
  };

  const getOrThrow = (key: string): T => {
    const object = get(key);
    if (object === undefined) throw notFound(resource, key);
    return object;
  };

  return {
    list: (selection) => select(read().list(), selection),
    get,
    getOrThrow,
    byIndex: (indexName, indexedValue) => read().byIndex(indexName, indexedValue),
    namespace: (namespace) => {
      const keyOf = (name: string): string => keyOfObjectName({ namespace, name });
      return {
        list: (selection) => select(inNamespace(namespace), selection),
        get: (name) => get(keyOf(name)),
        getOrThrow: (name) => getOrThrow(keyOf(name)),
      };
    },
  };
}
