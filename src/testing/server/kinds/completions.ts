import { asJsonObject, asString, isJsonObject, valueAt, type JsonObject } from '../json.js';
import type { StoredContent } from '../store/storedObject.js';

type Completion = (content: JsonObject) => JsonObject;

/** Adds the fields that are absent. */
function withDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  return { ...defaults, ...object };
}

function withSpecDefaults(content: JsonObject, defaults: JsonObject): JsonObject {
  return { ...content, spec: withDefaults(asJsonObject(content['spec']), defaults) };
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

function completeDeployment(content: JsonObject): JsonObject {
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } };
  return withSpecDefaults(content, { replicas: 1, strategy, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
}

function completeService(content: JsonObject): JsonObject {
  return withSpecDefaults(content, { sessionAffinity: 'None', type: 'ClusterIP' });
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
  '/pods': (content) => withSpecDefaults(content, podDefaults),
  '/namespaces': completeNamespace,
  '/secrets': completeSecret,
  '/services': completeService,
  '/replicationcontrollers': (content) => withSpecDefaults(content, { replicas: 1 }),
  'apps/deployments': completeDeployment,
  'apps/replicasets': (content) => withSpecDefaults(content, { replicas: 1 }),
  'apps/statefulsets': (content) => withSpecDefaults(content, { replicas: 1 }),
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
