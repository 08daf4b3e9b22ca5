import { isJsonArray, valueAt } from '../json.js';
import { forbiddenField, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { immutableErrors } from './fieldChecks.js';

/** Immutable fields, by group and plural; `!` marks those whose change is forbidden. */
const fixedFields: Readonly<Record<string, string>> = {
  '/secrets': 'type',
  'apps/controllerrevisions': 'data',
  'batch/jobs': 'spec.selector spec.completionMode spec.podFailurePolicy spec.backoffLimitPerIndex spec.managedBy spec.successPolicy',
  'discovery.k8s.io/endpointslices': 'addressType',
  'events.k8s.io/events':
    'involvedObject reason message source firstTimestamp lastTimestamp count type eventTime action related reportingComponent reportingInstance',
  'networking.k8s.io/ingressclasses': 'spec.controller',
  'networking.k8s.io/ipaddresses': 'spec.parentRef',
  'networking.k8s.io/servicecidrs': 'spec.cidrs',
  'node.k8s.io/runtimeclasses': 'handler',
  'resource.k8s.io/resourceclaims': 'spec',
  'resource.k8s.io/resourceclaimtemplates': 'spec',
  'resource.k8s.io/resourceslices': 'spec.pool.name spec.driver spec.nodeName',
  'scheduling.k8s.io/priorityclasses': 'preemptionPolicy value!',
  'storage.k8s.io/storageclasses': 'parameters provisioner reclaimPolicy volumeBindingMode',
  'storage.k8s.io/volumeattributesclasses': 'driverName! parameters!',
};

/** Validation errors of changed immutable fields. */
export function* fixedFieldErrors(id: string, after: StoredContent, before: StoredContent): Generator<FieldError, void, undefined> {
  for (const field of fixedFields[id]?.split(' ') ?? []) {
    const path = field.replace('!', '');
    const [was, is] = [before, after].map((content) => valueAt(content, ...path.split('.')));
    const found = immutableErrors([was, is], path);
    if (field !== path && found.length > 0) yield forbiddenField(path, `updates to ${path} are forbidden.`);
    // Lists of equal length are compared item by item.
    else if (isJsonArray(was) && isJsonArray(is) && was.length === is.length)
      for (const [at, item] of is.entries()) yield* immutableErrors([was[at], item], `${path}[${String(at)}]`);
    else yield* found;
  }
}
