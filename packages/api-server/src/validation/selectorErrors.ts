import { parseLabelSelector, type LabelSelector } from 'rx-informer/pipeline';
import { asJsonObject, asString, isJsonArray, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import { itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

/** Validation errors of labels. */
export function* labelErrors(labels: Json | undefined, path: string): Findings {
  for (const [name, value] of Object.entries(asJsonObject(labels))) {
    yield* qualifiedNameErrors(name, path);
    yield* nameErrors('labelValue', asString(value), path);
  }
}

/** Validation errors of the values for an operator. */
function* operandErrors({ operator, values }: JsonObject, at: string): Findings {
  const count = isJsonArray(values) ? values.length : 0;
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) yield required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) yield forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else yield invalidValue(`${at}.operator`, JSON.stringify(operator ?? ''), 'not a valid selector operator');
}

/** Validation errors of a label selector. */
export function* labelSelectorErrors(value: Json | undefined, path: string): Findings {
  const { matchLabels, matchExpressions } = asJsonObject(value);
  yield* labelErrors(matchLabels, `${path}.matchLabels`);
  for (const [requirement, at] of itemsOf(matchExpressions, `${path}.matchExpressions`)) {
    yield* operandErrors(requirement, at);
    yield* qualifiedNameErrors(asString(requirement['key']), `${at}.key`);
    const { values } = requirement;
    for (const [index, one] of (isJsonArray(values) ? values : []).entries())
      yield* nameErrors('labelValue', asString(one), `${at}.values[${String(index)}]`);
  }
}

function* nodeRequirementErrors(requirement: JsonObject, at: string): Findings {
  const { operator, values, key } = requirement;
  if (operator !== 'Gt' && operator !== 'Lt') yield* operandErrors(requirement, at);
  else if (!isJsonArray(values) || values.length !== 1) yield required(`${at}.values`, `must be one value for the operator ${operator}`);
  yield* qualifiedNameErrors(asString(key), `${at}.key`);
}

/** Validation errors of the field requirements of a node selector term: only the name is supported. */
function* nodeFieldErrors(term: JsonObject, at: string): Findings {
  for (const [{ key, operator, values }, place] of itemsOf(term['matchFields'], `${at}.matchFields`)) {
    if (operator !== 'In' && operator !== 'NotIn')
      yield invalidValue(`${place}.operator`, JSON.stringify(operator ?? ''), 'not a valid selector operator');
    else if (!isJsonArray(values) || values.length !== 1)
      yield required(`${place}.values`, "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
    if (key !== 'metadata.name') yield invalidValue(`${place}.key`, JSON.stringify(key ?? ''), 'not a valid field selector key');
    else
      for (const [index, one] of (isJsonArray(values) ? values : []).entries())
        yield* nameErrors('subdomain', asString(one), `${place}.values[${String(index)}]`);
  }
}

/** Validation errors of a term of a node selector. */
export function* nodeTermErrors(term: JsonObject, at: string): Findings {
  for (const [requirement, place] of itemsOf(term['matchExpressions'], `${at}.matchExpressions`))
    yield* nodeRequirementErrors(requirement, place);
  yield* nodeFieldErrors(term, at);
}

/** Validation errors of a required node selector. */
export function* nodeSelectorErrors(value: Json | undefined, path: string): Findings {
  for (const [term, at] of itemsOf(asJsonObject(value)['nodeSelectorTerms'], `${path}.nodeSelectorTerms`)) yield* nodeTermErrors(term, at);
}

/** The selector of a LabelSelector object; `undefined` when the object is invalid. */
export function selectorOf(value: Json | undefined): LabelSelector | undefined {
  if ([...labelSelectorErrors(value, '')].length > 0) return undefined;
  try {
    return parseLabelSelector(asJsonObject(value));
  } catch {
    return undefined;
  }
}
