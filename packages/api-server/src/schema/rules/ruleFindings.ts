import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, type Json, type JsonObject } from '../../json.js';
import type { FieldError } from '../../status/statusErrors.js';
import { fieldSchemaOf, itemsOf, typeFields, type StructuralSchema } from 'rx-informer/internal';
import { compiledRule, messageOf, optional } from './ruleEngine.js';
import { ruleValue } from './ruleValue.js';
import { oldItem } from '../validateObject.js';

type Findings = Generator<FieldError, void, undefined>;

/** The beginning of the message for each reason. */
const prefixes: Readonly<Record<string, string>> = {
  FieldValueInvalid: 'Invalid value',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
};

function findingOf(validation: JsonObject, value: Json, path: string, message: string): FieldError {
  const given = asString(validation['reason']);
  const reason = (Object.hasOwn(prefixes, given) ? given : 'FieldValueInvalid') as FieldError['reason'];
  const isShown = typeof value !== 'object' && reason !== 'FieldValueForbidden' && reason !== 'FieldValueRequired';
  // The message of a duplicate has only its value.
  const said = [
    prefixes[reason] ?? '',
    ...(isShown ? [JSON.stringify(value)] : []),
    ...(reason === 'FieldValueDuplicate' ? [] : [message]),
  ];
  const field = `${path}${asString(validation['fieldPath'])}`.replace(/^\./, '');
  return { reason, field, message: said.join(': ') };
}

/** Messages of cel-go for failed evaluations, by the messages of the engine used here. */
const otherWords: readonly (readonly [engine: RegExp, kubernetes: string])[] = [
  [/^(?:no such|found no matching) overload.*$/, 'no such overload'],
  [/^No such key: index out of bounds, index (-?\d+).*$/, 'index out of bounds: $1'],
  [/^(?:.*: )?(unsigned )?integer overflow.*$/i, '$1integer overflow'],
  [/^(int|uint|double|bool)\(\) (?:type|conversion) error: .*$/, "type conversion error from 'string' to '$1'"],
  [/^invalid duration string: .*$/i, "type conversion error from 'string' to 'google.protobuf.Duration'"],
  [/^timestamp\(\) requires .*$/, "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
  [/^Unknown variable: (.+)$/, 'no such attribute(s): $1'],
  [/^Optional value is not present$/, 'optional.none() dereference'],
];

/** The message about an evaluation that failed. */
export function evaluationProblem(error: unknown): string {
  const [text = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const [engine, kubernetes] = otherWords.find(([pattern]) => pattern.test(text)) ?? [];
  if (engine !== undefined && kubernetes !== undefined) return text.replace(engine, kubernetes).replace('Unsigned', 'unsigned');
  // The engine's own messages begin with a capital.
  return error instanceof Error && 'code' in error ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** The message about a rule that is not satisfied; `shown` is the rule's own message or its text. */
function failureProblem(error: unknown, shown: string): string {
  const problem = evaluationProblem(error);
  if (problem !== 'no such overload') return `${problem} evaluating rule: ${shown}`;
  return `'${problem}': call arguments did not match a supported operator, function or macro signature for rule: ${shown}`;
}

function* findingsOfRule(validation: JsonObject, value: Json, schema: StructuralSchema, path: string, before: Json | undefined): Findings {
  const { rule: text, message, messageExpression, optionalOldSelf } = validation;
  const source = asString(text);
  // A transition rule is not evaluated for a new value.
  const isTransition = /\boldSelf\b/.test(source);
  if (isTransition && before === undefined && optionalOldSelf !== true) return;
  const rule = compiledRule(source);
  if (rule === undefined) return;
  const variables = {
    self: ruleValue(value, schema),
    ...(optionalOldSelf === true
      ? { oldSelf: optional(before === undefined ? undefined : ruleValue(before, schema)) }
      : before !== undefined && { oldSelf: ruleValue(before, schema) }),
  };
  try {
    if (rule(variables) === true) return;
  } catch (error) {
    const said = failureProblem(error, asString(message) || source);
    // If evaluation fails, the message shows the type instead of the value.
    yield findingOf({}, asString(schema['type']), path, said);
    return;
  }
  const said = typeof messageExpression === 'string' ? messageOf(messageExpression, variables) : undefined;
  yield findingOf(validation, value, path, said ?? (asString(message) || `failed rule: ${source}`));
}

/** The errors of a schema's rules for a value; none if the value is unchanged since `before`. */
export function* ruleFindings(value: Json, schema: StructuralSchema, before: Json | undefined, path = ''): Findings {
  if (before !== undefined && isEqualJson(before, value)) return;
  const validations = schema['x-kubernetes-validations'];
  if (isJsonArray(validations) && value !== null)
    for (const validation of validations) yield* findingsOfRule(asJsonObject(validation), value, schema, path, before);
  if (isJsonArray(value)) {
    const items = itemsOf(schema);
    if (items === undefined) return;
    for (const [at, item] of value.entries()) yield* ruleFindings(item, items, oldItem(before, item, schema), `${path}[${String(at)}]`);
  }
  if (!isJsonObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const field = path === '' && typeFields.has(name) ? undefined : fieldSchemaOf(schema, name);
    if (inner === undefined || field === undefined) continue;
    yield* ruleFindings(inner, field, isJsonObject(before) ? before[name] : undefined, path === '' ? name : `${path}.${name}`);
  }
}
