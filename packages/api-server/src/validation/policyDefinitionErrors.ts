import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { CelType } from '../schema/rules/check/celType.js';
import type { ExpressionScope } from '../schema/rules/check/admissionExpression.js';
import { checkedAdmission } from '../schema/rules/ruleEngine.js';
import { reserved } from '../schema/rules/ruleTypes.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, isFilled, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';
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
      for (const [index, name] of names.entries()) yield* nameErrors('path', name, `${at}.resourceNames[${String(index)}]`);
      yield* repeatedErrors(names, (index) => `${at}.resourceNames[${String(index)}]`);
      yield* ruleErrors(rule, at);
    }
}

/** A mutating policy cannot match deletions. */
function* mutableOperationErrors(value: Json | undefined, path: string): Findings {
  const known = ['*', 'CONNECT', 'CREATE', 'UPDATE'];
  for (const [rule] of itemsOf(asJsonObject(value)['resourceRules'], path))
    for (const operation of textsOf(rule['operations']))
      if (!known.includes(operation)) yield notSupported(`${path}.resourceRules.operations`, JSON.stringify(operation), known);
}

function* paramKindErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const [apiVersion, kind] = [asString(value['apiVersion']), asString(value['kind'])];
  const shown = JSON.stringify(apiVersion);
  const parts = apiVersion.split('/');
  if (parts.length > 2) yield invalidValue(`${path}.apiVersion`, shown, `unexpected GroupVersion string: ${apiVersion}`);
  else if (apiVersion !== '') {
    const [group, version = ''] = parts.length === 2 ? parts : ['', ...parts];
    if (group !== undefined && group !== '') yield* nameErrors('subdomain', group, `${path}.apiVersion`);
    if (version === '') yield invalidValue(`${path}.apiVersion`, shown, 'version must be specified');
    else yield* nameErrors('label1035', version, `${path}.apiVersion`);
  }
  const [problem] = kind === '' ? [] : [...nameErrors('label1035', kind.toLowerCase(), `${path}.kind`)];
  const said = problem?.message.replace(/^Invalid value: "[^"]*": /, 'may have mixed case, but should otherwise match: ');
  if (said !== undefined) yield invalidValue(`${path}.kind`, JSON.stringify(kind), said);
}

function* paramRefErrors(value: Json | undefined, path: string): Findings {
  if (!isJsonObject(value)) return;
  const { selector, parameterNotFoundAction: action } = value;
  const name = asString(value['name']);
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    yield* nameErrors('path', name, `${path}.name`);
    if (selector !== undefined) yield forbiddenField(`${path}.name`, exclusive);
  }
  if (selector !== undefined) {
    yield* labelSelectorErrors(selector, `${path}.selector`);
    if (name !== '') yield forbiddenField(`${path}.selector`, exclusive);
  }
  if (name === '' && selector === undefined) yield required(path, 'one of name or selector must be specified');
  if (asString(action) === '') yield required(`${path}.parameterNotFoundAction`);
  else if (action !== 'Deny' && action !== 'Allow')
    yield notSupported(`${path}.parameterNotFoundAction`, JSON.stringify(action), ['Deny', 'Allow']);
}

const bothSaid =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** Validation errors of a ValidatingAdmissionPolicyBinding. */
export function* policyBindingErrors(after: StoredContent): Findings {
  const { matchResources, paramRef, validationActions } = asJsonObject(after['spec']);
  yield* paramRefErrors(paramRef, 'spec.paramRef');
  yield* matchErrors(matchResources, 'spec.matchResources');
  const actions = textsOf(validationActions);
  yield* repeatedErrors(actions, (at) => `spec.validationActions[${String(at)}]`);
  if (actions.includes('Deny') && actions.includes('Warn'))
    yield invalidValue('spec.validationActions', JSON.stringify(validationActions), bothSaid);
}

/** Validation errors of a MutatingAdmissionPolicyBinding. */
export function* mutatingBindingErrors(after: StoredContent): Findings {
  const { policyName, matchResources, paramRef } = asJsonObject(after['spec']);
  if (asString(policyName) === '') yield required('spec.policyName');
  else yield* nameErrors('subdomain', asString(policyName), 'spec.policyName');
  yield* paramRefErrors(paramRef, 'spec.paramRef');
  yield* matchErrors(matchResources, 'spec.matchResources');
  yield* mutableOperationErrors(matchResources, 'spec.matchResources');
}

/** Validation errors of the conditions and variables of a policy; returns the scope of its other expressions. */
function* commonErrors(spec: JsonObject, alwaysComposed: boolean): Generator<FieldError, ExpressionScope, undefined> {
  const scope = { hasParams: spec['paramKind'] !== undefined, hasAuthorizer: true };
  yield* paramKindErrors(spec['paramKind'], 'spec.paramKind');
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
  yield* matchErrors(spec['matchConstraints'], 'spec.matchConstraints');
  if (isJsonObject(spec['matchConstraints']) && !isFilled(spec['matchConstraints']['resourceRules']))
    yield required('spec.matchConstraints.resourceRules');
  const scope = yield* commonErrors(spec, false);
  if (!isFilled(spec['validations']) && !isFilled(spec['auditAnnotations']))
    for (const list of ['validations', 'auditAnnotations'])
      yield required(`spec.${list}`, 'validations or auditAnnotations must contain at least one item');
  for (const [validation, at] of itemsOf(spec['validations'], 'spec.validations')) {
    yield* expressionErrors(asString(validation['expression']), scope, ['bool'], `${at}.expression`);
    const said = asString(validation['messageExpression']);
    if (said !== '' && said.trim() === '')
      yield invalidValue(`${at}.messageExpression`, JSON.stringify(said), 'must be non-empty if specified');
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
    if (text === '') yield required(`${path}.${own}.expression`);
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
  yield* matchErrors(matchConstraints, 'spec.matchConstraints');
  if (isJsonObject(matchConstraints) && !isFilled(matchConstraints['resourceRules'])) yield required('spec.matchConstraints.resourceRules');
  yield* mutableOperationErrors(matchConstraints, 'spec.matchConstraints');
  const scope = yield* commonErrors(spec, true);
  if (!isFilled(mutations)) yield required('spec.mutations', 'mutations must contain at least one item');
  for (const [mutation, at] of itemsOf(mutations, 'spec.mutations')) yield* mutationErrors(mutation, scope, at);
  if (asString(reinvocationPolicy) === '') yield required('spec.reinvocationPolicy');
  else yield* choiceErrors(reinvocationPolicy, ['IfNeeded', 'Never'], 'spec.reinvocationPolicy');
}
