import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, type JsonObject } from '../json.js';
import { pruneObject } from '../schema/pruneObject.js';
import { ruleScope } from '../schema/rules/ruleEngine.js';
import { ruleFindings } from '../schema/rules/ruleFindings.js';
import {
  atRoot,
  extensionErrors,
  partsOf,
  placeErrors,
  rootErrors,
  schemaAtPath,
  structuralErrors,
  type Surroundings,
} from 'rx-informer/internal';
import { validateObject } from '../schema/validateObject.js';
import { invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import { patternProblem } from '../schema/patterns.js';

type Findings = Generator<FieldError, void, undefined>;

/** What was found in a schema. */
interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const hasBreaks = (text: string): boolean => /[\n\r]/.test(text);

/** Validation errors of a CEL rule before it is compiled. */
function* ruleTextErrors(schema: JsonObject, validation: JsonObject, place: string): Findings {
  const [rule, message, fieldPath] = [asString(validation['rule']), asString(validation['message']), asString(validation['fieldPath'])];
  const [messageExpression, { reason }] = [asString(validation['messageExpression']), validation];
  const shown = JSON.stringify(message);
  if (rule.trim() === '') yield required(`${place}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '') yield invalidValue(`${place}.message`, shown, 'must be non-empty if specified');
  else if (hasBreaks(message.trim())) yield invalidValue(`${place}.message`, shown, 'must not contain line breaks');
  else if (hasBreaks(rule.trim()) && message.trim() === '')
    yield required(`${place}.message`, 'message must be specified if rule contains line breaks');
  if (messageExpression !== '' && messageExpression.trim() === '')
    yield required(`${place}.messageExpression`, 'messageExpression must be non-empty if specified');
  if (typeof reason === 'string' && !reasons.includes(reason)) yield notSupported(`${place}.reason`, JSON.stringify(reason), reasons);
  if (fieldPath !== '' && schemaAtPath(schema, fieldPath, true) === undefined)
    yield invalidValue(`${place}.fieldPath`, JSON.stringify(fieldPath), 'must be a valid path');
}

/** The validation errors of the CEL rules of a place of a schema. */
function* compiledErrors(schema: JsonObject, validations: readonly JsonObject[], path: string, above: Surroundings): Findings {
  const scope = validations.length === 0 ? undefined : ruleScope(schema, above.root || schema['x-kubernetes-embedded-resource'] === true);
  if (scope === undefined) return;
  if (scope === 'unreadable') {
    yield { reason: 'InternalError', field: `${path}.x-kubernetes-validations`, message: 'Internal error: rules cannot read this schema' };
    return;
  }
  for (const [at, validation] of validations.entries()) {
    const place = `${path}.x-kubernetes-validations[${String(at)}]`;
    const { optionalOldSelf } = validation;
    const [text, messageExpression] = [asString(validation['rule']), asString(validation['messageExpression'])];
    const { problem, usesOldSelf } = scope.rule(text, optionalOldSelf === true);
    if (problem !== undefined) yield invalidValue(`${place}.rule`, JSON.stringify(text), problem);
    // The message of a wrong rule is not looked at.
    const message =
      problem !== undefined || messageExpression === '' ? undefined : scope.message(messageExpression, optionalOldSelf === true);
    if (message?.problem !== undefined)
      yield invalidValue(`${place}.messageExpression`, JSON.stringify(messageExpression), message.problem);
    if (usesOldSelf && above.uncorrelated !== undefined)
      yield invalidValue(`${place}.rule`, JSON.stringify(text), `oldSelf cannot be used within ${above.uncorrelated}`);
    if (!usesOldSelf && optionalOldSelf !== undefined)
      yield invalidValue(`${place}.optionalOldSelf`, JSON.stringify(optionalOldSelf), 'may not be set if oldSelf is not used in rule');
  }
}

/** Collects the errors of a schema in the API server's order; errors of CEL rules come last. */
function gather(schema: JsonObject, path: string, above: Surroundings, compiles: boolean, found: Found): void {
  const before = found.schema.length;
  found.schema.push(...placeErrors(schema, path, above));
  for (const [part, place, surroundings] of partsOf(schema, path, above)) gather(part, place, surroundings, compiles, found);
  found.schema.push(...extensionErrors(schema, path));
  const validations = isJsonArray(schema['x-kubernetes-validations']) ? schema['x-kubernetes-validations'].map(asJsonObject) : [];
  const placeOf = (at: number): string => `${path}.x-kubernetes-validations[${String(at)}]`;
  for (const [at, validation] of validations.entries()) found.schema.push(...ruleTextErrors(schema, validation, placeOf(at)));
  if (!compiles || found.schema.length > before) return;
  found.rules.push(...compiledErrors(schema, validations, path, above));
}

/** Validation errors of the defaults in a schema, by its types and its rules. Those of maps are not looked at. */
function* defaultErrors(schema: JsonObject, path: string): Findings {
  const { default: value, ...rest } = schema;
  if (value !== undefined && value !== null) {
    const place = `${path}.default`;
    const within = { properties: { value: rest } };
    const { object } = pruneObject({ value }, within);
    if (!isEqualJson(object['value'], value)) yield invalidValue(place, JSON.stringify(value), 'must not have unknown fields');
    const problems = [...validateObject({ value }, within)];
    for (const found of problems.length > 0 ? problems : ruleFindings({ value }, within, undefined))
      yield {
        ...found,
        field: found.field === '<nil>' ? found.field : `${place}${found.field.replace(/^value/, '')}`,
        message: found.message.replaceAll(/\bvalue\.?(?=[^ ]* in body)/g, ''),
      };
  }
  const { items, properties } = schema;
  if (isJsonObject(items)) yield* defaultErrors(items, `${path}.items`);
  for (const name of Object.keys(asJsonObject(properties)).sort())
    yield* defaultErrors(asJsonObject(asJsonObject(properties)[name]), `${path}.properties[${name}]`);
}

const unsupported = ['id', '$schema', '$ref', 'patternProperties', 'dependencies', 'additionalItems', 'definitions'];

/** The keywords that keep a schema from being looked at further. */
function* unsupportedIn(schema: JsonObject): Generator<string, void, undefined> {
  yield* unsupported.filter((name) => ![undefined, null, ''].includes(schema[name] as string | undefined));
  for (const [part] of partsOf(schema, '', atRoot)) yield* unsupportedIn(part);
}

/** Validation errors of the schema of a version of custom resources, in the order in which the API server reports them. */
export function* schemaDefinitionErrors(schema: JsonObject, path: string, hasStatus: boolean): Findings {
  const inRoot = [...rootErrors(schema, path, hasStatus)];
  yield* inRoot;
  const [strange] = [...unsupportedIn(schema)];
  const isSchema = strange === undefined;
  const structural = isSchema ? structuralErrors(schema, path, patternProblem) : [];
  yield* structural;
  const defaults = structural.length > 0 || !isSchema ? [] : [...defaultErrors(schema, path)];
  yield* defaults;
  const found: Found = { schema: [], rules: [] };
  gather(schema, path, atRoot, isSchema && structural.length === 0 && defaults.length === 0, found);
  yield* found.schema;
  yield* found.rules;
  // Most of these keywords are reported at their places.
  if (!isSchema && inRoot.length + found.schema.length === 0)
    yield invalidValue(path, '""', `OpenAPIV3Schema '${strange.replace('$schema', 'schema')}' is not supported`);
}
