import { describeValue } from '../api/options.js';
import { type ApiError, apiErrorOfStatus } from '../api/errors/apiError.js';
import { keyOfObjectName, labelsInMetadata, splitMetaNamespaceKey } from '../api/kubernetesObject.js';
import { parseLabelSelector, type Selection } from '../api/selectors.js';
import type { IndexReader } from '../cache/store/store.js';
import { namespaceIndex } from '../cache/store/indexFuncs.js';
import type { Lister } from './collection.js';

type Labels = Readonly<Record<string, string>>;

function notFound(resource: string, key: string): ApiError {
  const name = key.slice(key.indexOf('/') + 1);
  const group = resource.slice(resource.indexOf('.') + 1);
  const message = `${resource} ${JSON.stringify(name)} not found`;
  const details = { name, kind: resource.split('.')[0] ?? resource, ...(resource.includes('.') && { group }) };
  return apiErrorOfStatus({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404, message, details });
}

/** How often a cache was read, and how often a selector examined objects. */
export interface ReadFigures {
  reads: number;
  /** Lists with a selector: their number, the objects they examined, and the objects they returned. */
  searches: number;
  searched: number;
  found: number;
}

interface ListerParts<T> {
  readonly indexer: IndexReader<T>;
  /** The resource in messages, for example `deployments.apps`. */
  readonly resource: string;
  /** Whether all keys are names of a server's objects. Other collections may have any keys. */
  readonly isNamed?: boolean;
  /** A view of the indexer to read instead of the indexer. */
  readonly reader?: Pick<IndexReader<T>, 'list' | 'listKeys' | 'getByKey' | 'byIndex'> | undefined;
  /** The labels of an object; by default those in its metadata. */
  readonly labelsOf?: ((object: T) => Labels | undefined) | undefined;
  /** Counts the reads, and the objects that selectors examine. */
  readonly counts?: ReadFigures;
  readonly onRead?: () => void;
}

/** Applies a selector. */
function choosing<T>({ labelsOf = labelsInMetadata, counts }: ListerParts<T>): (objects: T[], selection: Selection | undefined) => T[] {
  return (objects, selection) => {
    if (selection === undefined) return objects;
    const selector = parseLabelSelector(selection);
    if (selector.requirements.length === 0) return objects;
    const found = objects.filter((object) => selector.matches(labelsOf(object)));
    if (counts !== undefined) {
      counts.searches += 1;
      counts.searched += objects.length;
      counts.found += found.length;
    }
    return found;
  };
}

/** Makes a lister over an indexer. Reads of one namespace use the index `namespace`; without that index, they examine every key. */
export function createLister<T>(parts: ListerParts<T>): Lister<T> {
  const { indexer, resource, isNamed = false, reader = indexer, counts, onRead } = parts;
  const select = choosing(parts);
  const read = (): typeof reader => {
    if (counts !== undefined) counts.reads += 1;
    onRead?.();
    return reader;
  };
  const inNamespace = (namespace: string): T[] => {
    const from = read();
    if (namespace === '') return from.list();
    if (Object.hasOwn(indexer.getIndexers(), namespaceIndex)) return from.byIndex(namespaceIndex, namespace);
    const keys = from.listKeys().filter((key) => key.startsWith(`${namespace}/`));
    return keys.map((key) => from.getByKey(key)).filter((object) => object !== undefined);
  };
  const get = (key: string): T | undefined => {
    if (typeof (key as unknown) !== 'string' || key === '')
      throw new TypeError(`Expected the key for ${resource} to be "name" or "namespace/name", got ${describeValue(key)}`);
    const object = read().getByKey(key);
    // An invalid key throws; a valid one without an object does not.
    if (object === undefined && isNamed) splitMetaNamespaceKey(key);
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
      if (typeof (namespace as unknown) !== 'string')
        throw new TypeError(`Expected the namespace for ${resource} to be a string, got ${describeValue(namespace)}; '' stands for all`);
      return {
        list: (selection) => select(inNamespace(namespace), selection),
        get: (name) => get(keyOfObjectName({ namespace, name })),
        getOrThrow: (name) => getOrThrow(keyOfObjectName({ namespace, name })),
      };
    },
  };
}
