import type { NameSyntax } from '../write/nameProblem.js';
import type { KindRules } from './servedResource.js';
import { firstPodStatus } from './completePod.js';
import { definitionStatus } from './definitionStatus.js';
import { admissions } from './admissions.js';
import { completions, keptOnUpdate } from './completions.js';
import { selectableFields } from './selectableFields.js';

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

// Keys are `group/plural`; the core group is empty.
const generation =
  setOf(`/pods /replicationcontrollers apps/deployments apps/replicasets apps/statefulsets apps/daemonsets batch/jobs batch/cronjobs
  networking.k8s.io/ingresses networking.k8s.io/ingressclasses networking.k8s.io/networkpolicies policy/poddisruptionbudgets discovery.k8s.io/endpointslices
  apiextensions.k8s.io/customresourcedefinitions admissionregistration.k8s.io/validatingwebhookconfigurations
  admissionregistration.k8s.io/mutatingwebhookconfigurations admissionregistration.k8s.io/validatingadmissionpolicies
  admissionregistration.k8s.io/validatingadmissionpolicybindings admissionregistration.k8s.io/mutatingadmissionpolicies
  admissionregistration.k8s.io/mutatingadmissionpolicybindings scheduling.k8s.io/priorityclasses /podtemplates
  resource.k8s.io/resourceslices resource.k8s.io/deviceclasses resource.k8s.io/devicetaintrules
  flowcontrol.apiserver.k8s.io/flowschemas flowcontrol.apiserver.k8s.io/prioritylevelconfigurations`);

const versionedUpdates = setOf(`coordination.k8s.io/leases coordination.k8s.io/leasecandidates policy/poddisruptionbudgets
  admissionregistration.k8s.io/validatingwebhookconfigurations admissionregistration.k8s.io/mutatingwebhookconfigurations
  admissionregistration.k8s.io/validatingadmissionpolicies admissionregistration.k8s.io/validatingadmissionpolicybindings
  admissionregistration.k8s.io/mutatingadmissionpolicies admissionregistration.k8s.io/mutatingadmissionpolicybindings
  certificates.k8s.io/clustertrustbundles node.k8s.io/runtimeclasses storage.k8s.io/csidrivers storage.k8s.io/csinodes
  storage.k8s.io/csistoragecapacities storage.k8s.io/volumeattachments apiextensions.k8s.io/customresourcedefinitions
  apiregistration.k8s.io/apiservices`);

const createOnUpdate =
  setOf(`coordination.k8s.io/leases coordination.k8s.io/leasecandidates /events events.k8s.io/events /endpoints /services /limitranges
  rbac.authorization.k8s.io/roles rbac.authorization.k8s.io/rolebindings rbac.authorization.k8s.io/clusterroles
  rbac.authorization.k8s.io/clusterrolebindings node.k8s.io/runtimeclasses`);

const deleteReturnsObject = setOf(`/pods /services /namespaces /persistentvolumeclaims /persistentvolumes /serviceaccounts /resourcequotas
  /podtemplates storage.k8s.io/storageclasses storage.k8s.io/csidrivers storage.k8s.io/csinodes storage.k8s.io/volumeattachments
  storage.k8s.io/volumeattributesclasses resource.k8s.io/resourceclaimtemplates resource.k8s.io/resourceslices resource.k8s.io/resourceclaims
  resource.k8s.io/deviceclasses resource.k8s.io/devicetaintrules`);

const labelNames = setOf('/namespaces /services apps/statefulsets');

/** Kinds whose names are not validated. */
const anyName = setOf('/events events.k8s.io/events policy/poddisruptionbudgets certificates.k8s.io/certificatesigningrequests');

/** Kinds whose name may be missing. */
const nameless = setOf('/events events.k8s.io/events /limitranges');

/** Kinds whose finalizers are not validated on updates. */
const anyFinalizerLater =
  setOf(`/events events.k8s.io/events policy/poddisruptionbudgets coordination.k8s.io/leases node.k8s.io/runtimeclasses
  admissionregistration.k8s.io/validatingadmissionpolicies admissionregistration.k8s.io/validatingadmissionpolicybindings
  admissionregistration.k8s.io/mutatingadmissionpolicies admissionregistration.k8s.io/mutatingadmissionpolicybindings`);

/** Kinds whose updates are validated like new objects. */
const wholeOnUpdate = setOf(`/configmaps /secrets /serviceaccounts /endpoints /persistentvolumes /persistentvolumeclaims
  discovery.k8s.io/endpointslices flowcontrol.apiserver.k8s.io/flowschemas networking.k8s.io/ingressclasses storage.k8s.io/csinodes
  storage.k8s.io/volumeattachments storage.k8s.io/volumeattributesclasses certificates.k8s.io/clustertrustbundles
  rbac.authorization.k8s.io/roles rbac.authorization.k8s.io/rolebindings rbac.authorization.k8s.io/clusterroles
  rbac.authorization.k8s.io/clusterrolebindings`);

/** Kinds whose dependents are orphaned by default, as before the garbage collector existed. */
const orphaning = setOf('/replicationcontrollers batch/jobs');

const keepsMeta =
  setOf(`storage.k8s.io/volumeattachments networking.k8s.io/servicecidrs admissionregistration.k8s.io/validatingadmissionpolicies
  flowcontrol.apiserver.k8s.io/flowschemas flowcontrol.apiserver.k8s.io/prioritylevelconfigurations resource.k8s.io/resourceclaims`);

const ownUnknownField = setOf(`/pods /nodes /namespaces /events events.k8s.io/events /secrets /services /replicationcontrollers
  certificates.k8s.io/certificatesigningrequests`);

const initialStatus: Readonly<Record<string, KindRules['initialStatus']>> = {
  '/pods': firstPodStatus,
  '/namespaces': { phase: 'Active' },
  // Records since when a volume has been pending.
  '/persistentvolumes': (_, now) => ({ phase: 'Pending', lastPhaseTransitionTime: now }),
  '/persistentvolumeclaims': { phase: 'Pending' },
  'apiextensions.k8s.io/customresourcedefinitions': definitionStatus,
};

const keepsSentStatus = setOf('/nodes apiregistration.k8s.io/apiservices');

function nameSyntaxOf(id: string, group: string): NameSyntax {
  if (labelNames.has(id)) return 'label';
  if (id === 'networking.k8s.io/ipaddresses') return 'address';
  return anyName.has(id) || group === 'rbac.authorization.k8s.io' ? 'path' : 'subdomain';
}

/** The rules of a built-in kind. */
export function rulesOf(group: string, plural: string, status: boolean): KindRules {
  const id = `${group}/${plural}`;
  const fields = selectableFields[id];
  const complete = completions[id];
  const keepOnUpdate = keptOnUpdate[id];
  const admit = admissions[id];
  return {
    generation: generation.has(id),
    versionedUpdates: versionedUpdates.has(id),
    wholeOnUpdate: wholeOnUpdate.has(id),
    createOnUpdate: createOnUpdate.has(id),
    deleteReturnsObject: deleteReturnsObject.has(id),
    gracefulDeletion: id === '/pods',
    anyFinalizer: group === 'apiextensions.k8s.io' || (anyFinalizerLater.has(id) && 'onUpdate'),
    orphans: orphaning.has(id),
    nameless: nameless.has(id),
    keepsMeta: keepsMeta.has(id),
    unknownField:
      id === 'batch/jobs' ? 'ofKind' : id === 'resource.k8s.io/resourceslices' ? 'ofVersion' : ownUnknownField.has(id) ? 'plain' : 'listed',
    nameSyntax: nameSyntaxOf(id, group),
    ...(status && !keepsSentStatus.has(id) && { initialStatus: initialStatus[id] ?? {} }),
    ...(fields !== undefined && { fields }),
    ...(complete !== undefined && { complete }),
    ...(keepOnUpdate !== undefined && { keepOnUpdate }),
    ...(admit !== undefined && { admit }),
  };
}

/** The rules of every custom resource. */
export function customRules(status: boolean): KindRules {
  return {
    generation: true,
    versionedUpdates: true,
    anyFinalizer: true,
    unknownField: 'plain',
    nameSyntax: 'subdomain',
    ...(status && { initialStatus: 'none' }),
  };
}
