import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { agreeing, completePod } from './completePod.js';
import { isFilled } from '../validation/fieldChecks.js';
import { completeService, keepAddresses } from './completeService.js';
import { orderedMeta } from '../write/objectMeta.js';
import type { StoredContent, StoredMeta } from '../store/storedObject.js';

type Completion = (content: JsonObject) => JsonObject;

function withSpecDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  return { ...content, spec: { ...defaults, ...asJsonObject(content['spec']) } };
}

function completeNamespace(content: JsonObject): JsonObject {
  const metadata = asJsonObject(content['metadata']);
  const labels = { ...asJsonObject(metadata['labels']), 'kubernetes.io/metadata.name': metadata['name'] };
  return { ...content, metadata: { ...metadata, labels } };
}

function completeSecret(content: JsonObject): JsonObject {
  const { stringData, ...rest } = content;
  const sent = isJsonObject(stringData) ? Object.entries(stringData) : [];
  const encoded = sent.map(([name, value]) => [name, Buffer.from(asString(value)).toString('base64')] as const);
  const data: JsonObject = { ...asJsonObject(rest['data']), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...rest, ...(Object.keys(data).length > 0 && { data }) };
}

/** The object with its labels, which default to those of its template. */
function withLabelsOf(content: JsonObject, template: Json | undefined): JsonObject {
  const metadata = asJsonObject(content['metadata']);
  const labels = asJsonObject(valueAt(template, 'metadata', 'labels'));
  if (isFilled(metadata['labels']) || !isFilled(labels)) return content;
  return { ...content, metadata: orderedMeta(metadata, { labels: labels as Record<string, string> }) };
}

function completeController(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const labels = asJsonObject(valueAt(spec, 'template', 'metadata', 'labels'));
  const selected = isFilled(spec['selector']) || !isFilled(labels) ? spec : { ...spec, selector: labels };
  return withLabelsOf({ ...content, spec: selected }, spec['template']);
}

function completeJob(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const counts = spec['completions'] === undefined && spec['parallelism'] === undefined ? { completions: 1 } : {};
  const modes = { completionMode: 'NonIndexed', suspend: false, manualSelector: false };
  const policy = spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
  const backoffLimit = spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1;
  const defaults = { ...counts, parallelism: 1, backoffLimit, ...modes, podReplacementPolicy: policy };
  const completed = { ...content, spec: { ...defaults, ...spec } };
  const { 'batch.kubernetes.io/controller-uid': uid } = asJsonObject(valueAt(spec, 'template', 'metadata', 'labels'));
  // A new job gets its labels with those that are generated for its template.
  return uid !== undefined || spec['manualSelector'] === true ? withLabelsOf(completed, spec['template']) : completed;
}

function completeDefinition(content: JsonObject): JsonObject {
  const names = asJsonObject(valueAt(content, 'spec', 'names'));
  const kind = asString(names['kind']);
  const completed =
    kind === '' ? names : { ...names, singular: names['singular'] || kind.toLowerCase(), listKind: names['listKind'] || `${kind}List` };
  const spec = { ...asJsonObject(content['spec']), names: completed };
  return withSpecDefaults({ ...content, spec }, { conversion: { strategy: 'None' } });
}

function completeNode(sent: JsonObject): JsonObject {
  const { spec } = sent;
  const content = isJsonObject(spec) ? { ...sent, spec: agreeing(spec, 'podCIDR', 'podCIDRs', (value) => value, []) } : sent;
  const status = asJsonObject(content['status']);
  const { capacity, allocatable } = status;
  return capacity === undefined || allocatable !== undefined ? content : { ...content, status: { ...status, allocatable: capacity } };
}

const cpuTarget: Json = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];

/** The annotation of a daemon set that counts the changes of its template. */
const templateGeneration = 'deprecated.daemonset.template.generation';

function completeDaemonSet(content: JsonObject): JsonObject {
  const metadata = asJsonObject(content['metadata']) as Partial<StoredMeta>;
  const annotations = { [templateGeneration]: '1', ...metadata.annotations };
  return { ...content, metadata: orderedMeta(metadata, { annotations }) };
}

/** An endpoint slice without fields of the older version. */
function completeEndpointSlice(content: JsonObject): JsonObject {
  const { endpoints } = content;
  return isJsonArray(endpoints)
    ? { ...content, endpoints: endpoints.map((one) => without(asJsonObject(one), 'deprecatedTopology')) }
    : content;
}

/** A stateful set without fields of disabled feature gates. */
function completeStatefulSet(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const strategy = asJsonObject(spec['updateStrategy']);
  const rolling = strategy['rollingUpdate'];
  if (!isJsonObject(rolling) || rolling['maxUnavailable'] === undefined) return content;
  return { ...content, spec: { ...spec, updateStrategy: { ...strategy, rollingUpdate: without(rolling, 'maxUnavailable') } } };
}

/** Defaults that depend on more than the type of a field, by group and plural. */
export const completions: Readonly<Record<string, Completion>> = {
  '/pods': completePod,
  '/namespaces': completeNamespace,
  '/nodes': completeNode,
  '/secrets': completeSecret,
  '/replicationcontrollers': completeController,
  '/services': completeService,
  'apps/daemonsets': completeDaemonSet,
  'apps/statefulsets': completeStatefulSet,
  'discovery.k8s.io/endpointslices': completeEndpointSlice,
  'batch/jobs': completeJob,
  // The feature gate CoordinatedLeaderElection is off.
  'coordination.k8s.io/leases': (content) => {
    const spec = asJsonObject(content['spec']);
    const gated = spec !== content['spec'] || spec['preferredHolder'] !== undefined || spec['strategy'] !== undefined;
    return gated ? { ...content, spec: without(spec, 'preferredHolder', 'strategy') } : content;
  },
  'autoscaling/horizontalpodautoscalers': (content) => withSpecDefaults(content, { minReplicas: 1, metrics: cpuTarget }),
  'apiextensions.k8s.io/customresourcedefinitions': completeDefinition,
};

/** Fields that a write to the object itself cannot change, by group and plural. */
export const keptOnUpdate: Readonly<Record<string, (existing: StoredContent, submitted: StoredContent) => StoredContent>> = {
  '/namespaces': (existing, submitted) => {
    const finalizers = valueAt(existing, 'spec', 'finalizers');
    const { finalizers: _, ...spec } = asJsonObject(submitted['spec']);
    return { ...submitted, spec: finalizers === undefined ? spec : { ...spec, finalizers } };
  },
  '/services': keepAddresses,
  'certificates.k8s.io/certificatesigningrequests': ({ spec }, submitted) => ({ ...submitted, ...(spec !== undefined && { spec }) }),
  'apps/daemonsets': (existing, submitted) => {
    const known = Number(existing.metadata.annotations?.[templateGeneration] ?? '1');
    const changed = !isEqualJson(valueAt(existing, 'spec', 'template'), valueAt(submitted, 'spec', 'template'));
    const annotations = { ...submitted.metadata.annotations, [templateGeneration]: String(changed ? known + 1 : known) };
    return { ...submitted, metadata: orderedMeta(submitted.metadata, { annotations }) };
  },
};
