import { asJsonObject, asString, isJsonArray, isJsonObject, type JsonObject } from '../../json.js';
import type { ServedResource } from '../../kinds/servedResource.js';
import { definitionName, definitions } from './definitions.js';

const prefix = '#/definitions/';

/** The form of a value of a built-in kind. */
export type TypeForm =
  | 'struct'
  | 'map'
  | 'list'
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'bytes'
  | 'quantity'
  | 'time'
  | 'microTime'
  | 'intOrString'
  | 'any';

const special: Readonly<Record<string, TypeForm>> = {
  Quantity: 'quantity',
  Time: 'time',
  MicroTime: 'microTime',
  IntOrString: 'intOrString',
  FieldsV1: 'any',
  RawExtension: 'any',
  JSON: 'any',
  JSONSchemaPropsOrArray: 'any',
  JSONSchemaPropsOrBool: 'any',
  JSONSchemaPropsOrStringArray: 'any',
  CustomResourceSubresourceStatus: 'any',
  Patch: 'any',
};

/** The type of a value, by its definition. Types refer to each other; each one is made at its first use. */
export class TypeNode {
  readonly form: TypeForm;
  /** The schema at the place of the reference: list types and patch strategies belong to the place, not to the definition. */
  readonly schema: JsonObject;
  /** The name of the struct, such as `PodSpec`; `''` for other types. */
  readonly name: string;
  /** The full name of the definition, such as `io.k8s.api.core.v1.PodSpec`; `''` when there is none. */
  readonly definition: string;
  /** The definition that the reference leads to. */
  private readonly target: JsonObject;
  private structFields: ReadonlyMap<string, TypeNode> | undefined;
  private inner: TypeNode | undefined;
  private requiredFields: readonly string[] | undefined;

  constructor(schema: JsonObject) {
    const reference = asString(schema['$ref']);
    const full = reference.startsWith(prefix) ? reference.slice(prefix.length) : '';
    const name = full.slice(full.lastIndexOf('.') + 1);
    this.schema = schema;
    this.definition = full;
    this.target = full === '' ? schema : (definitions()[full] ?? {});
    this.form = special[name] ?? formOf(this.target);
    this.name = this.form === 'struct' ? name : '';
  }

  /** The fields of a struct. */
  get fields(): ReadonlyMap<string, TypeNode> {
    this.structFields ??= new Map(
      Object.entries(asJsonObject(this.target['properties'])).map(([field, schema]) => [field, nodeOf(asJsonObject(schema))]),
    );
    return this.structFields;
  }

  /** The type of the items of a list, or of the values of a map. */
  get values(): TypeNode {
    if (this.inner !== undefined) return this.inner;
    const { items, additionalProperties } = this.target;
    this.inner = nodeOf(asJsonObject(this.form === 'list' ? items : additionalProperties));
    return this.inner;
  }

  /** The required fields. */
  get required(): readonly string[] {
    if (this.requiredFields !== undefined) return this.requiredFields;
    const { required } = this.target;
    this.requiredFields = isJsonArray(required) ? required.map(asString) : [];
    return this.requiredFields;
  }

  /** An extension such as `x-kubernetes-list-type`, from the place of the value or from its definition. */
  extension(name: string): JsonObject[string] {
    return this.schema[name] ?? this.target[name];
  }
}

function formOf({ type, format, properties, additionalProperties }: JsonObject): TypeForm {
  if (isJsonObject(properties)) return 'struct';
  if (isJsonObject(additionalProperties)) return 'map';
  if (type === 'array') return 'list';
  if (type === 'integer') return format === 'int32' ? 'int32' : 'int64';
  if (type === 'string') return format === 'byte' ? 'bytes' : 'string';
  return type === 'boolean' || type === 'number' ? type : 'any';
}

const shared = new Map<string, TypeNode>();

/** One node for each `$ref` without other keywords. */
function nodeOf(schema: JsonObject): TypeNode {
  const reference = asString(schema['$ref']);
  if (reference === '' || Object.keys(schema).length > 1) return new TypeNode(schema);
  const known = shared.get(reference) ?? new TypeNode(schema);
  shared.set(reference, known);
  return known;
}

type TypedResource = Pick<ServedResource, 'group' | 'version' | 'kind' | 'custom'>;

const ofResources = new WeakMap<TypedResource, TypeNode>();

/** The type of the objects of a built-in kind in one version; undefined when it is unknown. */
export function typeOf(resource: TypedResource): TypeNode | undefined {
  const { group, version, kind, custom } = resource;
  if (custom !== undefined) return undefined;
  const known = ofResources.get(resource);
  if (known !== undefined) return known;
  const name = definitionName(group, version, kind);
  if (name === undefined) return undefined;
  const type = nodeOf({ $ref: prefix + name });
  ofResources.set(resource, type);
  return type;
}
