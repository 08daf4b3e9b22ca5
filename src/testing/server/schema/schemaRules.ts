import { asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { CustomResourceVersion, KindRules } from '../kinds/servedResource.js';
import { defaultObject } from './defaultObject.js';
import { pruneObject } from './pruneObject.js';
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

/** What the schema of one version of a CustomResourceDefinition means for writes and selectors. */
export function schemaRules({ schema, preserveUnknownFields }: CustomResourceVersion, selectableFields: Json | undefined): KindRules {
  const known = !preserveUnknownFields && isJsonObject(schema) && Object.keys(schema).length > 0;
  const pruned = (object: JsonObject): ReturnType<typeof pruneObject> => (known ? pruneObject(object, schema) : { object, unknown: [] });
  return {
    complete: (content) => defaultObject(pruned(content).object, schema),
    unknownFields: (object) => pruned(object).unknown,
    validate: (content, before) => validateObject(content, schema, before),
    fields: fieldsOf(selectableFields),
  };
}
