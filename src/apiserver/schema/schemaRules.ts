import { asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { CustomResourceVersion, KindRules } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { defaultObject } from './defaultObject.js';
import { pruneObject } from './pruneObject.js';
import { ruleFindings } from './rules/ruleFindings.js';
import { validateObject } from './validateObject.js';

/** Where a simple JSON path such as `.spec.names['a.b']` leads. */
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

/** Findings after which rules would meet values that they are not made for. */
const blocking: ReadonlySet<FieldError['reason']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** What is wrong by the schema, and by its rules unless the values are of other types or sizes. */
function checked(content: StoredContent, schema: JsonObject, before: StoredContent | undefined): readonly FieldError[] {
  const found = validateObject(content, schema, before);
  if (found.some(({ reason }) => blocking.has(reason)))
    return [...found, { reason: 'FieldValueInvalid', field: '<nil>', message: unchecked }];
  return [...found, ...ruleFindings(content, schema, before)];
}

/** What the schema of one version of a CustomResourceDefinition means for writes and selectors. */
export function schemaRules(
  { schema, preserveUnknownFields, hasRules }: CustomResourceVersion,
  selectableFields: Json | undefined,
): KindRules {
  const known = !preserveUnknownFields && isJsonObject(schema) && Object.keys(schema).length > 0;
  const pruned = (object: JsonObject): ReturnType<typeof pruneObject> => (known ? pruneObject(object, schema) : { object, unknown: [] });
  return {
    complete: (content) => defaultObject(pruned(content).object, schema),
    unknownFields: (object) => pruned(object).unknown,
    validate: (content, before) => (hasRules ? checked(content, schema, before) : validateObject(content, schema, before)),
    fields: fieldsOf(selectableFields),
  };
}
