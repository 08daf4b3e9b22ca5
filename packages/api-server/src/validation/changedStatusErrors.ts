import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { parseQuantity } from '../schema/builtIn/quantity.js';
import { ipErrors } from './addressErrors.js';
import { countErrors, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;
type Check = (status: JsonObject, after: StoredContent, before: StoredContent) => Iterable<FieldError>;

function numberAt(status: JsonObject, name: string): number {
  return typeof status[name] === 'number' ? status[name] : 0;
}

/** Checks counts that must not be negative. */
function counts(...names: readonly string[]): Check {
  return function* (status): Findings {
    for (const name of names) yield* countErrors(status[name], `status.${name}`);
  };
}

/** Checks counts of replicas: none may exceed the number of replicas, nor the available ones those that are ready. */
function replicaCounts(names: readonly string[], limited: readonly string[], ready = 'readyReplicas'): Check {
  return function* (status): Findings {
    yield* counts(...names)(status, undefined as never, undefined as never);
    const replicas = numberAt(status, 'replicas');
    for (const name of limited) {
      const count = numberAt(status, name);
      if (count > replicas) yield invalidValue(`status.${name}`, String(count), 'cannot be greater than status.replicas');
    }
    const available = numberAt(status, 'availableReplicas');
    if (available > numberAt(status, 'readyReplicas'))
      yield invalidValue('status.availableReplicas', String(available), `cannot be greater than ${ready}`);
  };
}

const statuses = ['False', 'True', 'Unknown'];
const reasonPattern = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonProblem =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end " +
  "with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used " +
  `for validation is '${reasonPattern}')`;

/** Checks conditions in the form that all newer kinds share. */
function* conditionErrors(status: JsonObject): Findings {
  const seen = new Set<string>();
  for (const [condition, at] of itemsOf(status['conditions'], 'status.conditions')) {
    const [type, reason] = [asString(condition['type']), asString(condition['reason'])];
    yield* qualifiedNameErrors(type, `${at}.type`);
    if (seen.has(type)) yield duplicate(`${at}.type`, JSON.stringify(type));
    seen.add(type);
    const state = asString(condition['status']);
    if (!statuses.includes(state)) yield notSupported(`${at}.status`, JSON.stringify(state), statuses);
    const generation = condition['observedGeneration'];
    if (typeof generation === 'number' && generation < 0)
      yield invalidValue(`${at}.observedGeneration`, String(generation), 'must be greater than or equal to zero');
    if (asString(condition['lastTransitionTime']) === '') yield required(`${at}.lastTransitionTime`);
    if (reason === '') yield required(`${at}.reason`);
    else if (!new RegExp(`^${reasonPattern}$`).test(reason)) yield invalidValue(`${at}.reason`, JSON.stringify(reason), reasonProblem);
  }
}

/** Checks conditions that need a type, each another one. */
function* typedConditionErrors(status: JsonObject): Findings {
  const seen = new Set<string>();
  for (const [condition, at] of itemsOf(status['conditions'], 'status.conditions')) {
    const type = asString(condition['type']);
    if (seen.has(type)) yield duplicate(`${at}.type`, JSON.stringify(type));
    seen.add(type);
    if (type === '') yield required(`${at}.type`);
  }
}

const decisions: ReadonlySet<string> = new Set(['Approved', 'Denied', 'Failed']);

/** Checks the conditions of a certificate signing request: a decision stays. */
function* decisionErrors(status: JsonObject, _: StoredContent, before: StoredContent): Findings {
  const seen = new Set<string>();
  for (const [condition, at] of itemsOf(status['conditions'], 'status.conditions')) {
    const [type, state] = [asString(condition['type']), asString(condition['status'])];
    if (type === '') yield required(`${at}.type`);
    const allowed = decisions.has(type) ? ['True'] : statuses;
    if (state === '') yield required(`${at}.status`);
    else if (!allowed.includes(state)) yield notSupported(`${at}.status`, JSON.stringify(state), allowed);
    if (seen.has(type)) yield duplicate(`${at}.type`, JSON.stringify(type));
    seen.add(type);
    if ((type === 'Approved' && seen.has('Denied')) || (type === 'Denied' && seen.has('Approved')))
      yield invalidValue('status.conditions', JSON.stringify(type), 'Approved and Denied conditions are mutually exclusive');
  }
  const had = new Set([...itemsOf(valueAt(before, 'status', 'conditions'), '')].map(([one]) => asString(one['type'])));
  for (const type of decisions)
    if (had.has(type) && !seen.has(type)) yield forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`);
}

function* addressErrors(list: Json | undefined, path: string): Findings {
  for (const [one, at] of itemsOf(list, path)) yield* ipErrors(asString(one['ip']), at);
}

/** Checks the status of a pod. */
function* podStatusErrors(status: JsonObject, after: StoredContent, before: StoredContent): Findings {
  const was = asJsonObject(before['status']);
  for (const [condition, at] of itemsOf(status['conditions'], 'status.conditions')) {
    const generation = condition['observedGeneration'];
    if (typeof generation === 'number' && generation < 0)
      yield invalidValue(`${at}.observedGeneration`, String(generation), 'must be a non-negative integer');
    yield* qualifiedNameErrors(asString(condition['type']), `${at}.Type`);
  }
  const node = asString(status['nominatedNodeName']);
  if (node !== '' && node !== was['nominatedNodeName']) yield* nameErrors('subdomain', node, 'status.nominatedNodeName');
  const generation = status['observedGeneration'];
  if (typeof generation === 'number' && generation < 0)
    yield invalidValue('status.observedGeneration', String(generation), 'must be a non-negative integer');
  const quality = status['qosClass'];
  if (quality !== was['qosClass'] && quality !== undefined && was['qosClass'] !== undefined)
    yield invalidValue('status.qosClass', JSON.stringify(quality), 'field is immutable');
  const claims = new Set([...itemsOf(valueAt(after, 'spec', 'resourceClaims'), '')].map(([claim]) => asString(claim['name'])));
  for (const [claim, at] of itemsOf(status['resourceClaimStatuses'], 'status.resourceClaimStatuses')) {
    const [name, claimName] = [asString(claim['name']), claim['resourceClaimName']];
    if (!claims.has(name))
      yield invalidValue(`${at}.name`, JSON.stringify(name), 'must match the name of an entry in `spec.resourceClaims`');
    if (typeof claimName === 'string') yield* nameErrors('subdomain', claimName, `${at}.resourceClaimName`);
  }
  const own = status['podIP'] === undefined ? [] : [{ ip: status['podIP'] }];
  yield* addressErrors(isJsonArray(status['podIPs']) ? status['podIPs'] : own, 'status.podIPs');
  const [first] = isJsonArray(status['hostIPs']) ? status['hostIPs'] : [];
  const host = asString(valueAt(first, 'ip'));
  if (host !== asString(status['hostIP']))
    if (first !== undefined) yield invalidValue('status.hostIPs[0].ip', JSON.stringify(host), 'must be equal to `hostIP`');
  yield* addressErrors(status['hostIPs'], 'status.hostIPs');
}

/** Checks the counts of a job: those of ended pods never decrease. */
function* jobCountErrors(status: JsonObject, after: StoredContent, before: StoredContent): Findings {
  yield* counts('active', 'succeeded', 'failed', 'ready', 'terminating')(status, after, before);
  const seen = new Set<string>();
  for (const list of ['succeeded', 'failed']) {
    const listed = valueAt(status['uncountedTerminatedPods'], list);
    for (const [index, one] of (isJsonArray(listed) ? listed : []).entries()) {
      const path = `status.uncountedTerminatedPods.${list}[${String(index)}]`;
      if (one === '') yield invalidValue(path, '""', 'must not be empty');
      else if (seen.has(asString(one))) yield duplicate(path, JSON.stringify(one));
      seen.add(asString(one));
    }
  }
  for (const name of ['failed', 'succeeded']) {
    const count = numberAt(status, name);
    if (count < numberAt(asJsonObject(before['status']), name))
      yield invalidValue(`status.${name}`, String(count), `cannot decrease the ${name} counter`);
  }
  const spec = asJsonObject(after['spec']);
  const indexes = asString(status['completedIndexes']);
  const [wrong] = indexes.split(/[,-]/).filter((part) => !/^\d+$/.test(part));
  if (indexes !== '' && spec['completionMode'] !== 'Indexed') {
    const problem = `error parsing completedIndexes: cannot convert string to integer for index: ${JSON.stringify(wrong)}`;
    if (wrong !== undefined) yield invalidValue('status.completedIndexes', JSON.stringify(indexes), problem);
    const refused = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    yield invalidValue('status.completedIndexes', JSON.stringify(indexes), refused);
  }
  const failed = status['failedIndexes'];
  if (failed !== undefined && spec['backoffLimitPerIndex'] === undefined)
    yield invalidValue(
      'status.failedIndexes',
      JSON.stringify(failed),
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
}

const resizes = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Checks which resources of a claim have an amount or a state. */
function* claimStatusErrors({ capacity, allocatedResources, allocatedResourceStatuses }: JsonObject): Findings {
  for (const [name, amount] of Object.entries(asJsonObject(capacity)))
    if ((parseQuantity(asString(amount))?.nano ?? 0n) < 0n)
      yield invalidValue(`status.capacity[${name}]`, asString(amount), 'must be a valid resource quantity');
  for (const [field, states] of Object.entries({ allocatedResourceStatuses, allocatedResources })) {
    const path = `status.${field}`;
    for (const [name, state] of Object.entries(asJsonObject(states))) {
      const named = [...qualifiedNameErrors(name, path)];
      yield* named;
      if (named.length === 0 && !name.includes('/') && name !== 'storage') yield notSupported(path, JSON.stringify(name), ['storage']);
      if (field === 'allocatedResourceStatuses' && !resizes.includes(asString(state)))
        yield notSupported(path, JSON.stringify(name), resizes);
    }
  }
}

/** Checks the amounts and features of a node. */
function* nodeStatusErrors(status: JsonObject): Findings {
  for (const field of ['capacity', 'allocatable'])
    for (const [name, amount] of Object.entries(asJsonObject(status[field])))
      if ((parseQuantity(asString(amount))?.nano ?? 0n) < 0n)
        yield invalidValue(`status.${field}.${name}`, JSON.stringify(amount), 'must be greater than or equal to 0');
  const features = isJsonArray(status['declaredFeatures']) ? status['declaredFeatures'].map(asString) : [];
  const seen = new Set<string>();
  for (const [index, feature] of features.entries()) {
    const path = `status.declaredFeatures[${String(index)}]`;
    const shown = JSON.stringify(feature);
    if (seen.has(feature)) yield duplicate(path, shown);
    seen.add(feature);
    if (!/^([A-Z][A-Za-z0-9]*)(\/[A-Za-z0-9]+)*$/.test(feature))
      yield invalidValue(
        path,
        shown,
        `invalid feature name ${shown}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
      );
  }
}

function* attachmentStatusErrors(status: JsonObject): Findings {
  for (const field of ['attachError', 'detachError']) {
    const code = valueAt(status, field, 'errorCode');
    if (typeof code === 'number' && code < 0)
      yield invalidValue(`status.${field}.errorCode`, String(code), 'must be between 0 and 2147483647, inclusive');
  }
}

function* reservationErrors({ reservedFor, allocation }: JsonObject): Findings {
  for (const [user, at] of itemsOf(reservedFor, 'status.reservedFor'))
    for (const name of ['resource', 'name', 'uid']) if (asString(user[name]) === '') yield required(`${at}.${name}`);
  if (isJsonArray(reservedFor) && reservedFor.length > 0 && allocation === undefined)
    yield forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set');
}

const ofDeployments = ['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'];
const ofReplicaSets = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
];
const ofStatefulSets = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];
const ofDaemonSets = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'observedGeneration'];

const checks: Readonly<Record<string, Check>> = {
  'apps/deployments': replicaCounts(
    [...ofDeployments, 'terminatingReplicas', 'collisionCount'],
    ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
  ),
  'apps/replicasets': replicaCounts(ofReplicaSets, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  '/replicationcontrollers': replicaCounts(ofReplicaSets, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']),
  'apps/statefulsets': replicaCounts(
    ofStatefulSets,
    ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
    'status.readyReplicas',
  ),
  'apps/daemonsets': counts(...ofDaemonSets, 'updatedNumberScheduled', 'numberAvailable', 'numberUnavailable', 'collisionCount'),
  'batch/jobs': jobCountErrors,
  'policy/poddisruptionbudgets': conditionErrors,
  'certificates.k8s.io/certificatesigningrequests': decisionErrors,
  'flowcontrol.apiserver.k8s.io/flowschemas': typedConditionErrors,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': typedConditionErrors,
  '/pods': podStatusErrors,
  '/persistentvolumeclaims': claimStatusErrors,
  '/nodes': nodeStatusErrors,
  'storage.k8s.io/volumeattachments': attachmentStatusErrors,
  'resource.k8s.io/resourceclaims': reservationErrors,
};

/** Validation errors of a changed status, by group and plural of its kind. */
export function* changedStatusErrors(id: string, after: StoredContent, before: StoredContent): Findings {
  const status = after['status'];
  if (status !== before['status'] && isJsonObject(status)) yield* checks[id]?.(status, after, before) ?? [];
}
