import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type Json, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

type Completion = (content: JsonObject) => JsonObject;

/** Adds the fields that are absent. */
function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  return { ...defaults, ...object };
}

function withSpecDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  return { ...content, spec: withDefaults(asJsonObject(content['spec']), defaults) };
}

/** A list of objects, each with the defaults; any other value as it is. */
function eachWith(list: Json | undefined, complete: (item: JsonObject) => JsonObject): Json | undefined {
  return isJsonArray(list) ? list.map((item) => (isJsonObject(item) ? complete(item) : item)) : list;
}

function completePorts({ ports, ...container }: JsonObject): JsonObject {
  return ports === undefined
    ? container
    : { ...container, ports: eachWith(ports, (port) => ({ ...port, protocol: port['protocol'] ?? 'TCP' })) };
}

function completeContainers(spec: JsonObject): JsonObject {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    ...(containers !== undefined && { containers: eachWith(containers, completePorts) }),
    ...(initContainers !== undefined && { initContainers: eachWith(initContainers, completePorts) }),
  };
}

/** A kind whose spec has a template of pods. */
function withTemplate(defaults: JsonObject): Completion {
  return (content) => {
    const completed = withSpecDefaults(content, defaults);
    const spec = asJsonObject(completed['spec']);
    const { template } = spec;
    if (!isJsonObject(template) || !isJsonObject(template['spec'])) return completed;
    return { ...completed, spec: { ...spec, template: { ...template, spec: completeContainers(template['spec']) } } };
  };
}

const podDefaults: JsonObject = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
};

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
  return { ...withDefaults(rest, { type: 'Opaque' }), ...(Object.keys(data).length > 0 && { data }) };
}

const rollingUpdate = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };

function completeService(content: JsonObject): JsonObject {
  const completed = withSpecDefaults(content, { sessionAffinity: 'None', type: 'ClusterIP' });
  const spec = asJsonObject(completed['spec']);
  if (spec['ports'] === undefined) return completed;
  const ports = eachWith(spec['ports'], (port) => {
    const { protocol = 'TCP', targetPort = port['port'] } = port;
    return { ...port, protocol, ...(targetPort !== undefined && { targetPort }) };
  });
  return { ...completed, spec: { ...spec, ports } };
}

function completeJob(content: JsonObject): JsonObject {
  const spec = asJsonObject(content['spec']);
  const counts = spec['completions'] === undefined && spec['parallelism'] === undefined ? { completions: 1 } : {};
  return withTemplate({ ...counts, parallelism: 1, backoffLimit: 6, completionMode: 'NonIndexed', suspend: false })(content);
}

function completeDefinition(content: JsonObject): JsonObject {
  const names = asJsonObject(valueAt(content, 'spec', 'names'));
  const kind = typeof names['kind'] === 'string' ? names['kind'] : '';
  const completed = withDefaults(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  return withSpecDefaults(
    { ...content, spec: { ...asJsonObject(content['spec']), names: completed } },
    { conversion: { strategy: 'None' } },
  );
}

/** What is filled in when an object is written, by group and plural: only what clients and selectors rely on. */
export const completions: Readonly<Record<string, Completion>> = {
  '/pods': (content) => {
    const completed = withSpecDefaults(content, podDefaults);
    return { ...completed, spec: completeContainers(asJsonObject(completed['spec'])) };
  },
  '/namespaces': completeNamespace,
  '/secrets': completeSecret,
  '/services': completeService,
  '/replicationcontrollers': withTemplate({ replicas: 1 }),
  'apps/deployments': withTemplate({ replicas: 1, strategy: rollingUpdate, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
  'apps/replicasets': withTemplate({ replicas: 1 }),
  'apps/statefulsets': withTemplate({
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  }),
  'apps/daemonsets': withTemplate({
    revisionHistoryLimit: 10,
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  }),
  'batch/jobs': completeJob,
  'batch/cronjobs': (content) =>
    withSpecDefaults(content, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }),
  'apiextensions.k8s.io/customresourcedefinitions': completeDefinition,
};

/** What a write to the object itself cannot change, by group and plural. */
export const keptOnUpdate: Readonly<Record<string, (existing: StoredContent, submitted: StoredContent) => StoredContent>> = {
  '/namespaces': (existing, submitted) => {
    const finalizers = valueAt(existing, 'spec', 'finalizers');
    const { finalizers: _, ...spec } = asJsonObject(submitted['spec']);
    return { ...submitted, spec: finalizers === undefined ? spec : { ...spec, finalizers } };
  },
};
