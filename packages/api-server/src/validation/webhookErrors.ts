import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { ExpressionScope } from '../schema/rules/check/admissionExpression.js';
import { checkedAdmission } from '../schema/rules/ruleEngine.js';
import { duplicate, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameProblems } from '../write/nameProblem.js';
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
  const form = 'desired format: https://host[/path]';
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    const problem = text.startsWith(':') ? `parse ${JSON.stringify(text)}: missing protocol scheme` : text;
    if (text !== '') yield required(field, `url must be a valid URL: ${problem}; ${form}`);
    else {
      yield invalidValue(field, '""', `'https' is the only allowed URL scheme; ${form}`);
      yield invalidValue(field, '""', `host must be specified; ${form}`);
    }
    return;
  }
  const scheme = url.protocol.replace(/:$/, '');
  if (scheme !== 'https') yield invalidValue(field, JSON.stringify(scheme), `'https' is the only allowed URL scheme; ${form}`);
  if (url.username !== '' || url.password !== '')
    yield invalidValue(field, JSON.stringify(url.username), `user information is not permitted in the URL`);
  if (url.hash !== '') yield invalidValue(field, JSON.stringify(url.hash.slice(1)), 'fragments are not permitted in the URL');
  if (url.search !== '') yield invalidValue(field, JSON.stringify(url.search.slice(1)), 'query parameters are not permitted in the URL');
}

function servicePathProblems(path: string): readonly string[] {
  if (path === '' || path === '/') return [];
  if (path === '//') return ['segment[0] may not be empty'];
  const first = path.startsWith('/') ? [] : ["must start with a '/'"];
  const steps = path.slice(1).replace(/\/$/, '').split('/');
  const ofSteps = steps.flatMap((step, at) =>
    step === ''
      ? [`segment[${String(at)}] may not be empty`]
      : nameProblems(step, 'subdomain').map((problem) => `segment[${String(at)}]: ${problem}`),
  );
  return [...first, ...ofSteps];
}

/** Validation errors of the client config of a webhook. */
export function* clientConfigErrors(config: JsonObject, field: string): Findings {
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
  for (const problem of servicePathProblems(asString(path))) yield invalidValue(`${field}.service.path`, JSON.stringify(path), problem);
  if (typeof port === 'number' && (port < 1 || port > 65_535))
    yield invalidValue(`${field}.service.port`, String(port), 'port is not valid: must be between 1 and 65535, inclusive');
}

/** Validation errors of the resources and subresources of a rule. */
function* resourceErrors(resources: readonly string[], field: string): Findings {
  const [ofAll, inAll] = [new Set<string>(), new Set<string>()];
  for (const [at, text] of resources.entries()) {
    const place = `${field}[${String(at)}]`;
    if (text === '') yield required(place);
    const [resource = '', ...rest] = text.split('/');
    const part = rest.join('/');
    if (rest.length === 0) continue;
    if (ofAll.has(resource)) yield invalidValue(place, JSON.stringify(text), `if '${resource}/*' is present, must not specify ${text}`);
    if (inAll.has(part)) yield invalidValue(place, JSON.stringify(text), `if '*/${part}' is present, must not specify ${text}`);
    if (part === '*') ofAll.add(resource);
    if (resource === '*') inAll.add(part);
  }
  const shown = JSON.stringify(resources);
  if (resources.length > 1 && resources.includes('*/*'))
    yield invalidValue(field, shown, "if '*/*' is present, must not specify other resources");
  const last = resources.findLast((text) => text !== '' && !text.includes('/'));
  if (resources.includes('*') && last !== undefined && last !== '*')
    yield invalidValue(field, shown, "if '*' is present, must not specify other resources without subresources");
}

/** Validation errors of a rule of a webhook or policy. */
export function* ruleErrors(rule: Json, field: string): Findings {
  const lists: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['operations', ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']],
    ['apiGroups', undefined],
    ['apiVersions', undefined],
    ['resources', undefined],
  ];
  for (const [name, allowed] of lists) {
    const values = listOf(valueAt(rule, name)).map(asString);
    if (values.length > 1 && values.includes('*') && name !== 'resources')
      yield invalidValue(
        `${field}.${name}`,
        JSON.stringify(values),
        `if '*' is present, must not specify other ${name.replace(/^api/, 'API ').toLowerCase().replace('api', 'API')}`,
      );
    for (const [at, value] of values.entries())
      if (allowed !== undefined && !allowed.includes(value))
        yield notSupported(`${field}.${name}[${String(at)}]`, JSON.stringify(value), allowed.toSorted());
  }
  yield* resourceErrors(listOf(valueAt(rule, 'resources')).map(asString), `${field}.resources`);
  const scope = valueAt(rule, 'scope');
  if (scope !== undefined && !['*', 'Cluster', 'Namespaced'].includes(asString(scope)))
    yield notSupported(`${field}.scope`, JSON.stringify(scope), ['*', 'Cluster', 'Namespaced']);
}

function* choiceErrors(webhook: JsonObject, name: string, allowed: readonly string[], field: string): Findings {
  const value = webhook[name];
  if (value !== undefined && !allowed.includes(asString(value))) yield notSupported(`${field}.${name}`, JSON.stringify(value), allowed);
}

function* webhookErrorsAt(webhook: JsonObject, field: string): Findings {
  const { name, rules, timeoutSeconds, clientConfig, admissionReviewVersions } = webhook;
  if (!domain.test(asString(name)))
    yield invalidValue(
      `${field}.name`,
      JSON.stringify(asString(name)),
      'should be a domain with at least three segments separated by dots',
    );
  for (const selector of ['namespaceSelector', 'objectSelector']) yield* labelSelectorErrors(webhook[selector], `${field}.${selector}`);
  for (const [at, rule] of listOf(rules).entries()) yield* ruleErrors(rule, `${field}.rules[${String(at)}]`);
  yield* choiceErrors(webhook, 'failurePolicy', ['Fail', 'Ignore'], field);
  yield* choiceErrors(webhook, 'matchPolicy', ['Equivalent', 'Exact'], field);
  yield* choiceErrors(webhook, 'sideEffects', ['None', 'NoneOnDryRun'], field);
  yield* choiceErrors(webhook, 'reinvocationPolicy', ['IfNeeded', 'Never'], field);
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
  if (problem?.startsWith('program instantiation failed') === true)
    yield { reason: 'InternalError', field, message: `Internal error: ${problem}` };
  else if (problem !== undefined) yield invalidValue(field, JSON.stringify(text), problem);
}

function* reviewVersionErrors(versions: Json | undefined, field: string): Findings {
  const names = listOf(versions).map(asString);
  if (!names.some((name) => reviewVersions.includes(name)))
    yield invalidValue(field, JSON.stringify(names), `must include at least one of ${reviewVersions.join(', ')}`);
}

/** Validation errors of a webhook configuration. */
export function* webhookErrors({ webhooks }: StoredContent): Findings {
  const names = new Set<string>();
  for (const [at, webhook] of listOf(webhooks).entries()) {
    const field = `webhooks[${String(at)}]`;
    const name = asString(valueAt(webhook, 'name'));
    yield* webhookErrorsAt(asJsonObject(webhook), field);
    if (names.has(name)) yield duplicate(`${field}.name`, JSON.stringify(name));
    names.add(name);
  }
}

/** Validation errors of the conversion of a CustomResourceDefinition. */
export function* conversionErrors(conversion: JsonObject): Findings {
  const { strategy, webhook } = conversion;
  const field = 'spec.conversion';
  if (strategy !== 'Webhook') {
    if (strategy !== 'None' && strategy !== undefined)
      yield notSupported(`${field}.strategy`, JSON.stringify(strategy), ['None', 'Webhook']);
    return;
  }
  const { clientConfig, conversionReviewVersions } = asJsonObject(webhook);
  if (!isJsonObject(clientConfig)) yield required(`${field}.webhookClientConfig`, 'required when strategy is set to Webhook');
  else yield* clientConfigErrors(clientConfig, `${field}.webhookClientConfig`);
  const versions = listOf(conversionReviewVersions).map(asString);
  if (versions.length === 0) yield required(`${field}.conversionReviewVersions`);
  else if (!versions.some((version) => reviewVersions.includes(version)))
    yield invalidValue(
      `${field}.conversionReviewVersions`,
      JSON.stringify(versions),
      `must include at least one of ${reviewVersions.join(', ')}`,
    );
}
