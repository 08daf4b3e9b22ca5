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

/** The fields that `kubectl apply` on the client's side has set before and that nobody has changed since: kubectl may take them over. */
export function fieldsOfLastApplied(live: JsonObject, shape: FieldShape): FieldSet {
  const last = lastAppliedOf(live);
  if (last === undefined || last['apiVersion'] !== live['apiVersion']) return FieldSet.empty;
  const { changed, removed } = compareFields(last, unmanaged(live), shape);
  return fieldsOf(last, shape).difference(changed).difference(removed);
}

/** The document with the annotation of client-side applies, if it has one, brought up to date with what is applied now. */
export function withLastApplied(document: JsonObject, applied: JsonObject): JsonObject {
  if (lastAppliedOf(document) === undefined) return document;
  const annotations = asJsonObject(valueAt(applied, 'metadata', 'annotations'));
  const metadata = { ...asJsonObject(applied['metadata']), annotations: without(annotations, annotation) };
  const text = `${JSON.stringify({ ...applied, metadata })}\n`;
  const known = asJsonObject(document['metadata']);
  return { ...document, metadata: { ...known, annotations: { ...asJsonObject(known['annotations']), [annotation]: text } } };
}
