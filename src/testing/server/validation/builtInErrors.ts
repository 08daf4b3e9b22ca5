import { jsonEqual, without, type JsonObject } from '../json.js';
import type { KindRules } from '../kinds/servedResource.js';
import type { FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { configMapErrors, secretErrors } from './configErrors.js';
import { cronJobErrors } from './cronErrors.js';
import { definitionErrors } from './definitionErrors.js';
import { podErrors } from './podErrors.js';
import {
  autoscalerErrors,
  disruptionBudgetErrors,
  eventErrors,
  newEventErrors,
  ingressErrors,
  leaseErrors,
  roleBindingErrors,
  roleErrors,
} from './policyErrors.js';
import { serviceErrors } from './serviceErrors.js';
import { webhookErrors } from './webhookErrors.js';
import { claimErrors, volumeErrors } from './storageErrors.js';
import {
  daemonSetErrors,
  deploymentErrors,
  jobErrors,
  replicationControllerErrors,
  setWithFixedSelectorErrors,
  statefulSetErrors,
} from './workloadErrors.js';

type Validation = (after: StoredContent, before: StoredContent | undefined) => Iterable<FieldError>;

// By group and plural.
const validations: Readonly<Record<string, Validation>> = {
  '/pods': podErrors,
  '/services': serviceErrors,
  '/configmaps': configMapErrors,
  '/secrets': secretErrors,
  '/replicationcontrollers': replicationControllerErrors,
  'apps/deployments': deploymentErrors,
  'apps/replicasets': setWithFixedSelectorErrors('deployment'),
  'apps/daemonsets': daemonSetErrors,
  'apps/statefulsets': statefulSetErrors,
  'batch/jobs': jobErrors,
  'batch/cronjobs': cronJobErrors,
  '/persistentvolumeclaims': claimErrors,
  '/persistentvolumes': volumeErrors,
  '/events': eventErrors,
  'events.k8s.io/events': newEventErrors,
  'coordination.k8s.io/leases': leaseErrors,
  'autoscaling/horizontalpodautoscalers': autoscalerErrors,
  'policy/poddisruptionbudgets': disruptionBudgetErrors,
  'networking.k8s.io/ingresses': ingressErrors,
  'rbac.authorization.k8s.io/roles': roleErrors,
  'rbac.authorization.k8s.io/clusterroles': roleErrors,
  'rbac.authorization.k8s.io/rolebindings': roleBindingErrors(['Role', 'ClusterRole']),
  'rbac.authorization.k8s.io/clusterrolebindings': roleBindingErrors(['ClusterRole']),
  'apiextensions.k8s.io/customresourcedefinitions': definitionErrors,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookErrors,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookErrors,
};

function plain(content: StoredContent): JsonObject {
  return without(content, 'metadata', 'status');
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/**
 * How objects of a built-in kind are validated beside their metadata, by group and plural: what people who write manifests get wrong, and what cannot
 * be changed later. What was wrong before may stay, so that incomplete objects which a test has put in place can be written to.
 */
export function builtInErrors(id: string): KindRules['validate'] {
  const validation = validations[id];
  if (validation === undefined) return undefined;
  return (after, before) => {
    if (before === undefined) return [...validation(after, undefined)];
    if (jsonEqual(plain(before), plain(after)) && jsonEqual(before['status'], after['status'])) return [];
    const known = new Set([...validation(before, undefined)].map(textOf));
    return [...validation(after, before)].filter((error) => !known.has(textOf(error)));
  };
}
