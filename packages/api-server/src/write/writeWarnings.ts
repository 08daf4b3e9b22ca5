import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { isFormat } from '../schema/formats.js';
import type { StoredContent } from '../store/storedObject.js';
import { itemsOf } from '../validation/fieldChecks.js';

type Texts = Generator<string, void, undefined>;

/** The formats in a schema that no object is checked for. */
function* unknownFormats(schema: Json | undefined): Texts {
  if (isJsonArray(schema)) for (const one of schema) yield* unknownFormats(one);
  if (!isJsonObject(schema)) return;
  const format = asString(schema['format']);
  if (format !== '' && !isFormat(format, asString(schema['type']))) yield format;
  const { properties, items, additionalProperties, allOf, anyOf, oneOf, not } = schema;
  const parts = [...Object.values(asJsonObject(properties)), items, additionalProperties, allOf, anyOf, oneOf, not];
  for (const part of parts) yield* unknownFormats(part);
}

/** The warnings of a definition: its formats that no value is checked for, unless it had them before. */
export function* formatWarnings(bucketId: string, after: StoredContent, before?: StoredContent): Texts {
  if (bucketId !== 'apiextensions.k8s.io/customresourcedefinitions') return;
  const formatsOf = ({ spec }: StoredContent): Set<string> =>
    new Set(
      itemsOf(valueAt(spec, 'versions'), '').flatMap(([version]) => [...unknownFormats(valueAt(version, 'schema', 'openAPIV3Schema'))]),
    );
  const known = before === undefined ? new Set<string>() : formatsOf(before);
  for (const format of formatsOf(after)) if (!known.has(format)) yield `unrecognized format "${format}"`;
}

/** The warning of owners that are named twice. */
export function* ownerWarnings(object: JsonObject): Texts {
  const uids = itemsOf(valueAt(object, 'metadata', 'ownerReferences'), '');
  if (uids.length < 2) return;
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const [{ uid }] of uids) (seen.has(asString(uid)) ? twice : seen).add(asString(uid));
  if (twice.size > 0)
    yield `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${[...twice].join(', ')}`;
}
