import { entryOf, resourceName, textAt } from 'rx-informer/internal';
import { cells } from './cells.js';
import { parseJsonPath } from './jsonPath.js';
import { ageColumn, column, createdAtColumn, nameColumn, type TableColumn } from './tableColumn.js';

const template = `+Containers = .spec.template.spec.containers[*].name | +Images = .spec.template.spec.containers[*].image`;
const policyBinding = 'Name | PolicyName = .spec.policyName | ParamRef = paramName | Age';
const binding = 'Name | Role = role | Age | +Users = users | +Groups = groups | +ServiceAccounts = serviceAccounts';
const webhooks = 'Name | Webhooks:integer = count .webhooks | Age';
const created = 'Name | Created At';
const events = `Last Seen = lastSeen # When it happened last. | Type = .type | Reason = .reason | Object = eventObject
    | +Subobject = .involvedObject.fieldPath | +Source = eventSource | Message = eventMessage | +First Seen = firstSeen | +Count = eventCount | +Name`;

/**
 * The columns of built-in kinds, those of kubectl. A column is `[+]Header[:type] = cell [?? otherwise] [# description]`, `+` for those of
 * `-o wide`. A cell is a name in `cells`, or the values at a path, as one text; `number`, `count`, `flag` and `first` before the path
 * take the number, the length of a list, a boolean, and the first value alone.
 */
const tables: Readonly<Record<string, string>> = {
  pods: `Name | Ready = readyContainers # How many of its containers are ready. | Status = podStatus # What its containers are doing, taken together.
    | Restarts = restarts # How often its containers were started again. | Age | +IP = .status.podIP ?? <none> | +Node = .spec.nodeName ?? <none>
    | +Nominated Node = .status.nominatedNodeName ?? <none> | +Readiness Gates = readinessGates`,
  services: `Name | Type = .spec.type ?? ClusterIP | Cluster-IP = .spec.clusterIP ?? <none> | External-IP = externalIp | Port(s) = servicePorts
    | Age | +Selector = labelSelector`,
  namespaces: 'Name | Status = .status.phase | Age',
  nodes: `Name | Status = nodeStatus | Roles = nodeRoles | Age | Version = .status.nodeInfo.kubeletVersion
    | +Internal-IP = first .status.addresses[?(@.type=="InternalIP")].address ?? <none>
    | +External-IP = first .status.addresses[?(@.type=="ExternalIP")].address ?? <none> | +OS-Image = .status.nodeInfo.osImage ?? <unknown>
    | +Kernel-Version = .status.nodeInfo.kernelVersion ?? <unknown> | +Container-Runtime = .status.nodeInfo.containerRuntimeVersion ?? <unknown>`,
  events,
  'events.events.k8s.io': events,
  secrets: 'Name | Type = .type | Data = dataCount # How many entries it has. | Age',
  configmaps: 'Name | Data = dataCount # How many entries it has. | Age',
  endpoints: 'Name | Endpoints = endpoints | Age',
  persistentvolumeclaims: `Name | Status = .status.phase | Volume = .spec.volumeName | Capacity = .status.capacity.storage
    | Access Modes = claimModes | StorageClass = .spec.storageClassName
    | VolumeAttributesClass = .spec.volumeAttributesClassName ?? <unset> | Age | +VolumeMode = .spec.volumeMode ?? <unset>`,
  persistentvolumes: `Name | Capacity = .spec.capacity.storage | Access Modes = volumeModes
    | Reclaim Policy = .spec.persistentVolumeReclaimPolicy | Status = .status.phase | Claim = claimRef | StorageClass = .spec.storageClassName
    | VolumeAttributesClass = .spec.volumeAttributesClassName ?? <unset> | Reason = .status.reason | Age | +VolumeMode = .spec.volumeMode ?? <unset>`,
  replicationcontrollers: `Name | Desired:integer = number .spec.replicas | Current:integer = number .status.replicas
    | Ready:integer = number .status.readyReplicas | Age | ${template} | +Selector = labelSelector`,
  resourcequotas: 'Name | Request = requestQuota | Limit = limitQuota | Age',
  componentstatuses: `Name | Status = componentStatus | Message = first .conditions[?(@.type=="Healthy")].message
    | Error = first .conditions[?(@.type=="Healthy")].error`,
  limitranges: created,
  podtemplates: `Name | Containers = .template.spec.containers[*].name | Images = .template.spec.containers[*].image | Pod Labels = templateLabels`,
  'deployments.apps': `Name | Ready = readyReplicas # How many of the wanted pods are ready.
    | Up-to-date = number .status.updatedReplicas # How many pods have the wanted template.
    | Available = number .status.availableReplicas # How many pods have been ready long enough. | Age | ${template} | +Selector = selector`,
  'replicasets.apps': `Name | Desired:integer = replicas | Current:integer = number .status.replicas
    | Ready:integer = number .status.readyReplicas | Age | ${template} | +Selector = selector`,
  'statefulsets.apps': `Name | Ready = readyReplicas | Age | ${template}`,
  'daemonsets.apps': `Name | Desired:integer = number .status.desiredNumberScheduled | Current:integer = number .status.currentNumberScheduled
    | Ready:integer = number .status.numberReady | Up-to-date:integer = number .status.updatedNumberScheduled
    | Available:integer = number .status.numberAvailable | Node Selector = nodeSelector | Age | ${template} | +Selector = selector`,
  'controllerrevisions.apps': 'Name | Controller = controllerName | Revision = number .revision | Age',
  'jobs.batch': `Name | Status = jobStatus | Completions = completions | Duration = jobDuration | Age | ${template} | +Selector = selector`,
  'cronjobs.batch': `Name | Schedule = .spec.schedule | Timezone = .spec.timeZone ?? <none> | Suspend:boolean = suspended
    | Active:integer = count .status.active | Last Schedule = lastSchedule | Age
    | +Containers = .spec.jobTemplate.spec.template.spec.containers[*].name | +Images = .spec.jobTemplate.spec.template.spec.containers[*].image
    | +Selector = jobSelector`,
  'leases.coordination.k8s.io': 'Name | Holder = .spec.holderIdentity | Age',
  'leasecandidates.coordination.k8s.io': `Name | LeaseName = .spec.leaseName | BinaryVersion = .spec.binaryVersion
    | EmulationVersion = .spec.emulationVersion | Age`,
  'ingresses.networking.k8s.io': `Name | Class = .spec.ingressClassName ?? <none> | Hosts = ingressHosts | Address = ingressAddress
    | Ports = ingressPorts | Age`,
  'networkpolicies.networking.k8s.io': 'Name | Pod-Selector = podSelector | Age',
  'ingressclasses.networking.k8s.io': 'Name = defaultName | Controller = .spec.controller | Parameters = ingressParameters | Age',
  'ipaddresses.networking.k8s.io': 'Name | ParentRef = parentName | Age',
  'servicecidrs.networking.k8s.io': 'Name | CIDRs = .spec.cidrs[*] | Age',
  'endpointslices.discovery.k8s.io': 'Name | AddressType = .addressType | Ports = slicePorts | Endpoints = sliceEndpoints | Age',
  'horizontalpodautoscalers.autoscaling': `Name | Reference = scaleTarget | Targets = hpaTargets | MinPods = .spec.minReplicas ?? <unset>
    | MaxPods = number .spec.maxReplicas | Replicas = number .status.currentReplicas | Age`,
  'scales.autoscaling': 'Name | Desired:integer = number .spec.replicas | Available:integer = number .status.replicas | Age',
  'poddisruptionbudgets.policy': `Name | Min Available = .spec.minAvailable ?? N/A | Max Unavailable = .spec.maxUnavailable ?? N/A
    | Allowed Disruptions:integer = number .status.disruptionsAllowed | Age`,
  'roles.rbac.authorization.k8s.io': created,
  'clusterroles.rbac.authorization.k8s.io': created,
  'rolebindings.rbac.authorization.k8s.io': binding,
  'clusterrolebindings.rbac.authorization.k8s.io': binding,
  'customresourcedefinitions.apiextensions.k8s.io': created,
  'apiservices.apiregistration.k8s.io': 'Name | Service = apiService | Available = availability | Age',
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhooks,
  'validatingadmissionpolicies.admissionregistration.k8s.io': `Name | Validations:integer = count .spec.validations | ParamKind = paramKind | Age`,
  'mutatingadmissionpolicies.admissionregistration.k8s.io':
    'Name | Mutations:integer = count .spec.mutations | ParamKind = paramKind | Age',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBinding,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBinding,
  'storageclasses.storage.k8s.io': `Name = defaultName | Provisioner = .provisioner | ReclaimPolicy = .reclaimPolicy ?? Delete
    | VolumeBindingMode = .volumeBindingMode ?? Immediate | AllowVolumeExpansion = flag .allowVolumeExpansion | Age`,
  'csidrivers.storage.k8s.io': `Name | AttachRequired:boolean = flag .spec.attachRequired ?? true | PodInfoOnMount:boolean = flag .spec.podInfoOnMount
    | StorageCapacity:boolean = flag .spec.storageCapacity | TokenRequests = .spec.tokenRequests[*].audience ?? <unset>
    | RequiresRepublish:boolean = flag .spec.requiresRepublish | Modes = .spec.volumeLifecycleModes[*] ?? <none> | Age`,
  'csinodes.storage.k8s.io': 'Name | Drivers:integer = count .spec.drivers | Age',
  'csistoragecapacities.storage.k8s.io': created,
  'volumeattachments.storage.k8s.io': `Name | Attacher:name = .spec.attacher | PV = .spec.source.persistentVolumeName | Node = .spec.nodeName
    | Attached:boolean = flag .status.attached | Age`,
  'volumeattributesclasses.storage.k8s.io': 'Name | DriverName = .driverName | Age',
  'priorityclasses.scheduling.k8s.io': `Name | Value:integer = number .value | Global-Default:boolean = flag .globalDefault | Age
    | PreemptionPolicy = .preemptionPolicy`,
  'flowschemas.flowcontrol.apiserver.k8s.io': `Name | PriorityLevel = .spec.priorityLevelConfiguration.name
    | MatchingPrecedence = number .spec.matchingPrecedence | DistinguisherMethod = .spec.distinguisherMethod.type ?? <none> | Age
    | MissingPL = first .status.conditions[?(@.type=="Dangling")].status ?? ?`,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': `Name | Type = .spec.type
    | NominalConcurrencyShares = number .spec.limited.nominalConcurrencyShares ?? <none>
    | Queues = number .spec.limited.limitResponse.queuing.queues ?? <none> | HandSize = number .spec.limited.limitResponse.queuing.handSize ?? <none>
    | QueueLengthLimit = number .spec.limited.limitResponse.queuing.queueLengthLimit ?? <none> | Age`,
  'certificatesigningrequests.certificates.k8s.io': `Name | Age | SignerName = .spec.signerName ?? <none> | Requestor = .spec.username
    | RequestedDuration = requestedDuration | Condition = requestState`,
  'clustertrustbundles.certificates.k8s.io': 'Name | SignerName = .spec.signerName ?? <none>',
  'runtimeclasses.node.k8s.io': 'Name | Handler = .handler | Age',
  'resourceclaims.resource.k8s.io': 'Name | State = claimState | Age',
  'resourceslices.resource.k8s.io': 'Name | Node = .spec.nodeName | Driver = .spec.driver | Pool = .spec.pool.name | Age',
};

type Operator = (found: readonly unknown[], otherwise: string | undefined) => string | number | boolean;

const operators: Readonly<Record<string, Operator>> = {
  text: (found, otherwise = '') => found.map((value) => textAt(value)).join(',') || otherwise,
  first: ([value], otherwise = '') => textAt(value) || otherwise,
  number: ([value], otherwise?: string) => (typeof value === 'number' ? value : (otherwise ?? 0)),
  count: ([value]) => (Array.isArray(value) ? value.length : 0),
  flag: ([value], otherwise) => (value ?? otherwise === 'true') === true,
};

function cellOf(text: string): TableColumn['cell'] {
  const known = cells[text];
  if (known !== undefined) return known;
  const [, operator = 'text', path = '', otherwise] = /^(?:(\w+) )?(\.\S+)(?: \?\? (.+))?$/.exec(text) ?? [];
  // Each item of a list has its place, also one without the field.
  const [, list = path, field] = /^(.+\[\*\])(\..+)$/.exec(path) ?? [];
  const select = parseJsonPath(list);
  const fieldOf = field === undefined ? undefined : parseJsonPath(field);
  const found = (object: unknown): unknown[] => (fieldOf === undefined ? select(object) : select(object).map((item) => fieldOf(item)[0]));
  return (object) => (operators[operator] as Operator)(found(object), otherwise);
}

function columnOf(text: string): TableColumn {
  const [, wide, name = '', type, cell, description] = /^(\+?)([^:=#]+?)(?::(\w+))?(?: = ([^#]+?))?(?: # (.+))?$/.exec(text) ?? [];
  const known = { Name: nameColumn, Age: ageColumn, 'Created At': createdAtColumn }[name] ?? column(name, () => '');
  const kind = type === undefined ? {} : type === 'name' ? { format: type } : { type: type as TableColumn['type'] };
  return {
    ...known,
    ...kind,
    ...(cell !== undefined && { cell: cellOf(cell) }),
    ...(description !== undefined && { description }),
    priority: wide === '' ? 0 : 1,
  };
}

const known = new Map<string, readonly TableColumn[]>();

/** The columns of the table of a resource: those of kubectl for built-in kinds, name and age for others. */
export function columnsOf(resource: { readonly group: string; readonly plural: string }): readonly TableColumn[] {
  const name = resourceName(resource);
  const table = Object.hasOwn(tables, name) ? (tables[name] as string) : 'Name | Age';
  return entryOf(known, table, () => table.split(/\s*\| /).map((text) => columnOf(text.trim())));
}
