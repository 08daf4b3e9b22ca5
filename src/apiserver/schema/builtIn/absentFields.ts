import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json.js';
import type { FieldError } from '../../status/statusErrors.js';
import { packedAbsentFields } from './packedAbsentFields.js';
import { defaultTyped } from './defaultTyped.js';
import type { TypeNode } from './typeNode.js';
import { unpack } from './unpack.js';
import { valueErrors, valueRulesOf, type ValueRule } from './valueRules.js';

/** The error messages for an absent field and for an empty one. */
interface AbsentRule {
  readonly absent?: readonly string[];
  readonly empty?: readonly string[];
  /** The struct is checked even if it is absent: as one without fields. */
  readonly always?: true;
}

/** A field to check. */
interface Step {
  readonly name: string;
  readonly rule: AbsentRule;
  /** The error messages for an empty item. */
  readonly itemEmpty: readonly string[];
  readonly type: TypeNode;
  /** The rules of its value and of its items. */
  readonly values: readonly ValueRule[];
  readonly items: readonly ValueRule[];
  /** Whether fields below it are checked. */
  readonly deep: boolean;
}

type Findings = Generator<FieldError, void, undefined>;

let unpacked: Readonly<Record<string, Readonly<Record<string, AbsentRule>>>> | undefined;

/** The rules of a struct by its fields, in the order in which a real server checks them. */
function rulesOf(type: TypeNode): Readonly<Record<string, AbsentRule>> {
  unpacked ??= unpack(packedAbsentFields) as NonNullable<typeof unpacked>;
  return unpacked[type.definition] ?? {};
}

const plans = new Map<TypeNode, readonly Step[]>();

/** The fields of a struct to check, in order. */
function planOf(type: TypeNode): readonly Step[] {
  const known = plans.get(type);
  if (known !== undefined) return known;
  // Ends the recursion for a type that refers to itself.
  plans.set(type, []);
  const rules = rulesOf(type);
  const valueRules = valueRulesOf(type);
  const steps: Step[] = [];
  for (const name of new Set([...Object.keys(rules), ...type.fields.keys()])) {
    const field = type.fields.get(name);
    // Metadata is validated for all kinds in the same way, and a status is written by the server's own programs.
    if (field === undefined || name === 'metadata' || name === 'status') continue;
    const { rule = {}, itemEmpty = [] } = { rule: rules[name], itemEmpty: rules[`${name}[]`]?.empty };
    const struct = field.form === 'list' || field.form === 'map' ? field.values : field;
    const deep = struct.form === 'struct' && planOf(struct).length > 0;
    const { values = [], items = [] } = { values: valueRules[name], items: valueRules[`${name}[]`] };
    const looked = deep || itemEmpty.length > 0 || Object.keys(rule).length > 0 || values.length + items.length > 0;
    if (looked) steps.push({ name, rule, itemEmpty, values, items, type: field, deep });
  }
  plans.set(type, steps);
  return steps;
}

const filledStructs = new Map<TypeNode, JsonObject>();

/** The fields that the server fills into an empty struct. */
function filledOf(type: TypeNode): JsonObject {
  if (type.form !== 'struct') return {};
  let filled = filledStructs.get(type);
  if (filled === undefined) {
    filled = defaultTyped({}, type);
    filledStructs.set(type, filled);
  }
  return filled;
}

/** Whether a value contains only fields that the server has filled in. */
function isEmpty(value: Json, type: TypeNode): boolean {
  if (typeof value !== 'object' || value === null) return value === '' || value === 0;
  const filled = filledOf(type);
  return Object.entries(value).every(([name, inner]) => name in filled && (typeof inner === 'object' || inner === filled[name]));
}

const reasons: Readonly<Record<string, FieldError['reason']>> = {
  'Required value': 'FieldValueRequired',
  'Invalid value': 'FieldValueInvalid',
  'Unsupported value': 'FieldValueNotSupported',
  'Duplicate value': 'FieldValueDuplicate',
  'Not found': 'FieldValueNotFound',
};

function* saying(messages: readonly string[] | undefined, field: string): Findings {
  for (const message of messages ?? []) yield { reason: reasons[message.split(':')[0] ?? ''] ?? 'FieldValueInvalid', field, message };
}

function* inside({ type, itemEmpty, values, items, deep }: Step, value: Json, path: string): Findings {
  if (values.length > 0) yield* valueErrors(value, values, path);
  if (isJsonArray(value)) {
    for (const [at, item] of value.entries()) {
      const place = `${path}[${String(at)}]`;
      if (items.length > 0) yield* valueErrors(item, items, place);
      if (itemEmpty.length > 0 && isEmpty(item, type.values)) yield* saying(itemEmpty, place);
      else if (deep && isJsonObject(item)) yield* absentErrors(item, type.values, place);
    }
  } else if (deep && isJsonObject(value)) {
    if (type.form === 'struct') yield* absentErrors(value, type, path);
    else
      for (const [name, inner] of Object.entries(value))
        if (isJsonObject(inner)) yield* absentErrors(inner, type.values, `${path}[${name}]`);
  }
}

/** The errors of a real server for absent and for empty fields of an object. The rules were measured: see tools/absentFields.ts. */
export function* absentErrors(object: JsonObject, type: TypeNode, path = ''): Findings {
  for (const step of planOf(type)) {
    const { name, rule } = step;
    const place = path === '' ? name : `${path}.${name}`;
    const value = object[name] ?? undefined;
    if (value !== undefined && (rule.empty === undefined || !isEmpty(value, step.type))) yield* inside(step, value, place);
    else if (value !== undefined) yield* saying(rule.empty, place);
    else if (rule.always === true) yield* absentErrors({}, step.type, place);
    else yield* saying(rule.absent, place);
  }
}

/** Whether a real server reports errors of one path before those of another; false when unknown. */
export function comesBefore(one: string, other: string, type: TypeNode): boolean {
  const others = [...other.matchAll(/[^.[\]]+/g)];
  let at: TypeNode | undefined = type;
  for (const [index, [segment]] of [...one.matchAll(/[^.[\]]+/g)].entries()) {
    const facing = others[index]?.[0] ?? '';
    if (segment !== facing) {
      const order: readonly string[] = at?.form === 'struct' ? Object.keys(rulesOf(at)) : [];
      return at?.form === 'list'
        ? Number(segment) < Number(facing)
        : order.includes(segment) && order.indexOf(segment) < order.indexOf(facing);
    }
    at = at?.form === 'struct' ? at.fields.get(segment) : at?.values;
  }
  return false;
}
