import { apiVersionOf } from '../../../src/api/resource.js';
import type { Entry } from './catalog.js';
import type { Field, Model } from './models.js';

type Models = ReadonlyMap<string, Model>;

/** The type in a field, inside lists; `inMap` for the values of a map. */
function heldBy({ attribute }: Field): { readonly type: string; readonly inMap: boolean } {
  const item = attribute.type.replace(/^(?:Array<)*|>*$/g, '');
  const value = /^\{ \[key: string\]: (.*); \}$/.exec(item)?.[1];
  return { type: (value ?? item).replace(/^V1MicroTime$/, 'Date'), inMap: value !== undefined };
}

function isDifferent(field: Field, different: ReadonlySet<string>): boolean {
  const { type } = heldBy(field);
  return field.attribute.name !== field.name || type === 'Date' || different.has(type);
}

/** The models that differ from JSON, at any depth. */
function differentModels(models: Models): ReadonlySet<string> {
  const different = new Set<string>();
  for (let known = -1; different.size > known;) {
    known = different.size;
    for (const { name, fields } of models.values()) if (fields.some((field) => isDifferent(field, different))) different.add(name);
  }
  return different;
}

/** The meaning of each field name, which must be the same in all models. */
function namesOf<V>(models: Models, meaning: (field: Field) => V): ReadonlyMap<string, V> {
  const meanings = new Map<string, V>();
  for (const model of models.values()) {
    for (const field of model.fields) {
      const known = meanings.get(field.name);
      const is = meaning(field);
      if (known !== undefined && known !== is)
        throw new Error(`${model.name}.${field.name} differs from fields of that name in other models`);
      meanings.set(field.name, is);
    }
  }
  return new Map([...meanings].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A line for each kind that differs in more than its metadata, and for each model that it leads to. */
function linesOf(models: Models, entries: readonly Entry[]): readonly string[] {
  const different = differentModels(models);
  const furtherOf = (fields: readonly Field[] = []) => fields.filter((field) => different.has(heldBy(field).type));
  const lines = new Map<string, string>();
  const add = (key: string, fields?: readonly Field[]): void => {
    const further = furtherOf(fields);
    if (lines.has(key) || (further.length === 0 && models.has(key))) return;
    const texts = further.map((field) => {
      const { type, inMap } = heldBy(field);
      const leadsFurther = furtherOf(models.get(type)?.fields).length > 0;
      return `${field.name}: '${inMap ? '{}' : ''}${leadsFurther ? type : ''}'`;
    });
    const name = /\W/.test(key) ? `'${key}'` : key;
    lines.set(key, `  ${name}: {${texts.length === 0 ? '' : ` ${texts.join(', ')} `}},\n`);
    for (const { type } of further.map(heldBy)) add(type, models.get(type)?.fields);
  };
  add('V1ObjectMeta', models.get('V1ObjectMeta')?.fields);
  for (const entry of entries) {
    const fields = models.get(entry.model)?.fields ?? [];
    if (fields.some((field) => field.name !== 'metadata' && isDifferent(field, different)))
      add(`${apiVersionOf(entry)} ${entry.kind}`, fields);
  }
  return [...lines.values()];
}

/** The text of the table with the differences between client-node's models and JSON, for `toClientNode`. */
export function writeClientNodeModels(models: Models, entries: readonly Entry[]): string {
  const names = [...namesOf(models, (field) => field.attribute.name)].filter(([name, property]) => name !== property);
  const times = [...namesOf(models, (field) => heldBy(field).type === 'Date')].filter(([, isTime]) => isTime);
  return `/** The fields that client-node calls otherwise than JSON does, in whichever model. */
export const clientNodeNames = {
${names.map(([name, property]) => `  '${name}': '${property}',\n`).join('')}} as const;

/** The fields that hold a time, or a map of times, in whichever model. */
export const clientNodeTimes = [
${times.map(([name]) => `  '${name}',\n`).join('')}] as const;

/**
 * The models of client-node whose instances differ from the parsed JSON in more than the metadata, and the models nested in them. For each model: the
 * fields whose values differ, with the model of the value if that is nested too; \`{}\` before the model means a map of values.
 */
export const clientNodeModels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${linesOf(models, entries).join('')}};
`;
}
