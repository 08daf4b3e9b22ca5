import { asJsonObject, asString, isJsonObject, parseJson, valueAt, without, type JsonObject } from '../json.js';
import type { FieldShape } from '../kinds/fieldShape.js';
import { compareFields } from './compareFields.js';
import { FieldSet } from './fieldSet.js';
import { fieldsOf } from './fieldsOf.js';
import { unmanaged } from './ownedFields.js';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

function lastAppliedOf(document: JsonObject): JsonObject | undefined {
  const text = asString(valueAt(document, 'metadata', 'annotations', annotation));
  if (text === '') return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The fields of the last client-side `kubectl apply` that have not changed since: server-side kubectl may take them over. */
export function fieldsOfLastApplied(live: JsonObject, shape: FieldShape): FieldSet {
  const last = lastAppliedOf(live);
  if (last === undefined || last['apiVersion'] !== live['apiVersion']) return FieldSet.empty;
  const { changed, removed } = compareFields(last, unmanaged(live), shape);
  return fieldsOf(last, shape).difference(changed).difference(removed);
}

/** Updates the annotation of client-side applies, if the document has one. */
export function withLastApplied(document: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(document) === undefined) return document;
  const { annotations, ...rest } = asJsonObject(applied['metadata']);
  const metadata = { ...rest, ...(isJsonObject(annotations) && { annotations: without(annotations, annotation) }) };
  const text = `${JSON.stringify({ ...applied, metadata })}\n`;
  const known = asJsonObject(document['metadata']);
  return { ...document, metadata: { ...known, annotations: { ...asJsonObject(known['annotations']), [annotation]: text } } };
}
