import { asJsonObject, asString, isJsonArray, jsonEqual, valueAt, type Json, type JsonObject } from '../json.js';
import { duplicate, forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { choiceErrors, immutableErrors, isFilled, itemsOf, nameErrors, qualifiedNameErrors } from './fieldChecks.js';
import { cidrErrors } from './addressErrors.js';
import { podAnnotationErrors } from './podAnnotationErrors.js';
import { podSpecErrors, tolerationErrors } from './podErrors.js';
import { driverErrors } from './podVolumeErrors.js';
import { resourceNameErrors } from './resourceErrors.js';
import { labelErrors } from './selectorErrors.js';

type Findings = Generator<FieldError, void, undefined>;

function* taintErrors(list: Json | undefined, path: string): Findings {
  const seen = new Set<string>();
  for (const [{ key, value, effect }, at] of itemsOf(list, path)) {
    yield* qualifiedNameErrors(asString(key), `${at}.key`);
    yield* nameErrors('labelValue', asString(value), `${at}.value`);
    if (asString(effect) === '') yield required(`${at}.effect`);
    else yield* choiceErrors(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${at}.effect`);
    const id = `${asString(key)} ${asString(effect)}`;
    if (seen.has(id)) {
      const shown = JSON.stringify({ Key: key ?? '', Value: value ?? '', Effect: effect ?? '', TimeAdded: null });
      yield duplicate(at, `${shown}: taints must be unique by key and effect pair`);
    }
    seen.add(id);
  }
}

/** Validation errors of a node. */
export function* nodeErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const { taints, podCIDR, podCIDRs, providerID } = asJsonObject(after['spec']);
  // The API server reports taints under `metadata`.
  yield* taintErrors(taints, 'metadata.taints');
  const listed = isJsonArray(podCIDRs) ? podCIDRs : [];
  // The older field `podCIDR` wins.
  const ranges = podCIDR === undefined || podCIDR === listed[0] ? listed : [podCIDR];
  for (const [at, range] of ranges.entries()) yield* cidrErrors(asString(range), `spec.podCIDRs[${String(at)}]`);
  const families = ranges.map((range) => asString(range).includes(':'));
  if (ranges.length > new Set(families).size)
    yield invalidValue('spec.podCIDRs', JSON.stringify(ranges), 'may specify no more than one CIDR for each IP family');
  if (before === undefined) return;
  const was = asJsonObject(before['spec']);
  if (isFilled(was['podCIDRs']) && !jsonEqual(was['podCIDRs'], ranges))
    yield forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid');
  if (asString(was['providerID']) !== '' && was['providerID'] !== providerID)
    yield forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid');
}

/** Validation errors of a PodTemplate. */
export function* podTemplateErrors(after: StoredContent): Findings {
  yield* labelErrors(valueAt(after, 'template', 'metadata', 'labels'), 'template.labels');
  yield* podAnnotationErrors(after['template'], 'template.annotations');
  yield* podSpecErrors(valueAt(after, 'template', 'spec'), 'template.spec');
}

/** Validation errors of a RuntimeClass. */
export function* runtimeClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  for (const [name, amount] of Object.entries(asJsonObject(valueAt(after, 'overhead', 'podFixed')))) {
    yield* resourceNameErrors(name, `overhead.limits[${name}]`);
    if (asString(amount).startsWith('-'))
      yield invalidValue(`overhead.limits[${name}]`, JSON.stringify(amount), 'must be greater than or equal to 0');
  }
  yield* labelErrors(valueAt(after, 'scheduling', 'nodeSelector'), 'scheduling.nodeSelector');
  yield* tolerationErrors(valueAt(after, 'scheduling', 'tolerations'), 'scheduling.tolerations');
  if (before !== undefined)
    yield* immutableErrors([before['handler'], after['handler']], 'handler', (value) => JSON.stringify(value ?? ''));
}

/** Validation errors of a StorageClass: its provisioning fields are immutable. */
export function* storageClassErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const seen = new Set<string>();
  for (const [topology, at] of itemsOf(after['allowedTopologies'], 'allowedTopologies')) {
    const id = JSON.stringify(topology['matchLabelExpressions'] ?? null);
    if (seen.has(id)) yield duplicate(`${at}.matchLabelExpressions`, '""');
    seen.add(id);
  }
  const { parameters = {} } = after;
  if (asJsonObject(parameters)[''] !== undefined) yield invalidValue('parameters', '""', 'field can not be empty.');
  if (before === undefined) return;
  if (!jsonEqual(before['parameters'] ?? {}, parameters))
    yield invalidValue('parameters', JSON.stringify(parameters), 'field is immutable');
  for (const name of ['provisioner', 'reclaimPolicy', 'volumeBindingMode'])
    yield* immutableErrors([before[name], after[name]], name, (value) => JSON.stringify(value ?? ''));
}

/** Validation errors of a CSIDriver. */
export function* storageDriverErrors(after: StoredContent): Findings {
  const { volumeLifecycleModes: modes, fsGroupPolicy, tokenRequests } = asJsonObject(after['spec']);
  for (const mode of isJsonArray(modes) ? modes : [])
    if (mode !== 'Persistent' && mode !== 'Ephemeral')
      yield notSupported('spec.volumeLifecycleModes', JSON.stringify(mode), ['Persistent', 'Ephemeral']);
  yield* choiceErrors(fsGroupPolicy, ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy');
  const audiences = new Set<string>();
  for (const [{ audience, expirationSeconds: seconds }, at] of itemsOf(tokenRequests, 'spec.tokenRequests')) {
    const name = asString(audience);
    if (audiences.has(name)) yield duplicate(`${at}.audience`, JSON.stringify(name));
    else if (typeof seconds === 'number' && seconds < 600)
      yield invalidValue(`${at}.expirationSeconds`, String(seconds), 'may not specify a duration less than 10 minutes');
    audiences.add(name);
  }
}

/** Validation errors of a CSINode. */
export function* storageNodeErrors(after: StoredContent): Findings {
  const names = new Set<string>();
  for (const [driver, at] of itemsOf(valueAt(after, 'spec', 'drivers'), 'spec.drivers')) {
    const name = asString(driver['name']);
    if (name !== '') yield* driverErrors(name, `${at}.name`);
    if (names.has(name)) yield duplicate(`${at}.name`, JSON.stringify(name));
    names.add(name);
    const keys = new Set<string>();
    for (const key of isJsonArray(driver['topologyKeys']) ? driver['topologyKeys'].map(asString) : []) {
      yield* qualifiedNameErrors(key, at);
      if (keys.has(key)) yield duplicate(at, JSON.stringify(key));
      keys.add(key);
    }
  }
}

/** Validation errors of a VolumeAttachment. */
export function* attachmentErrors(after: StoredContent): Findings {
  const attacher = asString(valueAt(after, 'spec', 'attacher'));
  if (attacher !== '') yield* driverErrors(attacher, 'spec.attacher');
}

function shownParent({ group = '', resource = '', namespace = '', name = '' }: JsonObject): string {
  return JSON.stringify({ Group: group, Resource: resource, Namespace: namespace, Name: name });
}

/** Validation errors of an IPAddress: its parent reference is immutable. */
export function* ipAddressErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  const parent = asJsonObject(valueAt(after, 'spec', 'parentRef'));
  for (const name of ['resource', 'name', 'namespace'])
    if (asString(parent[name]) !== '') yield* nameErrors('path', asString(parent[name]), `spec.parentRef.${name}`);
  if (before !== undefined)
    yield* immutableErrors([valueAt(before, 'spec', 'parentRef'), valueAt(after, 'spec', 'parentRef')], 'spec.parentRef', (value) =>
      value === undefined ? 'null' : shownParent(asJsonObject(value)),
    );
}

/** Validation errors of an APIService. */
export function* apiServiceErrors(after: StoredContent): Findings {
  const { group, version, service, insecureSkipTLSVerify } = asJsonObject(after['spec']);
  const name = `${asString(version)}.${asString(group)}`;
  if (after.metadata.name !== name)
    yield invalidValue(
      'metadata.name',
      JSON.stringify(after.metadata.name),
      `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(name)}`,
    );
  if (asString(group) === '' && version !== 'v1')
    yield required('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  for (const [field, most] of Object.entries({ groupPriorityMinimum: 20_000, versionPriority: 1_000 })) {
    const priority = Number(valueAt(after, 'spec', field) ?? 0);
    if (priority > most) yield invalidValue(`spec.${field}`, String(priority), `must be positive and less than ${String(most)}`);
  }
  if (service === undefined && insecureSkipTLSVerify === true)
    yield invalidValue('spec.insecureSkipTLSVerify', 'true', 'local APIServices may not have insecureSkipTLSVerify');
}
