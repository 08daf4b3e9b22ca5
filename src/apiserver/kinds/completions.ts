import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, type Json, type JsonObject } from '../json.js';
import { completePod } from './completePod.js';
import { completeService, keepAddresses } from './completeService.js';
import { orderedMeta } from '../write/objectMeta.js';
import type { StoredContent } from '../store/storedObject.js';

type Completion = (content: JsonObject) => JsonObject;

function withSpecDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  return { ...content, spec: { ...defaults, ...asJsonObject(content['spec']) } };
}

function completeNamespace(content: JsonObject): JsonObject {
  const metadata = asJsonObject(content['metadata']);
  const labels = { ...asJsonObject(metadata['labels']), 'kubernetes.io/metadata.name': metadata['name'] };
  return withSpecDefaults({ ...content, metadata: { ...metadata, labels } }, { finalizers: ['kubernetes'] });
}

function completeSecret(content: JsonObject): JsonObject {
  const { stringData, ...rest } = content;
  const sent = isJsonObject(stringData) ? Object.entries(stringData) : [];
  const encoded = sent.map(([name, value]) => [name, Buffer.from(asString(value)).toString('base64')] as const);
  const data: JsonObject = { ...asJsonObject(rest['data']), ...Object.fromEntries(encoded) };
  return { type: 'Opaque', ...rest, ...(Object.keys(data).length > 0 && { data }) };
}

/** The labels that tell the pods of a job from those of all others. */
function jobLabels({ uid, name }: JsonObject): JsonObject {
  const prefix = 'batch.kubernetes.io/';
  return { 'controller-uid': uid, 'job-name': name, [`${prefix}controller-uid`]: uid, [`${prefix}job-name`]: name };
}

function selectedJob(spec: JsonObject, metadata: JsonObject): JsonObject {
  const { selector, manualSelector, template } = spec;
  if (manualSelector === true || !isJsonObject(template) || metadata['uid'] === undefined) return spec;
  const matchLabels = { 'batch.kubernetes.io/controller-uid': metadata['uid'] };
  const known = asJsonObject(template['metadata']);
  const labels = { ...asJsonObject(known['labels']), ...jobLabels(metadata) };
  return { ...spec, selector: selector ?? { matchLabels }, template: { ...template, metadata: { ...known, labels } } };
}

function completeJob(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const counts = spec['completions'] === undefined && spec['parallelism'] === undefined ? { completions: 1 } : {};
  const modes = { completionMode: 'NonIndexed', suspend: false, manualSelector: false };
  const policy = spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed';
  const defaults = { ...counts, parallelism: 1, backoffLimit: 6, ...modes, podReplacementPolicy: policy };
  return { ...content, spec: selectedJob({ ...defaults, ...spec }, asJsonObject(content['metadata'])) };
}

function completeDefinition(content: JsonObject): JsonObject {
  const names = asJsonObject(valueAt(content, 'spec', 'names'));
  const kind = asString(names['kind']);
  const completed =
    kind === '' ? names : { ...names, singular: names['singular'] || kind.toLowerCase(), listKind: names['listKind'] || `${kind}List` };
  const spec = { ...asJsonObject(content['spec']), names: completed };
  return withSpecDefaults({ ...content, spec }, { conversion: { strategy: 'None' } });
}

const notReady = [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }];
const unknownNode = [
  'machineID',
  'systemUUID',
  'bootID',
  'kernelVersion',
  'osImage',
  'containerRuntimeVersion',
  'kubeletVersion',
  'kubeProxyVersion',
  'operatingSystem',
  'architecture',
];

function completeNode(content: JsonObject): JsonObject {
  const nodeInfo = Object.fromEntries(unknownNode.map((name) => [name, '']));
  const status = { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo, ...asJsonObject(content['status']) };
  return { ...content, spec: asJsonObject(content['spec']), status };
}

const cpuTarget: Json = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];

/** What is filled in when an object is written and depends on more than the types of its parts, by group and plural. */
export const completions: Readonly<Record<string, Completion>> = {
  '/pods': completePod,
  '/namespaces': completeNamespace,
  '/nodes': completeNode,
  '/secrets': completeSecret,
  '/services': completeService,
  'batch/jobs': completeJob,
  'autoscaling/horizontalpodautoscalers': (content) => withSpecDefaults(content, { minReplicas: 1, metrics: cpuTarget }),
  'apiextensions.k8s.io/customresourcedefinitions': completeDefinition,
};

const templateGeneration = 'deprecated.daemonset.template.generation';

/** What a new object gets at its creation alone. */
export const admissions: Readonly<Record<string, Completion>> = {
  '/nodes': (content) => {
    const { taints } = asJsonObject(content['spec']);
    return isJsonArray(taints) ? content : withSpecDefaults(content, { taints: notReady });
  },
  'apps/daemonsets': (content) => {
    const metadata = asJsonObject(content['metadata']);
    return { ...content, metadata: { ...metadata, annotations: { ...asJsonObject(metadata['annotations']), [templateGeneration]: '1' } } };
  },
};

/** What a write to the object itself cannot change, by group and plural. */
export const keptOnUpdate: Readonly<Record<string, (existing: StoredContent, submitted: StoredContent) => StoredContent>> = {
  '/namespaces': (existing, submitted) => {
    const finalizers = valueAt(existing, 'spec', 'finalizers');
    const { finalizers: _, ...spec } = asJsonObject(submitted['spec']);
    return { ...submitted, spec: finalizers === undefined ? spec : { ...spec, finalizers } };
  },
  '/services': keepAddresses,
  'apps/daemonsets': (existing, submitted) => {
    const known = Number(existing.metadata.annotations?.[templateGeneration] ?? '1');
    const changed = !jsonEqual(valueAt(existing, 'spec', 'template'), valueAt(submitted, 'spec', 'template'));
    const annotations = { ...submitted.metadata.annotations, [templateGeneration]: String(changed ? known + 1 : known) };
    return { ...submitted, metadata: orderedMeta(submitted.metadata, { annotations }) };
  },
};
