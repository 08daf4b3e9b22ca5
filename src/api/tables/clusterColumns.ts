import { fieldAt, labelText, listAt, numberAt, textAt } from './fieldAt.js';
import { humanDuration } from './humanDuration.js';
import { ageColumn, column, nameColumn, type TableColumn } from './tableColumn.js';

const none = '<none>';
const unset = '<unset>';

const text =
  (...path: readonly string[]): TableColumn['cell'] =>
  (object) =>
    textAt(object, ...path);

/** A boolean with a value for its absence. */
const flag =
  (absent: boolean, ...path: readonly string[]): TableColumn['cell'] =>
  (object) =>
    (fieldAt(object, ...path) ?? absent) === true;

const count =
  (...path: readonly string[]): TableColumn['cell'] =>
  (object) =>
    listAt(object, ...path).length;

/** A number, or `<none>`. */
const numberOrNone =
  (...path: readonly string[]): TableColumn['cell'] =>
  (object) => {
    const value = fieldAt(object, ...path);
    return typeof value === 'number' ? value : none;
  };

const paramKind: TableColumn = column('ParamKind', (policy) => {
  const kind = fieldAt(policy, 'spec', 'paramKind');
  return kind === undefined ? unset : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
});

function paramName(binding: unknown): string {
  const name = textAt(binding, 'spec', 'paramRef', 'name');
  return name === '' ? unset : `${textAt(binding, 'spec', 'paramRef', 'namespace') || '*'}/${name}`;
}

const policyBindingColumns: readonly TableColumn[] = [
  nameColumn,
  column('PolicyName', text('spec', 'policyName')),
  column('ParamRef', paramName),
  ageColumn,
];

const policyColumns = (name: string, list: string): readonly TableColumn[] => [
  nameColumn,
  column(name, count('spec', list), '', 'integer'),
  paramKind,
  ageColumn,
];

function audiences(driver: unknown): string {
  if (fieldAt(driver, 'spec', 'tokenRequests') === undefined) return unset;
  return listAt(driver, 'spec', 'tokenRequests')
    .map((request) => textAt(request, 'audience'))
    .join(',');
}

/** The state of a certificate signing request. */
function requestState(request: unknown): string {
  const types = new Set(listAt(request, 'status', 'conditions').map((condition) => textAt(condition, 'type')));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const issued = textAt(request, 'status', 'certificate') === '' ? '' : ',Issued';
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${issued}`;
}

function requestedDuration(request: unknown): string {
  const seconds = fieldAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1_000) : none;
}

function controllerName(revision: unknown): string {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find((one) => fieldAt(one, 'controller') === true);
  if (owner === undefined) return none;
  const [group = '', version] = textAt(owner, 'apiVersion').split('/');
  return `${textAt(owner, 'kind').toLowerCase()}${version === undefined ? '' : `.${group}`}/${textAt(owner, 'name')}`;
}

function danglingState(schema: unknown): string {
  const dangling = listAt(schema, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Dangling');
  return textAt(dangling, 'status') || '?';
}

function parentName(address: unknown): string {
  const parent = fieldAt(address, 'spec', 'parentRef');
  if (parent === undefined) return none;
  const group = textAt(parent, 'group');
  const namespace = textAt(parent, 'namespace');
  const resource = `${textAt(parent, 'resource')}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return [resource, ...(namespace === '' ? [] : [namespace]), textAt(parent, 'name')].join('/');
}

/** The state of a resource claim. */
function claimState(claim: unknown): string {
  const states: string[] = [];
  if (textAt(claim, 'metadata', 'deletionTimestamp') !== '') states.push('deleted');
  if (fieldAt(claim, 'status', 'allocation') === undefined) return [...states, 'pending'].join(',');
  states.push('allocated', ...(listAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : []));
  return states.join(',');
}

const limited = ['spec', 'limited'] as const;
const queuing = [...limited, 'limitResponse', 'queuing'] as const;

/**
 * The columns of kinds that administrators and drivers write, by `plural.group`.
 */
export const clusterColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  'csidrivers.storage.k8s.io': [
    nameColumn,
    column('AttachRequired', flag(true, 'spec', 'attachRequired'), '', 'boolean'),
    column('PodInfoOnMount', flag(false, 'spec', 'podInfoOnMount'), '', 'boolean'),
    column('StorageCapacity', flag(false, 'spec', 'storageCapacity'), '', 'boolean'),
    column('TokenRequests', audiences),
    column('RequiresRepublish', flag(false, 'spec', 'requiresRepublish'), '', 'boolean'),
    column('Modes', (driver) => listAt(driver, 'spec', 'volumeLifecycleModes').join(',') || none),
    ageColumn,
  ],
  'csinodes.storage.k8s.io': [nameColumn, column('Drivers', count('spec', 'drivers'), '', 'integer'), ageColumn],
  'csistoragecapacities.storage.k8s.io': [
    nameColumn,
    column('StorageClassName', text('storageClassName')),
    column('Capacity', text('capacity')),
  ],
  'volumeattachments.storage.k8s.io': [
    nameColumn,
    { ...column('Attacher', text('spec', 'attacher')), format: 'name' },
    column('PV', text('spec', 'source', 'persistentVolumeName')),
    column('Node', text('spec', 'nodeName')),
    column('Attached', flag(false, 'status', 'attached'), '', 'boolean'),
    ageColumn,
  ],
  'volumeattributesclasses.storage.k8s.io': [nameColumn, column('DriverName', text('driverName')), ageColumn],
  'validatingadmissionpolicies.admissionregistration.k8s.io': policyColumns('Validations', 'validations'),
  'mutatingadmissionpolicies.admissionregistration.k8s.io': policyColumns('Mutations', 'mutations'),
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingColumns,
  'flowschemas.flowcontrol.apiserver.k8s.io': [
    nameColumn,
    column('PriorityLevel', text('spec', 'priorityLevelConfiguration', 'name')),
    column('MatchingPrecedence', (schema) => numberAt(schema, 'spec', 'matchingPrecedence')),
    column('DistinguisherMethod', (schema) => textAt(schema, 'spec', 'distinguisherMethod', 'type') || none),
    ageColumn,
    column('MissingPL', danglingState),
  ],
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': [
    nameColumn,
    column('Type', text('spec', 'type')),
    column('NominalConcurrencyShares', numberOrNone(...limited, 'nominalConcurrencyShares')),
    column('Queues', numberOrNone(...queuing, 'queues')),
    column('HandSize', numberOrNone(...queuing, 'handSize')),
    column('QueueLengthLimit', numberOrNone(...queuing, 'queueLengthLimit')),
    ageColumn,
  ],
  'controllerrevisions.apps': [
    nameColumn,
    column('Controller', controllerName),
    column('Revision', (revision) => numberAt(revision, 'revision')),
    ageColumn,
  ],
  'certificatesigningrequests.certificates.k8s.io': [
    nameColumn,
    ageColumn,
    column('SignerName', (request) => textAt(request, 'spec', 'signerName') || none),
    column('Requestor', text('spec', 'username')),
    column('RequestedDuration', requestedDuration),
    column('Condition', requestState),
  ],
  'clustertrustbundles.certificates.k8s.io': [nameColumn, column('SignerName', (bundle) => textAt(bundle, 'spec', 'signerName') || none)],
  'leasecandidates.coordination.k8s.io': [
    nameColumn,
    column('LeaseName', text('spec', 'leaseName')),
    column('BinaryVersion', text('spec', 'binaryVersion')),
    column('EmulationVersion', text('spec', 'emulationVersion')),
    ageColumn,
  ],
  'runtimeclasses.node.k8s.io': [nameColumn, column('Handler', text('handler')), ageColumn],
  'ipaddresses.networking.k8s.io': [nameColumn, column('ParentRef', parentName), ageColumn],
  'servicecidrs.networking.k8s.io': [nameColumn, column('CIDRs', (range) => listAt(range, 'spec', 'cidrs').join(',')), ageColumn],
  'resourceclaims.resource.k8s.io': [nameColumn, column('State', claimState), ageColumn],
  'resourceslices.resource.k8s.io': [
    nameColumn,
    column('Node', text('spec', 'nodeName')),
    column('Driver', text('spec', 'driver')),
    column('Pool', text('spec', 'pool', 'name')),
    ageColumn,
  ],
  podtemplates: [
    nameColumn,
    column('Containers', (template) => containersOf(template, 'name')),
    column('Images', (template) => containersOf(template, 'image')),
    column('Pod Labels', (template) => labelText(template, 'template', 'metadata', 'labels')),
  ],
};

function containersOf(template: unknown, field: 'name' | 'image'): string {
  return listAt(template, 'template', 'spec', 'containers')
    .map((container) => textAt(container, field))
    .join(',');
}
