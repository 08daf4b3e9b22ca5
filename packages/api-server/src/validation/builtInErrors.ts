import { changedStatusErrors } from './changedStatusErrors.js';
import { equalBeside, isEqualJson, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { absentErrors } from '../schema/builtIn/absentFields.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { autoscalerErrors } from './autoscalerErrors.js';
import { configMapErrors, secretErrors } from './configErrors.js';
import { cronJobErrors } from './cronErrors.js';
import {
  endpointsErrors,
  endpointSliceErrors,
  flowSchemaErrors,
  namespaceErrors,
  priorityLevelErrors,
  signingRequestErrors,
  subjectErrors,
} from './clusterErrors.js';
import { mutatingBindingErrors, mutatingPolicyErrors, policyBindingErrors, policyErrors } from './policyDefinitionErrors.js';
import { definitionErrors } from './definitionErrors.js';
import { fixedFieldErrors } from './fixedFields.js';
import { jobErrors } from './jobErrors.js';
import { ingressClassErrors, ingressErrors, networkPolicyErrors } from './networkErrors.js';
import {
  apiServiceErrors,
  nodeErrors,
  podTemplateErrors,
  runtimeClassErrors,
  storageClassErrors,
  storageDriverErrors,
  storageNodeErrors,
} from './nodeErrors.js';
import { podErrors } from './podErrors.js';
import {
  aggregationErrors,
  disruptionBudgetErrors,
  eventErrors,
  newEventErrors,
  priorityClassErrors,
  roleBindingErrors,
  roleErrors,
} from './policyErrors.js';
import { limitRangeErrorsOf, quotaErrors } from './quotaErrors.js';
import { serviceErrors } from './serviceErrors.js';
import { webhookErrors } from './webhookErrors.js';
import { claimErrors, volumeErrors } from './storageErrors.js';
import { daemonSetErrors, deploymentErrors, replicationControllerErrors, setErrors, statefulSetErrors } from './workloadErrors.js';

type Validation = (after: StoredContent, before: StoredContent | undefined) => Iterable<FieldError>;

function together(...all: readonly Validation[]): Validation {
  return function* (after, before) {
    for (const one of all) yield* one(after, before);
  };
}

// Keys are `group/plural`.
const validations: Readonly<Record<string, Validation>> = {
  '/namespaces': namespaceErrors,
  '/limitranges': limitRangeErrorsOf,
  '/endpoints': endpointsErrors,
  'discovery.k8s.io/endpointslices': endpointSliceErrors,
  'networking.k8s.io/networkpolicies': networkPolicyErrors,
  'certificates.k8s.io/certificatesigningrequests': signingRequestErrors,
  'admissionregistration.k8s.io/validatingadmissionpolicies': policyErrors,
  'admissionregistration.k8s.io/mutatingadmissionpolicies': mutatingPolicyErrors,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelErrors,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaErrors,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policyBindingErrors,
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': mutatingBindingErrors,
  '/resourcequotas': quotaErrors,
  '/nodes': nodeErrors,
  '/podtemplates': podTemplateErrors,
  'node.k8s.io/runtimeclasses': runtimeClassErrors,
  'storage.k8s.io/storageclasses': storageClassErrors,
  'storage.k8s.io/csidrivers': storageDriverErrors,
  'storage.k8s.io/csinodes': storageNodeErrors,
  'apiregistration.k8s.io/apiservices': apiServiceErrors,
  '/pods': podErrors,
  '/services': serviceErrors,
  '/configmaps': configMapErrors,
  '/secrets': secretErrors,
  '/replicationcontrollers': replicationControllerErrors,
  'apps/deployments': deploymentErrors,
  'apps/replicasets': setErrors,
  'apps/daemonsets': daemonSetErrors,
  'apps/statefulsets': statefulSetErrors,
  'batch/jobs': jobErrors,
  'batch/cronjobs': cronJobErrors,
  '/persistentvolumeclaims': claimErrors,
  '/persistentvolumes': volumeErrors,
  '/events': eventErrors,
  'events.k8s.io/events': newEventErrors,
  'autoscaling/horizontalpodautoscalers': autoscalerErrors,
  'policy/poddisruptionbudgets': disruptionBudgetErrors,
  'scheduling.k8s.io/priorityclasses': priorityClassErrors,
  'networking.k8s.io/ingresses': ingressErrors,
  'networking.k8s.io/ingressclasses': ingressClassErrors,
  'rbac.authorization.k8s.io/roles': roleErrors,
  'rbac.authorization.k8s.io/clusterroles': together(roleErrors, aggregationErrors),
  'rbac.authorization.k8s.io/rolebindings': together(roleBindingErrors(['Role', 'ClusterRole']), subjectErrors),
  'rbac.authorization.k8s.io/clusterrolebindings': together(roleBindingErrors(['ClusterRole']), subjectErrors),
  'apiextensions.k8s.io/customresourcedefinitions': definitionErrors,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookErrors,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookErrors,
};

const none: JsonObject = {};
const meta: ReadonlySet<string> = new Set(['metadata']);

/** Whether two objects say the same, also in the part of the metadata that is read here. */
function saysTheSame(before: StoredContent, after: StoredContent): boolean {
  const [was, is] = [before.metadata, after.metadata];
  if (!equalBeside(meta, before, after)) return false;
  return isEqualJson(was.labels ?? none, is.labels ?? none) && isEqualJson(was.annotations ?? none, is.annotations ?? none);
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/** Whether an error is about an immutable field: these come last. */
function isFixed({ message }: FieldError): boolean {
  return message.endsWith('field is immutable');
}

function findings(resource: ServedResource, after: StoredContent, before: StoredContent | undefined): readonly FieldError[] {
  const { bucketId, conversion } = resource;
  // Events of the newer group are stored as those of the older one.
  const id = resource.group === 'events.k8s.io' ? 'events.k8s.io/events' : bucketId;
  const others = [...(validations[id]?.(after, before) ?? [])];
  const type = typeOf(resource);
  if (before !== undefined) others.push(...changedStatusErrors(id, after, before), ...fixedFieldErrors(id, after, before));
  if (type === undefined) return others;
  const isRight = others.length === 0 && before !== undefined && conversion === undefined && absentErrors(after, type, before).length === 0;
  if (isRight) return [];
  const said = new Set(others.map(textOf));
  const measured = absentErrors(conversion?.fromStored(after) ?? after, type);
  const lacking = new Set(measured.filter(({ message }) => message.startsWith('Required')).map(({ field }) => field));
  const found = measured.filter((error) => lacking.has(error.field) || !said.has(textOf(error)));
  // An absent field has no other error.
  const absent = new Set(found.map(({ field }) => field));
  return [...found, ...others.filter((error) => !absent.has(error.field) || isFixed(error))];
}

/**
 * Validation errors of an object of a built-in kind, without its metadata: missing fields, common mistakes in manifests, and changes of
 * immutable fields. Errors that the object had before the write are tolerated, so that incomplete objects created by a test can be updated.
 */
export function builtInErrors(resource: ServedResource, after: StoredContent, before: StoredContent | undefined): readonly FieldError[] {
  if (before !== undefined && saysTheSame(before, after)) return [];
  const errors = findings(resource, after, before);
  if (before === undefined || errors.length === 0) return errors;
  const known = new Set(findings(resource, before, undefined).map(textOf));
  return errors.filter((error) => !known.has(textOf(error)));
}
