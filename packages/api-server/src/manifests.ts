import { parseAllDocuments } from 'yaml';
import type { KubernetesObject } from 'rx-informer';
import { asString, isJsonArray, isJsonObject, parseJson, type JsonObject } from './json.js';

/** The objects of a test: one object, several, or YAML documents. A List is replaced by its items. */
export type Manifests = KubernetesObject | readonly KubernetesObject[] | string;

function documentsOf(manifests: Manifests): readonly unknown[] {
  if (typeof manifests !== 'string') return Array.isArray(manifests) ? manifests : [manifests];
  const documents = parseAllDocuments(manifests, { schema: 'core' });
  return [...documents].map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new TypeError(`Expected the manifests to be YAML: ${error.message}`);
    return document.toJS() as unknown;
  });
}

/** The objects of manifests, one by one. */
export function objectsOf(manifests: Manifests): readonly JsonObject[] {
  const plain = documentsOf(manifests).filter((document) => document !== null && document !== undefined);
  const objects = plain.map((document) => parseJson(JSON.stringify(document)));
  return objects.flatMap((object) => {
    if (!isJsonObject(object)) throw new TypeError(`Expected a manifest to be an object, got ${JSON.stringify(object)}`);
    const items = object['items'];
    return asString(object['kind']).endsWith('List') && isJsonArray(items) ? items.filter(isJsonObject) : [object];
  });
}
