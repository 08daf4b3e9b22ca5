import { asJsonObject, fieldsBefore, isJsonArray, isJsonObject, jsonType, setField, type Json, type JsonObject } from '../../json.js';
import { formatQuantity, parseQuantity, quantityProblem } from './quantity.js';
import type { TypeForm, TypeNode } from './typeNode.js';
import { isUnset } from './zeroValues.js';

/** A value of the wrong type; the message is that of Go's decoder. */
export class TypeMismatchError extends Error {
  /** The message for objects that result from a strategic merge patch: the server converts them without JSON, with other messages. */
  readonly restored: string;

  constructor(message: string, restored: string = message) {
    super(message);
    this.restored = restored;
  }
}

/** An object as the API server decodes it. */
export interface Decoded {
  readonly object: JsonObject;
  /** The paths of fields that the kind does not have, for example `spec.list[0].bogus`. */
  readonly unknown: readonly string[];
}

/** The position of a value. */
interface Place {
  /** The innermost struct, and the names of the fields up to the value: `DeploymentSpec.spec.replicas`. */
  readonly struct: string;
  readonly fields: string;
  /** The whole path, with the indexes of lists. */
  readonly path: string;
}

/** Says where the value is: only errors ask for it. */
type Where = () => Place;

/** The names of Go's kinds. */
const kindNames: Readonly<Partial<Record<TypeForm, string>>> = {
  struct: 'struct',
  map: 'map',
  list: 'slice',
  bytes: 'slice',
  boolean: 'bool',
  number: 'float64',
};

/** Go's name of the kind of a value of JSON. */
function foundKind(value: Json): string {
  if (isJsonArray(value)) return 'slice';
  if (isJsonObject(value)) return 'map';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'string' ? 'string' : 'bool';
}

/** The types with their own JSON decoder, and the JSON type that it expects. */
const readAs: Readonly<Partial<Record<TypeForm, string>>> = { time: 'string', microTime: 'string', intOrString: 'int32' };

function restoredMessage(value: Json, { form, goName }: TypeNode, shown: string): string {
  const found = foundKind(value);
  const wanted = kindNames[form] ?? form;
  if (readAs[form] !== undefined) return `json: cannot unmarshal ${shown} into Go value of type ${readAs[form]}`;
  if (form === 'struct') return `cannot restore struct from: ${found}`;
  if (wanted === 'map' || wanted === 'slice') return `cannot restore ${wanted} from ${found}`;
  // Go can convert these numbers, unlike its JSON decoder.
  const converts = found === 'int64' || (found === 'float64' && form !== 'string');
  return converts && form !== 'boolean' ? `cannot convert ${found} to ${goName}` : `unrecognized type: ${wanted}`;
}

function mismatch(value: Json, type: TypeNode, where: Where): never {
  const { struct, fields } = where();
  const shown = typeof value === 'number' && type.form.startsWith('int') ? `number ${String(value)}` : jsonType(value);
  const place = fields === '' ? 'value' : `struct field ${struct}${fields}`;
  const restored = restoredMessage(value, type, shown);
  throw new TypeMismatchError(`json: cannot unmarshal ${shown} into Go ${place} of type ${type.goName}`, restored);
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
  const bad = text.search(/[^A-Za-z0-9+/=]/);
  const padding = /=+(?=[^=])/.exec(text);
  const at = bad >= 0 ? bad : padding === null ? text.search(/=(?!=?$)/) : padding.index + padding[0].length;
  if (at < 0 && text.length % 4 === 0) return text;
  const problem = `illegal base64 data at input byte ${String(at >= 0 ? at : text.length - (text.length % 4))}`;
  throw new TypeMismatchError(problem, `error decoding from json: ${problem}`);
}

function canonicalQuantity(value: Json): Json {
  const quantity = typeof value === 'string' || typeof value === 'number' ? parseQuantity(String(value).trim()) : undefined;
  if (quantity === undefined) throw new TypeMismatchError(quantityProblem);
  return formatQuantity(quantity);
}

/** The parts of a time, each with its name in Go's layouts. */
const timeParts: readonly (readonly [form: RegExp, layout: string, most?: readonly [number, string]])[] = [
  [/^\d{4}/, '2006'],
  [/^-/, '-'],
  [/^\d\d/, '01', [12, 'month']],
  [/^-/, '-'],
  [/^\d\d/, '02', [31, 'day']],
  [/^T/, 'T'],
  [/^\d\d/, '15', [23, 'hour']],
  [/^:/, ':'],
  [/^\d\d/, '04', [59, 'minute']],
  [/^:/, ':'],
  [/^\d\d(\.\d+)?/, '05', [59.999999, 'second']],
  [/^(Z|[+-]\d\d:\d\d)/, 'Z07:00'],
];

/** The error of a text that is not a time, in the words of Go. */
function timeProblem(value: string, layout: string): string {
  const parsing = `parsing time ${JSON.stringify(value)}`;
  let rest = value;
  for (const [form, name, [most, what] = [Infinity, '']] of timeParts) {
    const [part] = form.exec(rest) ?? [];
    if (part === undefined) return `${parsing} as "${layout}": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(name)}`;
    if (Number(part) > most || (name === '01' && part === '00')) return `${parsing}: ${what} out of range`;
    rest = rest.slice(part.length);
  }
  return rest === '' ? `${parsing}: day out of range` : `${parsing}: extra text: ${JSON.stringify(rest)}`;
}

const times = /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function checkedTime(value: Json, type: TypeNode, where: Where): Json {
  if (typeof value !== 'string') return mismatch(value, type, where);
  if (times.test(value) && !Number.isNaN(Date.parse(value))) {
    if (type.form === 'time') return value.endsWith('Z') && !value.includes('.') ? value : `${new Date(value).toISOString().slice(0, 19)}Z`;
    const [, fraction = '', zone = ''] = /:\d\d(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(value) ?? [];
    if (fraction.length === 6) return zone === 'Z' ? value : `${new Date(value).toISOString().slice(0, 19)}.${fraction}Z`;
    const rest = `${fraction === '' ? '' : `.${fraction}`}${zone}`;
    throw new TypeMismatchError(
      `parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05.000000Z07:00": cannot parse ${JSON.stringify(rest)} as ".000000"`,
    );
  }
  const layout = type.form === 'time' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  throw new TypeMismatchError(timeProblem(value, layout));
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

/** Structs that other structs embed, with the fields that belong to the outer one only: Go's error messages name embedded structs. */
const embedded: Readonly<Record<string, readonly [inner: string, ...own: string[]]>> = {
  Volume: ['VolumeSource', 'name'],
  IngressRule: ['IngressRuleValue', 'host'],
  DeviceClaimConfiguration: ['DeviceConfiguration', 'requests'],
  DeviceClassConfiguration: ['DeviceConfiguration'],
  PersistentVolumeSpec: [
    'PersistentVolumeSource',
    ...'capacity accessModes claimRef persistentVolumeReclaimPolicy storageClassName mountOptions volumeMode nodeAffinity volumeAttributesClassName'.split(
      ' ',
    ),
  ],
  Probe: [
    'ProbeHandler',
    ...'initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold terminationGracePeriodSeconds'.split(' '),
  ],
  EphemeralContainer: ['EphemeralContainerCommon', 'targetContainerName'],
  ConfigMapKeySelector: ['LocalObjectReference', 'key', 'optional'],
  SecretKeySelector: ['LocalObjectReference', 'key', 'optional'],
  ConfigMapEnvSource: ['LocalObjectReference', 'optional'],
  SecretEnvSource: ['LocalObjectReference', 'optional'],
  ConfigMapVolumeSource: ['LocalObjectReference', 'items', 'defaultMode', 'optional'],
  ConfigMapProjection: ['LocalObjectReference', 'items', 'optional'],
  SecretProjection: ['LocalObjectReference', 'items', 'optional'],
  RuleWithOperations: ['Rule', 'operations'],
  NamedRuleWithOperations: ['RuleWithOperations', 'resourceNames'],
};

function embeddedIn(struct: string, field: string): string {
  const [inner = '', ...own] = embedded[struct] ?? [];
  if (inner === '' || own.includes(field)) return '';
  return `${inner}.${embeddedIn(inner, field)}`;
}

/** Decodes values, and collects unknown fields. What needs no change is not copied. */
class Decoder {
  readonly unknown: string[] = [];
  /** The steps to the current value: the name of a field or entry, or the index of an item; of a field with its struct. */
  private readonly steps: (string | number)[] = [];
  private readonly structs: (TypeNode | undefined)[] = [];

  /** `known` is an earlier value of this type that has been decoded: parts that equal it are not decoded again. */
  read(value: Json, type: TypeNode, known?: Json): Json {
    if (value === known && value !== null) return value;
    const { form } = type;
    if (form === 'struct') return isJsonObject(value) ? this.struct(value, type, asJsonObject(known)) : mismatch(value, type, this.where);
    if (form === 'map') return isJsonObject(value) ? this.map(value, type.values, asJsonObject(known)) : mismatch(value, type, this.where);
    if (form === 'list') return isJsonArray(value) ? this.list(value, type.values, known) : mismatch(value, type, this.where);
    return checks[form]?.(value, type, this.where) ?? value;
  }

  private readonly where: Where = () => {
    let [struct, fields, path] = ['', '', ''];
    for (const [at, step] of this.steps.entries()) {
      path += typeof step === 'number' ? `[${String(step)}]` : path === '' ? step : `.${step}`;
      const holder = this.structs[at];
      if (holder === undefined) continue;
      struct = holder.name;
      fields += `.${embeddedIn(struct, String(step))}${String(step)}`;
    }
    return { struct, fields, path };
  };

  private struct(object: JsonObject, type: TypeNode, before: JsonObject): JsonObject {
    let result: Record<string, Json> | undefined;
    for (const name in object) {
      const value = object[name];
      const read = value === undefined ? undefined : this.field(name, value, type, before);
      if (result === undefined && read === value && value !== undefined) continue;
      result ??= fieldsBefore(object, name);
      if (read !== undefined) result[name] = read;
    }
    return result ?? object;
  }

  /** The value of a field; undefined when it is left out. */
  private field(name: string, value: Json, type: TypeNode, before: JsonObject): Json | undefined {
    const field = type.fields.get(name);
    if (field !== undefined && value === null && field.form !== 'any') return undefined;
    let read: Json | undefined = value;
    if (field === undefined || value === null || value !== before[name]) {
      this.steps.push(name);
      this.structs.push(type);
      if (field === undefined) this.unknown.push(this.where().path);
      else read = this.read(value, field, before[name]);
      this.steps.pop();
      this.structs.pop();
    }
    if (field === undefined) return undefined;
    const isDropped = isEmptyCollection(read, field) || isUnset(read, name, field, type);
    return isDropped && !type.required.includes(name) ? undefined : read;
  }

  private map(object: JsonObject, values: TypeNode, before: JsonObject): JsonObject {
    let result: Record<string, Json> | undefined;
    for (const name in object) {
      const value = object[name];
      const read = value === undefined || value === before[name] ? value : this.element(name, value, values);
      if (result === undefined && read === value && value !== undefined) continue;
      result ??= fieldsBefore(object, name);
      if (read !== undefined) setField(result, name, read);
    }
    return result ?? object;
  }

  private list(list: readonly Json[], values: TypeNode, known: Json | undefined): readonly Json[] {
    const before = isJsonArray(known) ? known : [];
    const read = list.map((item, at) => (item === before[at] && item !== null ? item : this.element(at, item, values)));
    return read.every((item, at) => item === list[at]) ? list : read;
  }

  private element(step: string | number, value: Json, type: TypeNode): Json {
    if (value === null) return zeros[type.form] ?? null;
    this.steps.push(step);
    this.structs.push(undefined);
    const read = this.read(value, type);
    this.steps.pop();
    this.structs.pop();
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
