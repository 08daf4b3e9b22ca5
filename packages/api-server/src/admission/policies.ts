import { parseLabelSelector } from 'rx-informer/pipeline';
import type { Cluster } from '../cluster.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { asJsonObject, asString, isJsonObject, objectsAt, textsAt, valueAt, type Json, type JsonObject } from '../json.js';
import type { Authorizer } from '../schema/rules/authorizer.js';
import { loadRules, messageOf } from '../schema/rules/ruleEngine.js';
import { ruleValue } from '../schema/rules/ruleValue.js';
import { StatusError } from '../status/statusError.js';
import { forbidden } from '../status/statusErrors.js';
import { objectsIn } from '../store/bucket.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';
import { documentOf } from '../write/documentOf.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import { reviewRequest } from './admissionReview.js';
import { constraintsOf, type WebhookMatch } from './admissionWebhook.js';
import { matchWebhook } from './matchWebhook.js';
import { MutationError, mutatedBy } from './mutation.js';
import {
  authorizerOf,
  beginBudget,
  BudgetError,
  evaluate,
  evaluateVariable,
  ExpressionError,
  meetsAll,
  type Variables,
} from './policyExpression.js';

const group = 'admissionregistration.k8s.io';

/** A policy with a binding and one parameter object. */
interface BoundPolicy {
  readonly policy: StoredObject;
  readonly binding: StoredObject;
  readonly spec: JsonObject;
  readonly params?: JsonObject;
  /** Why there are no parameters where there must be some. */
  readonly failure?: string;
}

function matches(cluster: Cluster, match: WebhookMatch, attributes: AdmissionAttributes): boolean {
  return matchWebhook(cluster, match, attributes) !== undefined;
}

/** Whether a binding matches a write. A binding without rules matches everything that its policy matches. */
function concerns(cluster: Cluster, resources: Json | undefined, attributes: AdmissionAttributes): boolean {
  if (!isJsonObject(resources)) return true;
  const { excludeResourceRules, resourceRules } = resources;
  const any = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*', '*/*'] }];
  const excluded = constraintsOf({ rules: excludeResourceRules ?? [] });
  if (matches(cluster, excluded, attributes)) return false;
  return matches(cluster, constraintsOf({ ...resources, rules: resourceRules ?? any }), attributes);
}

/** The parameter objects of a binding, one at a time: none for a policy without parameters. */
function paramsOf(
  cluster: Cluster,
  spec: JsonObject,
  { paramRef: reference }: JsonObject,
  { namespace }: AdmissionAttributes,
): readonly Pick<BoundPolicy, 'params' | 'failure'>[] {
  const { apiVersion, kind } = asJsonObject(spec['paramKind']);
  if (apiVersion === undefined) return [{}];
  const resource = cluster.kinds.findKind(asString(apiVersion), asString(kind));
  if (resource === undefined)
    return [{ failure: `failed to configure policy: its paramKind '${asString(apiVersion)}, Kind=${asString(kind)}' is not served` }];
  if (!isJsonObject(reference)) return [{}];
  const bucket = cluster.store.bucket(resource.bucketId);
  const where = asString(reference['namespace']) || namespace;
  const failed = 'failed to configure binding:';
  if (resource.namespaced && where === '') return [{ failure: `${failed} its paramRef needs a namespace for cluster-scoped objects` }];
  const all = [...(resource.namespaced ? objectsIn(bucket, where) : valuesBetween(bucket.root))];
  const selector = parseLabelSelector(asJsonObject(reference['selector']));
  const name = asString(reference['name']);
  const found = all.filter((one) => (name === '' ? selector.matches(one.head.labels ?? {}) : one.name === name));
  if (found.length > 0 || reference['parameterNotFoundAction'] !== 'Deny')
    return found.map((one) => ({ params: documentOf(resource, one) }));
  return [{ failure: `${failed} no params found for policy binding with \`Deny\` parameterNotFoundAction` }];
}

/** The policies of a kind with a binding that matches a write. */
function boundPolicies(cluster: Cluster, kind: 'validating' | 'mutating', attributes: AdmissionAttributes): readonly BoundPolicy[] {
  const { store } = cluster;
  const policies = store.bucket(`${group}/${kind}admissionpolicies`);
  const bindings = [...valuesBetween(store.bucket(`${group}/${kind}admissionpolicybindings`).root)];
  return [...valuesBetween(policies.root)].flatMap((policy) => {
    const spec = asJsonObject(policy.content['spec']);
    const own = bindings.filter((binding) => valueAt(binding.content, 'spec', 'policyName') === policy.name);
    if (own.length === 0 || !concerns(cluster, spec['matchConstraints'], attributes)) return [];
    return own.flatMap((binding) => {
      const bound = asJsonObject(binding.content['spec']);
      if (!concerns(cluster, bound['matchResources'], attributes)) return [];
      return paramsOf(cluster, spec, bound, attributes).map((params) => ({ policy, binding, spec, ...params }));
    });
  });
}

/** The variables of a policy's expressions. A variable is evaluated when it is first read, and can use the variables before it. */
function variablesOf(
  cluster: Cluster,
  { spec, params }: BoundPolicy,
  attributes: AdmissionAttributes,
  authorizer: Authorizer | undefined,
): Variables {
  const { object, oldObject, namespace, resource } = attributes;
  const within = resource.namespaced ? cluster.store.bucket('/namespaces').get(namespace) : undefined;
  const seen = (value: Json | undefined): unknown => ruleValue(value ?? null, {});
  const variables: Record<string, unknown> = {
    object: seen(object),
    oldObject: seen(oldObject),
    request: seen(reviewRequest('', attributes, resource, attributes)),
    params: seen(params),
    namespaceObject: seen(within?.content),
    ...(authorizer !== undefined && { authorizer }),
  };
  const own: Record<string, unknown> = {};
  for (const { name, expression } of objectsAt(spec, 'variables'))
    Object.defineProperty(own, asString(name), {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = evaluateVariable(asString(name), asString(expression), variables);
        Object.defineProperty(own, asString(name), { enumerable: true, value });
        return value;
      },
    });
  variables['variables'] = own;
  return variables;
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, Invalid: 422, RequestEntityTooLarge: 413 };

/** The error of a denied request. */
function deniedBy({ policy, binding }: BoundPolicy, attributes: AdmissionAttributes, problem: string, reason: string): StatusError {
  const message = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}' denied request: ${problem}`;
  const { status } = forbidden(attributes.resource, attributes.name || 'Unknown', message, [{ message }]);
  return new StatusError({ ...status, code: codes[reason] ?? 422, reason });
}

/** Why a policy denies a write. */
interface Problem {
  readonly message: string;
  readonly reason: string;
  /** Whether the write is denied even by a binding that only warns. */
  readonly denies: boolean;
}

const problemOf = (message: string, reason = 'Invalid', denies = false): Problem => ({ message, reason, denies });

/** The consequence of a failed expression, by the failure policy. */
function failureOf(spec: JsonObject, error: unknown, denies = false): readonly Problem[] {
  if (!(error instanceof ExpressionError)) throw error;
  return spec['failurePolicy'] === 'Ignore' ? [] : [problemOf(error.message, 'Invalid', denies)];
}

/** @param unauthorized - the variables without the authorizer, which messages and annotations do not know */
function* problemsOf(
  { spec, failure }: BoundPolicy,
  variables: Variables,
  unauthorized: () => Variables,
): Generator<Problem, void, undefined> {
  if (failure !== undefined) {
    yield* failureOf(spec, new ExpressionError(failure), true);
    return;
  }
  if (!meetsAll(objectsAt(spec, 'matchConditions'), variables)) return;
  beginBudget(variables);
  for (const { expression, message, messageExpression, reason } of objectsAt(spec, 'validations')) {
    try {
      if (evaluate(expression, variables) === true) continue;
    } catch (error) {
      if (error instanceof BudgetError) throw error;
      yield* failureOf(spec, error);
      continue;
    }
    const own = messageExpression === undefined ? undefined : messageOf(asString(messageExpression), unauthorized());
    yield problemOf(
      own ?? (asString(message).trim() || `failed expression: ${asString(expression).trim()}`),
      asString(reason) || 'Invalid',
    );
  }
  for (const { valueExpression } of objectsAt(spec, 'auditAnnotations'))
    try {
      evaluate(valueExpression, unauthorized());
    } catch (error) {
      yield* failureOf(spec, error, true);
    }
}

/**
 * Validates a write by the validating policies.
 *
 * @throws StatusError when one of them denies it.
 */
export async function validateByPolicies(
  cluster: Cluster,
  attributes: AdmissionAttributes,
  warn: (warning: string) => void,
): Promise<void> {
  const policies = boundPolicies(cluster, 'validating', attributes);
  if (policies.length === 0) return;
  await loadRules();
  const authorizer = authorizerOf(cluster, attributes);
  let denied: StatusError | undefined;
  for (const bound of policies) {
    const { policy, binding, spec } = bound;
    const actions = textsAt(binding.content, 'spec', 'validationActions');
    let found: readonly Problem[];
    try {
      const unauthorized = (): Variables => variablesOf(cluster, bound, attributes, undefined);
      found = [...problemsOf(bound, variablesOf(cluster, bound, attributes, authorizer), unauthorized)];
    } catch (error) {
      found = failureOf(spec, error);
    }
    for (const { message, reason, denies } of found) {
      if (denies || actions.includes('Deny')) denied ??= deniedBy(bound, attributes, message, reason);
      else if (actions.includes('Warn'))
        warn(`Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`);
    }
  }
  if (denied !== undefined) throw denied;
}

function mutated(
  mutation: JsonObject,
  object: JsonObject,
  about: { readonly resource: ServedResource; readonly strict: boolean },
  variables: Variables,
): JsonObject {
  const part = asJsonObject(mutation['applyConfiguration'] ?? mutation['jsonPatch']);
  const value = evaluate(part['expression'], variables);
  try {
    return mutatedBy(value, mutation['patchType'], object, about);
  } catch (error) {
    throw error instanceof MutationError ? new ExpressionError(error.message) : error;
  }
}

/** The object changed by a policy, and by its other mutations if one fails. */
function mutatedByPolicy(
  cluster: Cluster,
  bound: BoundPolicy,
  attributes: AdmissionAttributes,
  object: JsonObject,
  authorizer: Authorizer,
): JsonObject {
  const { policy, binding, spec, failure } = bound;
  const { resource, name } = attributes;
  let result = object;
  let problem = failure;
  const attempt = (run: (variables: Variables) => boolean): boolean => {
    try {
      return run(variablesOf(cluster, bound, { ...attributes, object: result }, authorizer));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      problem ??= error.message;
      return false;
    }
  };
  if (failure === undefined && attempt((variables) => meetsAll(objectsAt(spec, 'matchConditions'), variables)))
    for (const mutation of objectsAt(spec, 'mutations'))
      attempt((variables) => {
        beginBudget(variables);
        result = mutated(mutation, result, { resource, strict: cluster.schema }, variables);
        return true;
      });
  if (problem === undefined || spec['failurePolicy'] === 'Ignore') return result;
  const message = `policy '${policy.name}' with binding '${binding.name}' denied request: ${problem}`;
  const { status } = forbidden(resource, name, message, [{ message }]);
  throw new StatusError({ ...status, message, ...(failure === undefined && { reason: 'Invalid' }) });
}

/** Changes the object of a write. */
export interface Mutator {
  /** Whether it runs again when others have changed the object since (`reinvocationPolicy: IfNeeded`). */
  readonly reinvoked: boolean;
  /** @throws StatusError when it denies the write, or fails with the failure policy `Fail`. */
  readonly run: (object: JsonObject | undefined) => Promise<JsonObject | undefined>;
}

/** The mutating policies for a write. */
export async function policyMutators(cluster: Cluster, attributes: AdmissionAttributes): Promise<readonly Mutator[]> {
  const policies = attributes.object === undefined ? [] : boundPolicies(cluster, 'mutating', attributes);
  if (policies.length === 0) return [];
  await loadRules();
  const authorizer = authorizerOf(cluster, attributes);
  return policies.map((bound) => ({
    reinvoked: bound.spec['reinvocationPolicy'] === 'IfNeeded',
    run: async (object) => Promise.resolve(mutatedByPolicy(cluster, bound, attributes, object ?? {}, authorizer)),
  }));
}
