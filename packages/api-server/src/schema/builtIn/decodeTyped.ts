import { asJsonObject, isJsonArray, isJsonObject, jsonType, mappedFields, type Json, type JsonObject } from '../../json.js';
import { formatQuantity, parseQuantity, quantityProblem } from './quantity.js';
import type { TypeForm, TypeNode } from './typeNode.js';
import { isUnset } from './zeroValues.js';

/** A value of the wrong type. */
export class TypeMismatchError extends Error {}

/** An object as the API server decodes it. */
export interface Decoded {
  readonly object: JsonObject;
  /** The paths of fields that the kind does not have, for example `spec.list[0].bogus`. */
  readonly unknown: readonly string[];
}

/** Says where the value is, with the indexes of lists: only errors ask for it. */
type Where = () => string;

/** What a value of a form is called in messages. */
const formNames: Readonly<Partial<Record<TypeForm, string>>> = {
  struct: 'an object',
  map: 'a map',
  list: 'a list',
  string: 'a string',
  boolean: 'a boolean',
  bytes: 'text in base64',
  time: 'a time as of RFC 3339',
  microTime: 'a time as of RFC 3339 with microseconds',
  quantity: 'a quantity',
  intOrString: 'an integer or a string',
};

function mismatch(value: Json, { form }: TypeNode, where: Where): never {
  const found = typeof value === 'object' ? jsonType(value) : JSON.stringify(value);
  throw new TypeMismatchError(`${where() || 'the object'}: expected ${formNames[form] ?? `a number (${form})`}, got ${found}`);
}

const limits: Readonly<Partial<Record<TypeForm, number>>> = { int32: 2 ** 31, intOrString: 2 ** 31, int64: 2 ** 63 };

function checkedNumber(value: Json, type: TypeNode, where: Where): Json {
  if (typeof value !== 'number') return mismatch(value, type, where);
  const limit = limits[type.form] ?? Infinity;
  return (limit !== Infinity && !Number.isInteger(value)) || value >= limit || value < -limit ? mismatch(value, type, where) : value;
}

function isByte(value: Json): boolean {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256);
}

function checkedBytes(value: Json, type: TypeNode, where: Where): Json {
  // A list of numbers is bytes, too.
  if (isJsonArray(value) && value.every(isByte)) return Buffer.from(value.map(Number)).toString('base64');
  if (typeof value !== 'string') return mismatch(value, type, where);
  const text = value.replace(/[\r\n]/g, '');
  return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text) ? text : mismatch(value, type, where);
}

function canonicalQuantity(value: Json): Json {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value).trim()) : undefined;
  if (quantity === undefined) throw new TypeMismatchError(quantityProblem);
  return formatQuantity(quantity);
}

const times = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function checkedTime(value: Json, type: TypeNode, where: Where): Json {
  if (typeof value !== 'string') return mismatch(value, type, where);
  if (times.test(value) && !Number.isNaN(Date.parse(value))) {
    if (type.form === 'time') return value.endsWith('Z') && !value.includes('.') ? value : `${new Date(value).toISOString().slice(0, 19)}Z`;
    const [, fraction = '', zone = ''] = /:\d\d(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
    if (fraction.length === 6) return zone === 'Z' ? value : `${new Date(value).toISOString().slice(0, 19)}.${fraction}Z`;
  }
  return mismatch(value, type, where);
}

type Check = (value: Json, type: TypeNode, where: Where) => Json;

const checks: Readonly<Partial<Record<TypeForm, Check>>> = {
  string: (value, type, where) => (typeof value === 'string' ? value : mismatch(value, type, where)),
  boolean: (value, type, where) => (typeof value === 'boolean' ? value : mismatch(value, type, where)),
  int32: checkedNumber,
  int64: checkedNumber,
  number: checkedNumber,
  bytes: checkedBytes,
  quantity: canonicalQuantity,
  time: checkedTime,
  microTime: checkedTime,
  intOrString: (value, type, where) => (typeof value === 'string' ? value : checkedNumber(value, type, where)),
  any: (value) => value,
};

/** The values that `null` stands for where a field cannot be absent. */
const zeros: Readonly<Partial<Record<TypeForm, Json>>> = {
  string: '',
  bytes: '',
  quantity: '0',
  boolean: false,
  int32: 0,
  int64: 0,
  number: 0,
  struct: {},
  map: {},
  list: [],
};

/** Decodes values, and collects unknown fields. What needs no change is not copied. */
class Decoder {
  readonly unknown: string[] = [];
  /** The steps to the current value: the name of a field or entry, or the index of an item. */
  private readonly steps: (string | number)[] = [];

  /** `known` is an earlier value of this type that has been decoded: parts that equal it are not decoded again. */
  read(value: Json, type: TypeNode, known?: Json): Json {
    if (value === known && value !== null) return value;
    const { form } = type;
    if (form === 'struct' || form === 'map') {
      if (!isJsonObject(value)) return mismatch(value, type, this.where);
      const before = asJsonObject(known);
      if (form === 'struct') return mappedFields(value, (name, inner) => this.field(name, inner, type, before));
      return mappedFields(value, (name, inner) => (inner === before[name] ? inner : this.element(name, inner, type.values)));
    }
    if (form === 'list') return isJsonArray(value) ? this.list(value, type.values, known) : mismatch(value, type, this.where);
    return checks[form]?.(value, type, this.where) ?? value;
  }

  private readonly where: Where = () =>
    this.steps
      .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${step}`))
      .join('')
      .slice(1);

  /** The value of a field; undefined when it is left out. */
  private field(name: string, value: Json, type: TypeNode, before: JsonObject): Json | undefined {
    const field = type.fields.get(name);
    if (field !== undefined && value === null && field.form !== 'any') return undefined;
    let read: Json | undefined = value;
    if (field === undefined || value === null || value !== before[name]) {
      this.steps.push(name);
      if (field === undefined) this.unknown.push(this.where());
      else read = this.read(value, field, before[name]);
      this.steps.pop();
    }
    if (field === undefined) return undefined;
    const isDropped = isEmptyCollection(read, field) || isUnset(read, name, field, type);
    return isDropped && !type.required.includes(name) ? undefined : read;
  }

  private list(list: readonly Json[], values: TypeNode, known: Json | undefined): readonly Json[] {
    const before = isJsonArray(known) ? known : [];
    const read = list.map((item, at) => (item === before[at] && item !== null ? item : this.element(at, item, values)));
    return read.every((item, at) => item === list[at]) ? list : read;
  }

  private element(step: string | number, value: Json, type: TypeNode): Json {
    if (value === null) return zeros[type.form] ?? null;
    this.steps.push(step);
    const read = this.read(value, type);
    this.steps.pop();
    return read;
  }
}

function isEmptyCollection(value: Json, { form }: TypeNode): boolean {
  if (form === 'list') return isJsonArray(value) && value.length === 0;
  return form === 'map' && isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Decodes an object like Go does: drops unknown fields, `null`, and empty lists and maps, and puts quantities into their canonical form.
 *
 * @param known - the decoded object from which this one was made.
 * @throws TypeMismatchError for a value of another type.
 */
export function decodeTyped(object: JsonObject, type: TypeNode, known?: JsonObject): Decoded {
  const decoder = new Decoder();
  return { object: decoder.read(object, type, known) as JsonObject, unknown: decoder.unknown };
}
