import { asJsonObject, asString, isJsonObject, type Json, type JsonObject, valueAt } from '../json.js';
import { duplicate, type FieldError, invalidValue, required } from './fieldErrors.js';
import { schemaAtPath } from './schemaAtPath.js';

type Findings = Generator<FieldError, void, undefined>;

const columnTypes = 'boolean,date,integer,number,string';
const columnFormats = 'byte,date,date-time,double,float,int32,int64,password';

function* simplePathErrors(path: string, field: string): Findings {
  if (!path.startsWith('.')) yield invalidValue(field, JSON.stringify(path), 'must be a simple json path starting with .');
}

/** Errors of a printer column. */
export function* columnErrors(column: JsonObject, field: string): Findings {
  const [name, type, format, path] = ['name', 'type', 'format', 'jsonPath'].map((key) => asString(column[key]));
  if (name === '') yield required(`${field}.name`);
  if (type === '' || type === undefined) yield required(`${field}.type`, `must be one of ${columnTypes}`);
  else if (!columnTypes.split(',').includes(type))
    yield invalidValue(`${field}.type`, JSON.stringify(type), `must be one of ${columnTypes}`);
  if (format !== undefined && format !== '' && !columnFormats.split(',').includes(format))
    yield invalidValue(`${field}.format`, JSON.stringify(format), `must be one of ${columnFormats}`);
  if (path === '' || path === undefined) yield required(`${field}.JSONPath`);
  else yield* simplePathErrors(path, `${field}.JSONPath`);
}

function* scalePathErrors(scale: JsonObject, name: string, parents: readonly string[], field: string): Findings {
  const path = asString(scale[name]);
  const place = `${field}.scale.${name}`;
  if (path === '') {
    if (name !== 'labelSelectorPath') yield required(place);
  } else if (!path.startsWith('.')) yield* simplePathErrors(path, place);
  else if (!parents.some((parent) => path.startsWith(`${parent}.`))) {
    const where = parents.length > 1 ? `either ${parents.join(' or ')}` : parents.join();
    yield invalidValue(place, JSON.stringify(path), `should be a json path under ${where}`);
  }
}

/** Errors of the paths of the scale subresource. */
export function* subresourceErrors(subresources: Json | undefined, field: string): Findings {
  const scale = valueAt(subresources, 'scale');
  if (!isJsonObject(scale)) return;
  yield* scalePathErrors(scale, 'specReplicasPath', ['.spec'], field);
  yield* scalePathErrors(scale, 'statusReplicasPath', ['.status'], field);
  yield* scalePathErrors(scale, 'labelSelectorPath', ['.spec', '.status'], field);
}

/** Errors of selectable fields, by the schema. */
export function* selectableErrors(fields: readonly JsonObject[], schema: Json | undefined, field: string): Findings {
  const seen = new Set<string>();
  for (const [at, { jsonPath }] of fields.entries()) {
    const [path, place] = [asString(jsonPath), `${field}[${String(at)}].jsonPath`];
    if (path === '') {
      yield required(place);
      continue;
    }
    const found = schemaAtPath(asJsonObject(schema), path, false);
    if (found === undefined) {
      const unknown = /\[\d+\]/.test(path) ? 'array notation is not allowed' : 'does not refer to a valid field';
      const problem = path.startsWith('.') ? unknown : `expected [ or . but got: ${path.replace(/[.[].*$/s, '')}`;
      yield invalidValue(place, JSON.stringify(path), `is an invalid path: ${problem}`);
      continue;
    }
    if (path.startsWith('.metadata')) yield invalidValue(place, JSON.stringify(path), 'must not point to fields in metadata');
    if (!['string', 'boolean', 'integer'].includes(asString(found['type'])))
      yield invalidValue(
        place,
        JSON.stringify(path),
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      );
    if (seen.has(path)) yield duplicate(place, JSON.stringify(path));
    seen.add(path);
  }
  if (seen.size > 8) yield { reason: 'FieldValueTooMany', field, message: `Too many: ${String(seen.size)}: must have at most 8 items` };
}
