import { asJsonObject, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json.js';
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

/** Collects the errors of one object. */
class Search {
  readonly found: FieldError[] = [];
  /** The steps to the current value, as errors show them. */
  private readonly steps: (string | number)[] = [];

  struct(object: JsonObject, type: TypeNode, before: JsonObject): void {
    for (const step of planOf(type)) {
      const { name, rule } = step;
      const value = object[name] ?? undefined;
      // The same value has the same errors.
      if (value !== undefined && value === before[name]) continue;
      this.steps.push(name);
      if (value !== undefined && (rule.empty === undefined || !isEmpty(value, step.type))) this.inside(step, value, before[name]);
      else if (value !== undefined) this.say(rule.empty);
      else if (rule.always === true) this.struct({}, step.type, {});
      else this.say(rule.absent);
      this.steps.pop();
    }
  }

  private inside({ type, itemEmpty, values, items, deep }: Step, value: Json, before: Json | undefined): void {
    if (values.length > 0) this.values(value, values);
    const looks = deep || items.length > 0 || itemEmpty.length > 0;
    if (isJsonArray(value) && looks) {
      for (const [at, item] of value.entries()) {
        const was = isJsonArray(before) ? before[at] : undefined;
        if (item === was) continue;
        this.steps.push(at);
        if (items.length > 0) this.values(item, items);
        if (itemEmpty.length > 0 && isEmpty(item, type.values)) this.say(itemEmpty);
        else if (deep && isJsonObject(item)) this.struct(item, type.values, asJsonObject(was));
        this.steps.pop();
      }
    } else if (deep && isJsonObject(value)) {
      if (type.form === 'struct') this.struct(value, type, asJsonObject(before));
      else for (const [name, inner] of Object.entries(value)) this.entry(name, inner, type.values);
    }
  }

  private entry(name: string, value: Json | undefined, type: TypeNode): void {
    if (!isJsonObject(value)) return;
    this.steps.push(`[${name}]`);
    this.struct(value, type, {});
    this.steps.pop();
  }

  private values(value: Json, rules: readonly ValueRule[]): void {
    if (typeof value === 'object' || value === '') return;
    for (const { reason, message } of valueErrors(value, rules)) this.found.push({ reason, field: this.path(), message });
  }

  private say(messages: readonly string[] = []): void {
    for (const message of messages)
      this.found.push({ reason: reasons[message.split(':')[0] ?? ''] ?? 'FieldValueInvalid', field: this.path(), message });
  }

  private path(): string {
    return this.steps.reduce<string>((path, step) => {
      if (typeof step === 'number') return `${path}[${String(step)}]`;
      return path === '' || step.startsWith('[') ? path + step : `${path}.${step}`;
    }, '');
  }
}

/**
 * The errors of a real server for absent and for empty fields of an object. The rules were measured: see workshop/tools/absentFields.ts.
 *
 * @param before - the object that it replaces: parts that both have are passed over.
 */
export function absentErrors(object: JsonObject, type: TypeNode, before: JsonObject = {}): readonly FieldError[] {
  const search = new Search();
  search.struct(object, type, before);
  return search.found;
}
