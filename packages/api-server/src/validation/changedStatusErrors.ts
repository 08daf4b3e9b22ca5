import { asString, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import { forbiddenField, invalidValue, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { countErrors, itemsOf } from './fieldChecks.js';

type Findings = Generator<FieldError, void, undefined>;
type Check = (status: JsonObject, before: StoredContent) => Iterable<FieldError>;

/** Checks counts: none may be negative, none of `limited` may exceed the number of replicas. */
function counts(names: string, limited = ''): Check {
  return function* (status): Findings {
    for (const name of `${names} ${limited}`.trim().split(' ')) yield* countErrors(status[name], `status.${name}`);
    const replicas = Number(status['replicas'] ?? 0);
    for (const name of limited.split(' '))
      if (Number(status[name] ?? 0) > replicas)
        yield invalidValue(`status.${name}`, JSON.stringify(status[name]), 'cannot be greater than status.replicas');
  };
}

function typesOf(status: Json | undefined): readonly string[] {
  return itemsOf(valueAt(status, 'conditions'), '').map(([{ type }]) => asString(type));
}

/** Checks the conditions of a certificate signing request: there is one decision, and it stays. */
function* decisionErrors(status: JsonObject, before: StoredContent): Findings {
  const [had, has] = [typesOf(before['status']), typesOf(status)];
  if (has.includes('Approved') && has.includes('Denied'))
    yield invalidValue('status.conditions', '"Denied"', 'Approved and Denied conditions are mutually exclusive');
  for (const type of ['Approved', 'Denied', 'Failed'])
    if (had.includes(type) && !has.includes(type))
      yield forbiddenField('status.conditions', `updates may not remove a condition of type "${type}"`);
}

const ofSets = counts('replicas terminatingReplicas observedGeneration', 'fullyLabeledReplicas readyReplicas availableReplicas');

const checks: Readonly<Record<string, Check>> = {
  'apps/deployments': counts(
    'observedGeneration replicas unavailableReplicas terminatingReplicas collisionCount',
    'updatedReplicas readyReplicas availableReplicas',
  ),
  'apps/replicasets': ofSets,
  '/replicationcontrollers': ofSets,
  'apps/statefulsets': counts(
    'replicas observedGeneration collisionCount',
    'readyReplicas currentReplicas updatedReplicas availableReplicas',
  ),
  'apps/daemonsets': counts('currentNumberScheduled numberMisscheduled desiredNumberScheduled numberReady observedGeneration'),
  'batch/jobs': counts('active succeeded failed ready terminating'),
  'certificates.k8s.io/certificatesigningrequests': decisionErrors,
};

/** Validation errors of a changed status, by group and plural of its kind. */
export function* changedStatusErrors(id: string, after: StoredContent, before: StoredContent): Findings {
  const status = after['status'];
  if (status !== before['status'] && isJsonObject(status)) yield* checks[id]?.(status, before) ?? [];
}
