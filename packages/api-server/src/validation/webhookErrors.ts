import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { ExpressionScope } from '../schema/rules/check/admissionExpression.js';
import { checkedAdmission } from '../schema/rules/ruleEngine.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblems } from '../write/nameProblem.js';
import { itemsOf, repeatedErrors } from './fieldChecks.js';
import { labelSelectorErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** What a condition of a webhook can name. */
const conditionScope = { hasParams: false, hasAuthorizer: true, variables: undefined };
const reviewVersions = ['v1', 'v1beta1'];
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?){2,}$/;

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

function* urlErrors(text: string, field: string): Findings {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined && text !== '') yield required(field, 'url must be a valid URL such as https://host/path');
  else if (url?.protocol !== 'https:') yield invalidValue(field, JSON.stringify(text), "'https' is the only allowed URL scheme");
  else if (url.username + url.password + url.hash + url.search !== '')
    yield invalidValue(field, JSON.stringify(text), 'must have no user, fragment or query parameters');
}

function servicePathProblem(path: string): string | undefined {
  if (path === '' || path === '/') return undefined;
  if (!path.startsWith('/')) return "must start with a '/'";
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  return steps.every((step) => nameProblems(step, 'subdomain').length === 0) ? undefined : 'must consist of DNS names';
}

/** Validation errors of the client config of a webhook. */
function* clientConfigErrors(config: JsonObject, field: string): Findings {
  const { url, service } = config;
  if ((url === undefined) === (service === undefined)) {
    yield required(field, 'exactly one of url or service is required');
    return;
  }
  if (url !== undefined) yield* urlErrors(asString(url), `${field}.url`);
  if (!isJsonObject(service)) return;
  const { name, namespace, path, port } = service;
  // The field names in these two messages are swapped, as in Kubernetes 1.36.
  if (asString(namespace) === '') yield required(`${field}.service.name`);
  if (asString(name) === '') yield required(`${field}.service.namespace`);
  const problem = servicePathProblem(asString(path));
  if (problem !== undefined) yield invalidValue(`${field}.service.path`, JSON.stringify(path), problem);
  if (typeof port === 'number' && (port < 1 || port > 65_535))
    yield invalidValue(`${field}.service.port`, String(port), 'port is not valid: must be between 1 and 65535, inclusive');
}

/** Validation errors of a rule of a webhook or policy. */
export function* ruleErrors(rule: Json, field: string): Findings {
  for (const name of ['operations', 'apiGroups', 'apiVersions', 'resources']) {
    const values = listOf(valueAt(rule, name)).map(asString);
    const others = name === 'resources' ? values.filter((text) => !text.includes('/')) : values;
    if ((others.includes('*') && others.length > 1) || (values.includes('*/*') && values.length > 1))
      yield invalidValue(`${field}.${name}`, JSON.stringify(values), "must not specify others if '*' is present");
  }
}

function* webhookErrorsAt(webhook: JsonObject, field: string): Findings {
  const { name, rules, timeoutSeconds, clientConfig, admissionReviewVersions } = webhook;
  if (!domain.test(asString(name)))
    yield invalidValue(`${field}.name`, JSON.stringify(name), 'should be a domain with at least three segments separated by dots');
  for (const selector of ['namespaceSelector', 'objectSelector']) yield* labelSelectorErrors(webhook[selector], `${field}.${selector}`);
  for (const [at, rule] of listOf(rules).entries()) yield* ruleErrors(rule, `${field}.rules[${String(at)}]`);
  if (typeof timeoutSeconds === 'number' && (timeoutSeconds < 1 || timeoutSeconds > 30))
    yield invalidValue(`${field}.timeoutSeconds`, String(timeoutSeconds), 'the timeout value must be between 1 and 30 seconds');
  for (const [at, condition] of listOf(webhook['matchConditions']).entries()) {
    const expression = asString(valueAt(condition, 'expression'));
    yield* expressionErrors(expression, conditionScope, ['bool'], `${field}.matchConditions[${String(at)}].expression`);
  }
  yield* clientConfigErrors(asJsonObject(clientConfig), `${field}.clientConfig`);
  yield* reviewVersionErrors(admissionReviewVersions, `${field}.admissionReviewVersions`);
}

/** The error of an expression that does not compile, or whose type is not in `types`. A missing expression is reported elsewhere. */
export function* expressionErrors(text: string, scope: ExpressionScope, types: readonly string[], field: string): Findings {
  const problem = text.trim() === '' ? undefined : checkedAdmission(text, scope, types)?.problem;
  if (problem !== undefined) yield invalidValue(field, JSON.stringify(text), problem);
}

function* reviewVersionErrors(versions: Json | undefined, field: string): Findings {
  const names = listOf(versions).map(asString);
  if (!names.some((name) => reviewVersions.includes(name)))
    yield invalidValue(field, JSON.stringify(names), `must include at least one of ${reviewVersions.join(', ')}`);
}

/** Validation errors of a webhook configuration. */
export function* webhookErrors({ webhooks }: StoredContent): Findings {
  const names = new Set<Json>();
  for (const [webhook, field] of itemsOf(webhooks, 'webhooks')) {
    yield* webhookErrorsAt(webhook, field);
    yield* repeatedErrors(webhook, field, names);
  }
}

/** Validation errors of the conversion of a CustomResourceDefinition. */
export function* conversionErrors(conversion: JsonObject): Findings {
  const { strategy, webhook } = conversion;
  const field = 'spec.conversion';
  const { clientConfig, conversionReviewVersions } = asJsonObject(webhook);
  if (strategy !== 'Webhook') {
    const unwanted = {
      webhookClientConfig: isJsonObject(clientConfig),
      conversionReviewVersions: listOf(conversionReviewVersions).length > 0,
    };
    for (const [name, isSet] of Object.entries(unwanted))
      if (isSet) yield forbiddenField(`${field}.${name}`, 'should not be set when strategy is not set to Webhook');
    return;
  }
  if (!isJsonObject(clientConfig)) yield required(`${field}.webhookClientConfig`, 'required when strategy is set to Webhook');
  else yield* clientConfigErrors(clientConfig, `${field}.webhookClientConfig`);
  const versions = listOf(conversionReviewVersions).map(asString);
  if (versions.length === 0) yield required(`${field}.conversionReviewVersions`);
  else if (!versions.some((version) => reviewVersions.includes(version)))
    yield invalidValue(`${field}.conversionReviewVersions`, JSON.stringify(versions), 'must include v1 or v1beta1');
}
