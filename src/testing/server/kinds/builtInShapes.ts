import { atomicObject, listBy, object, scalarSet, type FieldShape } from './fieldShape.js';
import { claimSpecShape, conditions, metadataShape, podSpecShape, podStatusShape, podTemplateShape, selectorShape } from './podShapes.js';

const withConditions = object({ conditions });
/** Merged by one kind of merge only. */
const conditionsOfPatches: FieldShape = { patchKey: 'type' };
const conditionsOfApply: FieldShape = { keys: ['type'] };

const workload = object({ selector: selectorShape, template: podTemplateShape });
const servicePorts: FieldShape = { ...listBy('port'), keys: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } };
const webhooks = listBy(
  'name',
  object({ matchConditions: listBy('name'), namespaceSelector: selectorShape, objectSelector: selectorShape }),
);
const binding: Readonly<Record<string, FieldShape>> = { roleRef: atomicObject };

/** What is known of kinds beside their metadata, by group and plural. */
const shapes: Readonly<Record<string, Readonly<Record<string, FieldShape>>>> = {
  '/pods': { spec: podSpecShape, status: podStatusShape },
  '/podtemplates': { template: podTemplateShape },
  '/replicationcontrollers': { spec: object({ selector: atomicObject, template: podTemplateShape }), status: withConditions },
  '/services': { spec: object({ ports: servicePorts, selector: atomicObject }), status: withConditions },
  '/serviceaccounts': { secrets: listBy('name', atomicObject), imagePullSecrets: { items: atomicObject } },
  '/nodes': {
    spec: object({ podCIDRs: { keys: [], patchKey: '' } }),
    status: object({ conditions, addresses: listBy('type') }),
  },
  '/namespaces': { status: withConditions },
  '/persistentvolumeclaims': { spec: claimSpecShape, status: withConditions },
  '/persistentvolumes': { spec: object({ nodeAffinity: object({ required: atomicObject }) }) },
  '/resourcequotas': { spec: object({ scopeSelector: atomicObject }) },
  '/events': { involvedObject: atomicObject, related: atomicObject },
  'events.k8s.io/events': { regarding: atomicObject, related: atomicObject },
  'apps/deployments': { spec: workload, status: withConditions },
  'apps/replicasets': { spec: workload, status: withConditions },
  'apps/daemonsets': { spec: workload, status: withConditions },
  'apps/statefulsets': { spec: workload, status: withConditions },
  'batch/jobs': {
    spec: workload,
    status: object({ conditions: conditionsOfPatches, uncountedTerminatedPods: object({ succeeded: scalarSet, failed: scalarSet }) }),
  },
  'batch/cronjobs': { spec: object({ jobTemplate: object({ metadata: metadataShape, spec: workload }) }) },
  'autoscaling/horizontalpodautoscalers': { spec: object({ scaleTargetRef: atomicObject }), status: withConditions },
  'policy/poddisruptionbudgets': { spec: object({ selector: { ...selectorShape, patchReplaces: true } }), status: withConditions },
  'networking.k8s.io/networkpolicies': { spec: object({ podSelector: selectorShape }) },
  'networking.k8s.io/ingresses': {
    spec: object({ defaultBackend: object({ resource: atomicObject, service: object({ port: atomicObject }) }) }),
  },
  'networking.k8s.io/servicecidrs': { status: withConditions },
  'rbac.authorization.k8s.io/rolebindings': binding,
  'rbac.authorization.k8s.io/clusterrolebindings': binding,
  'storage.k8s.io/csidrivers': { spec: object({ volumeLifecycleModes: scalarSet }) },
  'storage.k8s.io/csinodes': { spec: object({ drivers: listBy('name') }) },
  'flowcontrol.apiserver.k8s.io/flowschemas': { status: withConditions },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': { status: withConditions },
  'admissionregistration.k8s.io/validatingwebhookconfigurations': { webhooks },
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': { webhooks },
  'admissionregistration.k8s.io/validatingadmissionpolicies': {
    spec: object({
      matchConditions: listBy('name'),
      variables: listBy('name', atomicObject),
      paramKind: atomicObject,
      matchConstraints: atomicObject,
    }),
    status: object({ conditions: conditionsOfApply }),
  },
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': {
    spec: object({ validationActions: scalarSet, paramRef: atomicObject, matchResources: atomicObject }),
  },
  'certificates.k8s.io/certificatesigningrequests': { status: object({ conditions: conditionsOfApply }) },
  'resource.k8s.io/resourceclaims': {
    status: object({
      reservedFor: listBy('uid'),
      devices: { keys: ['driver', 'device', 'pool', 'shareID'], items: object({ conditions: conditionsOfApply }) },
    }),
  },
  'apiextensions.k8s.io/customresourcedefinitions': { status: object({ conditions: conditionsOfApply }) },
  'apiregistration.k8s.io/apiservices': { status: withConditions },
};

const built = new Map<string, FieldShape>();

/** How objects of a built-in kind are merged, by group and plural. */
export function builtInShape(group: string, plural: string): FieldShape {
  const id = `${group}/${plural}`;
  let shape = built.get(id);
  if (shape === undefined) {
    shape = object({ metadata: metadataShape, ...(Object.hasOwn(shapes, id) ? shapes[id] : {}) });
    built.set(id, shape);
  }
  return shape;
}
