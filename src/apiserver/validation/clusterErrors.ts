import { isIP } from 'node:net';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { compiledRule } from '../schema/rules/ruleEngine.js';
import { asJsonObject, asString, isJsonArray, valueAt, type Json, type JsonObject } from '../json.js';
import { podSecurityLabelErrors } from '../admission/podSecurity.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { isFilled, itemsOf, portNameErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;

function textsOf(value: Json | undefined): readonly string[] {
  return isJsonArray(value) ? value.map(asString) : [];
}

/** What is wrong with a namespace: the levels that its labels choose. */
export function* namespaceErrors(after: StoredContent): Findings {
  yield* podSecurityLabelErrors(after);
}

function nano(value: Json | undefined): bigint | undefined {
  return value === undefined ? undefined : parseQuantity(asString(value))?.nano;
}

/** The pairs of a limit, each with what is no more than what. */
const ordered: readonly (readonly [field: string, low: string, high: string, words: string])[] = [
  ['min', 'min', 'max', 'min value LOW is greater than max value HIGH'],
  ['defaultRequest', 'min', 'defaultRequest', 'min value LOW is greater than default request value HIGH'],
  ['defaultRequest', 'defaultRequest', 'max', 'default request value LOW is greater than max value HIGH'],
  ['defaultRequest', 'defaultRequest', 'default', 'default request value LOW is greater than default limit value HIGH'],
  ['default', 'min', 'default', 'min value LOW is greater than default value HIGH'],
  ['default', 'default', 'max', 'default value LOW is greater than max value HIGH'],
];

/** What is wrong with a limit range: its bounds have to be in order. */
export function* limitRangeErrorsOf(after: StoredContent): Findings {
  for (const [item, place] of itemsOf(valueAt(after, 'spec', 'limits'), 'spec.limits')) {
    const parts = ['min', 'max', 'default', 'defaultRequest'].map((name) => asJsonObject(item[name]));
    const names = [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
    for (const name of names)
      for (const [field, low, high, words] of ordered) {
        const [least, most] = [asJsonObject(item[low])[name], asJsonObject(item[high])[name]];
        const [a, b] = [nano(least), nano(most)];
        if (a === undefined || b === undefined || a <= b) continue;
        // A message names the value that its own field has.
        const own = field === 'min' ? least : asJsonObject(item[field])[name];
        const shown = field === 'defaultRequest' && low === 'min' ? most : field === 'default' && low === 'min' ? least : own;
        yield invalidValue(
          `${place}.${field}[${name}]`,
          JSON.stringify(shown ?? ''),
          words.replace('LOW', asString(least)).replace('HIGH', asString(most)),
        );
      }
  }
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  const family = isIP(address);
  return more === undefined && family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}

const cidrProblem = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

/** What is wrong with a network policy. */
export function* networkPolicyErrors(after: StoredContent): Findings {
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const)
    for (const [rule, place] of itemsOf(valueAt(after, 'spec', direction), `spec.${direction}`)) {
      for (const [port, at] of itemsOf(rule['ports'], `${place}.ports`)) {
        const { port: own, endPort } = port;
        if (typeof own === 'string' && endPort !== undefined)
          yield invalidValue(`${at}.endPort`, String(Number(endPort)), 'may not be specified when `port` is non-numeric');
        if (typeof own === 'number' && typeof endPort === 'number' && endPort < own)
          yield invalidValue(`${at}.endPort`, String(endPort), 'must be greater than or equal to `port`');
        if (own === undefined && endPort !== undefined)
          yield invalidValue(`${at}.endPort`, String(Number(endPort)), 'may not be specified when `port` is not specified');
        if (typeof own === 'string') yield* portNameErrors(own, `${at}.port`);
      }
      for (const [peer, at] of itemsOf(rule[peers], `${place}.${peers}`)) {
        const { cidr, except } = asJsonObject(peer['ipBlock']);
        if (typeof cidr === 'string' && cidr !== '' && !isCidr(cidr))
          yield invalidValue(`${at}.ipBlock.cidr`, JSON.stringify(cidr), cidrProblem);
        for (const [index, one] of textsOf(except).entries())
          if (!isCidr(one)) yield invalidValue(`${at}.ipBlock.except[${String(index)}]`, JSON.stringify(one), cidrProblem);
      }
    }
}

/** What is wrong with a request for a certificate. */
export function* signingRequestErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const request = asString(valueAt(after, 'spec', 'request'));
  if (before === undefined && request !== '' && !Buffer.from(request, 'base64').toString().includes('-----BEGIN CERTIFICATE REQUEST-----'))
    yield invalidValue('spec.request', JSON.stringify(request), 'PEM block type must be CERTIFICATE REQUEST');
}

/** What keeps an address from being one of an endpoint. */
function* addressErrors(ip: string, place: string): Findings {
  const shown = JSON.stringify(ip);
  if (isIP(ip) === 0) yield invalidValue(place, shown, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)');
  else if (ip === '0.0.0.0' || ip === '::') yield invalidValue(place, shown, `may not be unspecified (${ip})`);
  else if (/^127\.|^::1$/.test(ip)) yield invalidValue(place, shown, 'may not be in the loopback range (127.0.0.0/8, ::1/128)');
  else if (/^169\.254\.|^fe80:/i.test(ip))
    yield invalidValue(place, shown, 'may not be in the link-local range (169.254.0.0/16, fe80::/10)');
  else if (/^224\.0\.0\.|^ff02:/i.test(ip))
    yield invalidValue(place, shown, 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)');
}

/** What is wrong with endpoints. */
export function* endpointsErrors(after: StoredContent): Findings {
  for (const [subset, place] of itemsOf(after['subsets'], 'subsets'))
    for (const list of ['addresses', 'notReadyAddresses'])
      for (const [address, at] of itemsOf(subset[list], `${place}.${list}`)) yield* addressErrors(asString(address['ip']), `${at}.ip`);
}

/** What is wrong with a slice of endpoints. */
export function* endpointSliceErrors(after: StoredContent): Findings {
  const type = asString(after['addressType']);
  for (const [endpoint, place] of itemsOf(after['endpoints'], 'endpoints'))
    for (const [at, address] of textsOf(endpoint['addresses']).entries())
      if (type === 'IPv4' || type === 'IPv6') yield* addressErrors(address, `${place}.addresses[${String(at)}]`);
}

function* expressionErrors(owner: JsonObject, name: string, place: string): Findings {
  const text = asString(owner[name]);
  const problem = text === '' ? undefined : compiledRule(text)?.problem;
  if (problem !== undefined && problem.startsWith('compilation failed'))
    yield invalidValue(`${place}.${name}`, JSON.stringify(text), problem);
}

/** What is wrong with the expressions of a policy. */
export function* policyExpressionErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  if (!isFilled(spec['validations']) && !isFilled(spec['auditAnnotations']))
    for (const list of ['validations', 'auditAnnotations'])
      yield required(`spec.${list}`, 'validations or auditAnnotations must contain at least one item');
  for (const [list, field] of [
    ['matchConditions', 'expression'],
    ['variables', 'expression'],
    ['validations', 'expression'],
    ['validations', 'messageExpression'],
    ['auditAnnotations', 'valueExpression'],
  ] as const)
    for (const [item, place] of itemsOf(spec[list], `spec.${list}`)) yield* expressionErrors(item, field, place);
}

/** What is wrong with a policy that changes objects. */
export function* mutatingPolicyErrors(after: StoredContent): Findings {
  const { matchConstraints, mutations, reinvocationPolicy } = asJsonObject(after['spec']);
  if (matchConstraints === undefined) yield required('spec.matchConstraints');
  if (!isFilled(mutations)) yield required('spec.mutations', 'mutations must contain at least one item');
  if (asString(reinvocationPolicy) === '') yield required('spec.reinvocationPolicy');
}

/** What is wrong with a level of priority. */
export function* priorityLevelErrors(after: StoredContent): Findings {
  const { type, limited } = asJsonObject(after['spec']);
  if (asString(type) === '') yield required('spec.type');
  const { type: response, queuing } = asJsonObject(valueAt(limited, 'limitResponse'));
  if (response === 'Queue' && queuing === undefined)
    yield required('spec.limited.limitResponse.queuing', 'must not be empty if limited.limitResponse.type is Limited');
}

/** What is wrong with whom a binding is about. */
export function* subjectErrors(after: StoredContent): Findings {
  for (const [subject, place] of itemsOf(after['subjects'], 'subjects'))
    if (subject['kind'] === 'ServiceAccount' && asString(subject['namespace']) === '' && after.metadata.namespace === undefined)
      yield required(`${place}.namespace`);
}

const mostFailed = 'must not be empty';

/** What is wrong with the rules for failures of a job's pods. */
export function* podFailureErrors(after: StoredContent): Findings {
  for (const [rule, place] of itemsOf(valueAt(after, 'spec', 'podFailurePolicy', 'rules'), 'spec.podFailurePolicy.rules')) {
    const { values } = asJsonObject(rule['onExitCodes']);
    if (!isJsonArray(values)) continue;
    const at = `${place}.onExitCodes.values`;
    const numbers = values.map(Number);
    if (numbers.length === 0) yield invalidValue(at, '[]', mostFailed);
    for (const [index, number] of numbers.entries()) {
      if (index === 0) continue;
      const earlier = numbers[index - 1] ?? 0;
      if (number === earlier)
        yield { reason: 'FieldValueDuplicate', field: `${at}[${String(index)}]`, message: `Duplicate value: ${String(number)}` };
    }
    if (numbers.some((number, index) => index > 0 && number < (numbers[index - 1] ?? 0)))
      yield invalidValue(at, JSON.stringify(numbers), 'must be ordered');
  }
}

const finished = new Set(['Complete', 'Failed']);

/** What is wrong with the status of a job that a write changes. */
export function* jobStatusErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  if (before === undefined) return;
  const status = asJsonObject(after['status']);
  const conditions = (content: StoredContent): readonly string[] =>
    [...itemsOf(valueAt(content, 'status', 'conditions'), '')]
      .filter(([one]) => one['status'] === 'True')
      .map(([one]) => asString(one['type']));
  const [now, was] = [conditions(after), conditions(before)];
  const added = now.filter((type) => !was.includes(type));
  if (now.includes('Complete') && !was.includes('Complete') && status['completionTime'] === undefined)
    yield required('status.completionTime', 'completionTime is required for Complete jobs');
  if (now.includes('Failed') && now.includes('Complete'))
    yield invalidValue('status.conditions', '', 'cannot set Complete=True and Failed=true conditions');
  const shown = (problem: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: 'status.conditions',
    message: `Invalid value: ${problem}`,
  });
  if (added.includes('Complete') && !now.includes('SuccessCriteriaMet'))
    yield shown('cannot set Complete=True condition without the SuccessCriteriaMet=true condition');
  if (added.includes('Failed') && !now.includes('FailureTarget'))
    yield shown('cannot set Failed=True condition without the FailureTarget=true condition');
  const active = Number(status['active'] ?? 0);
  if (added.some((type) => finished.has(type)) && active > 0)
    yield invalidValue('status.active', String(active), 'active>0 is invalid for finished job');
}
