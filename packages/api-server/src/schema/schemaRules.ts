import { asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { CustomResourceVersion, KindRules } from '../kinds/servedResource.js';
import { invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { defaultObject } from './defaultObject.js';
import { pruneObject } from './pruneObject.js';
import { ruleFindings } from './rules/ruleFindings.js';
import { validateObject } from './validateObject.js';

/** The steps of a simple JSON path such as `.spec.names['a.b']`. */
function stepsOf(jsonPath: string): readonly string[] {
  return [...jsonPath.matchAll(/\.([^.[\]]+)|\['([^']*)'\]/g)].map(([, name, quoted]) => name ?? quoted ?? '');
}

function textOf(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}

/** The fields that a version declares as selectable. */
function fieldsOf(selectableFields: Json | undefined): NonNullable<KindRules['fields']> {
  const paths = isJsonArray(selectableFields) ? selectableFields.map((field) => asString(valueAt(field, 'jsonPath'))) : [];
  return Object.fromEntries(
    paths
      .filter((path) => path.startsWith('.'))
      .map((path) => {
        const steps = stepsOf(path);
        return [path.slice(1), (content: JsonObject) => textOf(valueAt(content, ...steps))];
      }),
  );
}

const unchecked =
  'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** Errors after which CEL rules are not evaluated, because the values have wrong types or sizes. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** Validation errors of a replica count of the `scale` subresource: it must be an integer if present. */
function* scaleErrors(content: StoredContent, path: string): Generator<FieldError, void, undefined> {
  const field = `.${path}`;
  let at: Json | undefined = content;
  for (const step of path.split('.')) {
    if (at === undefined || at === null) return;
    if (!isJsonObject(at)) {
      yield invalidValue(field, '0', `${field} accessor error: expected an object`);
      return;
    }
    at = at[step];
  }
  if (at === undefined) return;
  if (typeof at !== 'number' || !Number.isInteger(at)) {
    yield invalidValue(field, '0', `${field} accessor error: expected an integer`);
  } else if (at < 0) yield invalidValue(field, String(at), 'should be a non-negative integer');
  else if (at > 2 ** 31 - 1) yield invalidValue(field, String(at), 'should be less than or equal to 2147483647');
}

/** The errors by the schema, and by its CEL rules unless types or sizes are wrong. */
function checked(
  content: StoredContent,
  schema: JsonObject,
  before: StoredContent | undefined,
  more: readonly FieldError[],
): readonly FieldError[] {
  const found = [...validateObject(content, schema, before), ...more];
  if (found.some(({ reason }) => blocking.has(reason)))
    return [...found, { reason: 'FieldValueInvalid', field: '<nil>', message: unchecked }];
  return [...found, ...ruleFindings(content, schema, before)];
}

/** The rules of one version of a CustomResourceDefinition for writes and selectors. */
export function schemaRules(
  { schema, preserveUnknownFields, hasRules, scale }: CustomResourceVersion,
  selectableFields: Json | undefined,
): KindRules {
  const known = !preserveUnknownFields && isJsonObject(schema) && Object.keys(schema).length > 0;
  const pruned = (object: JsonObject): ReturnType<typeof pruneObject> => (known ? pruneObject(object, schema) : { object, unknown: [] });
  return {
    complete: (content, keepNulls) => defaultObject(pruned(content).object, schema, keepNulls),
    unknownFields: (object) => pruned(object).unknown,
    validate: (content, before) => {
      const paths = scale === undefined ? [] : [scale.specReplicasPath, scale.statusReplicasPath];
      const found = paths.flatMap((path) => [...scaleErrors(content, path)]);
      return hasRules ? checked(content, schema, before, found) : [...validateObject(content, schema, before), ...found];
    },
    fields: fieldsOf(selectableFields),
  };
}
