import { describeValue, isJsonObject, type JsonObject, messageOf, rules } from 'rx-informer/internal';

/** How a schema is asked for its JSON Schema. */
export interface JsonSchemaOptions {
  readonly target: 'draft-2020-12' | 'draft-07';
}

/**
 * A schema that knows its JSON Schema: of zod 4, ArkType, and every other library that implements Standard JSON Schema. `jsonSchema` makes one of any other.
 *
 * `Input` is what an API server accepts: fields with a default are optional.
 *
 * @see https://standardschema.dev
 */
export interface ResourceSchema<Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined;
    readonly jsonSchema: {
      input(options: JsonSchemaOptions): Readonly<Record<string, unknown>>;
    };
  };
}

/** What a schema accepts. */
export type InputOf<S> = S extends ResourceSchema<infer Input> ? Input : unknown;

/**
 * Makes a schema of a JSON Schema, for example one of TypeBox, for `defineResource`.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { jsonSchema } from '@rx-informer/controller';
 *
 * interface Site extends KubernetesObject {
 *   readonly spec: { readonly host: string };
 * }
 * const spec = { type: 'object', required: ['host'], properties: { host: { type: 'string' } } };
 * const schema = jsonSchema<Site>({ type: 'object', required: ['spec'], properties: { spec } });
 * // with TypeBox: jsonSchema<Static<typeof Site>>(Site)
 * ```
 *
 * @throws TypeError when the schema is not an object.
 */
export function jsonSchema<Input>(schema: object): ResourceSchema<Input> {
  if (!isJsonObject(schema)) throw new TypeError(`Expected a JSON Schema, got ${describeValue(schema)}`);
  return { '~standard': { version: 1, vendor: 'json-schema', jsonSchema: { input: () => schema } } };
}

/**
 * The JSON Schema of a schema. The newest draft says most: keys of maps, tuples, null.
 *
 * @throws TypeError when it has none.
 */
export function readSchema(schema: ResourceSchema, where: string): JsonObject {
  const converter: unknown = (schema as Partial<ResourceSchema> | undefined)?.['~standard']?.jsonSchema;
  if (!rules.withMethods('input').holds(converter))
    throw new TypeError(
      `Expected ${where} to be a schema that implements Standard JSON Schema, got ${describeValue(schema)}; \`jsonSchema\` makes one of any other`,
    );
  const read = (target: JsonSchemaOptions['target']): JsonObject =>
    JSON.parse(JSON.stringify(schema['~standard'].jsonSchema.input({ target }))) as JsonObject;
  try {
    return read('draft-2020-12');
  } catch (refusal) {
    try {
      // A library need not know every dialect.
      return read('draft-07');
    } catch {
      throw new TypeError(`Expected ${where} to have a JSON Schema: ${messageOf(refusal)}`, { cause: refusal });
    }
  }
}
