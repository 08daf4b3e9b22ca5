import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { CelType } from '../schema/rules/check/celType.js';
import type { ExpressionScope } from '../schema/rules/check/admissionExpression.js';
import { checkedAdmission } from '../schema/rules/ruleEngine.js';
import { reserved } from '../schema/rules/ruleTypes.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, isFilled, itemsOf, qualifiedNameErrors } from './fieldChecks.js';
import { labelSelectorErrors } from './selectorErrors.js';
import { expressionErrors, ruleErrors } from './webhookErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function textsOf(value: Json | undefined): readonly string[] {
  return isJsonArray(value) ? value.map(asString) : [];
}

function* repeatedErrors(texts: readonly string[], field: (at: number) => string): Findings {
  const seen = new Set<string>();
  for (const [at, text] of texts.entries()) {
    if (text !== '' && seen.has(text)) yield duplicate(field(at), JSON.stringify(text));
    seen.add(text);
  }
}

/** Validation errors of the match constraints of a policy. */
function* matchErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  yield* choiceErrors(value['matchPolicy'], ['Equivalent', 'Exact'], `${path}.matchPolicy`);
  for (const name of ['namespaceSelector', 'objectSelector']) yield* labelSelectorErrors(value[name], `${path}.${name}`);
  for (const list of ['resourceRules', 'excludeResourceRules'])
    for (const [rule, at] of itemsOf(value[list], `${path}.${list}`)) {
      const names = textsOf(rule['resourceNames']);
      yield* repeatedErrors(names, (index) => `${at}.resourceNames[${String(index)}]`);
      yield* ruleErrors(rule, at);
    }
}

function* paramRefErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const { selector, parameterNotFoundAction: action } = value;
  const name = asString(value['name']);
  if (name !== '' && selector !== undefined)
    for (const field of ['name', 'selector']) yield forbiddenField(`${path}.${field}`, 'name and selector are mutually exclusive');
  yield* labelSelectorErrors(selector, `${path}.selector`);
  if (name === '' && selector === undefined) yield required(path, 'one of name or selector must be specified');
  if (asString(action) === '') yield required(`${path}.parameterNotFoundAction`);
}

/** Validation errors of a ValidatingAdmissionPolicyBinding. */
export function* policyBindingErrors(after: StoredContent): Findings {
  const { matchResources, paramRef, validationActions } = asJsonObject(after['spec']);
  yield* paramRefErrors(paramRef, 'spec.paramRef');
  yield* matchErrors(matchResources, 'spec.matchResources');
  const actions = textsOf(validationActions);
  yield* repeatedErrors(actions, (at) => `spec.validationActions[${String(at)}]`);
  if (actions.includes('Deny') && actions.includes('Warn'))
    yield invalidValue('spec.validationActions', JSON.stringify(validationActions), 'must not contain both Deny and Warn');
}

/** There is no object to change in a deletion. */
function* operationErrors(match: Json | undefined, path: string): Findings {
  for (const [rule] of itemsOf(asJsonObject(match)['resourceRules'], ''))
    for (const operation of textsOf(rule['operations']).filter((text) => !['*', 'CONNECT', 'CREATE', 'UPDATE'].includes(text)))
      yield notSupported(`${path}.resourceRules.operations`, JSON.stringify(operation), ['*', 'CONNECT', 'CREATE', 'UPDATE']);
}

/** Validation errors of a MutatingAdmissionPolicyBinding. */
export function* mutatingBindingErrors(after: StoredContent): Findings {
  const { policyName, matchResources, paramRef } = asJsonObject(after['spec']);
  if (asString(policyName) === '') yield required('spec.policyName');
  yield* paramRefErrors(paramRef, 'spec.paramRef');
  yield* matchErrors(matchResources, 'spec.matchResources');
  yield* operationErrors(matchResources, 'spec.matchResources');
}

/** Validation errors of the conditions and variables of a policy; returns the scope of its other expressions. */
function* commonErrors(spec: JsonObject, alwaysComposed: boolean): Generator<FieldError, ExpressionScope, undefined> {
  const { paramKind, matchConstraints } = spec;
  yield* matchErrors(matchConstraints, 'spec.matchConstraints');
  if (isJsonObject(matchConstraints) && !isFilled(matchConstraints['resourceRules'])) yield required('spec.matchConstraints.resourceRules');
  const scope = { hasParams: paramKind !== undefined, hasAuthorizer: true };
  const apiVersion = asString(asJsonObject(paramKind)['apiVersion']);
  if (apiVersion.split('/').length > 2)
    yield invalidValue('spec.paramKind.apiVersion', JSON.stringify(apiVersion), 'must be a group and a version');
  const conditions = [...itemsOf(spec['matchConditions'], 'spec.matchConditions')];
  for (const [{ expression }, at] of conditions)
    yield* expressionErrors(asString(expression).trim(), { ...scope, variables: undefined }, ['bool'], `${at}.expression`);
  const names = conditions.map(([{ name }]) => asString(name));
  yield* repeatedErrors(names, (at) => `spec.matchConditions[${String(at)}].name`);
  const variables = new Map<string, CelType>();
  for (const [variable, at] of itemsOf(spec['variables'], 'spec.variables')) {
    const [name, text] = [asString(variable['name']), asString(variable['expression'])];
    if (name.trim() !== '' && (!/^[_a-zA-Z]\w*$/.test(name) || reserved.has(name)))
      yield invalidValue(`${at}.name`, JSON.stringify(name), 'must be a valid CEL identifier');
    yield* expressionErrors(text, { ...scope, variables }, [], `${at}.expression`);
    const type = checkedAdmission(text, { ...scope, variables }, [])?.type;
    if (type !== undefined) variables.set(name, type);
  }
  return { ...scope, variables: alwaysComposed || variables.size > 0 ? variables : undefined };
}

function* messageErrors({ message }: JsonObject, path: string): Findings {
  const text = asString(message);
  if (text !== '' && text.trim() === '') yield invalidValue(`${path}.message`, JSON.stringify(text), 'must be non-empty if specified');
  else if (/[\n\r]/.test(text.trim())) yield invalidValue(`${path}.message`, JSON.stringify(text), 'must not contain line breaks');
}

/** Validation errors of a ValidatingAdmissionPolicy. */
export function* policyErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const scope = yield* commonErrors(spec, false);
  if (!isFilled(spec['validations']) && !isFilled(spec['auditAnnotations']))
    for (const list of ['validations', 'auditAnnotations'])
      yield required(`spec.${list}`, 'validations or auditAnnotations must contain at least one item');
  for (const [validation, at] of itemsOf(spec['validations'], 'spec.validations')) {
    yield* expressionErrors(asString(validation['expression']), scope, ['bool'], `${at}.expression`);
    const said = asString(validation['messageExpression']);
    yield* expressionErrors(said, { ...scope, hasAuthorizer: false }, ['string'], `${at}.messageExpression`);
    yield* messageErrors(validation, at);
  }
  const keys = [...itemsOf(spec['auditAnnotations'], 'spec.auditAnnotations')].map(([annotation]) => asString(annotation['key']));
  for (const [annotation, at] of itemsOf(spec['auditAnnotations'], 'spec.auditAnnotations')) {
    yield* qualifiedNameErrors(`${after.metadata.name}/${asString(annotation['key'])}`, `${at}.key`);
    yield* expressionErrors(asString(annotation['valueExpression']), scope, ['string', 'null_type'], `${at}.valueExpression`);
  }
  yield* repeatedErrors(keys, (at) => `spec.auditAnnotations[${String(at)}].key`);
}

const patches = {
  JSONPatch: ['jsonPatch', 'list(JSONPatch)', 'applyConfiguration'],
  ApplyConfiguration: ['applyConfiguration', 'Object', 'jsonPatch'],
} as const;

function* mutationErrors(mutation: JsonObject, scope: ExpressionScope, path: string): Findings {
  const patchType = asString(mutation['patchType']);
  if (patchType === '') {
    yield required(`${path}.patchType`);
    return;
  }
  if (patchType !== 'JSONPatch' && patchType !== 'ApplyConfiguration') {
    yield notSupported(`${path}.patchType`, JSON.stringify(patchType), Object.keys(patches).toSorted());
    return;
  }
  const [own, type, other] = patches[patchType];
  const part = mutation[own];
  if (part === undefined) yield required(`${path}.${own}`, `must be specified when patchType is ${patchType}`);
  else {
    const text = asString(asJsonObject(part)['expression']).trim();
    yield* expressionErrors(text, { ...scope, hasPatches: true }, [type], `${path}.${own}.expression`);
  }
  if (mutation[other] !== undefined)
    yield invalidValue(`${path}.${other}`, `"{${other}}"`, `must not be specified when patchType is ${patchType}`);
}

/** Validation errors of a MutatingAdmissionPolicy. */
export function* mutatingPolicyErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const { matchConstraints, mutations, reinvocationPolicy } = spec;
  if (matchConstraints === undefined) yield required('spec.matchConstraints');
  const scope = yield* commonErrors(spec, true);
  yield* operationErrors(matchConstraints, 'spec.matchConstraints');
  if (!isFilled(mutations)) yield required('spec.mutations', 'mutations must contain at least one item');
  for (const [mutation, at] of itemsOf(mutations, 'spec.mutations')) yield* mutationErrors(mutation, scope, at);
  if (asString(reinvocationPolicy) === '') yield required('spec.reinvocationPolicy');
}
