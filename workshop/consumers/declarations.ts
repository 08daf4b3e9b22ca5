// What a program exports without writing its type: the compiler must be able to name all of it in the program's own declarations, by public entries. Nothing is
// run here: the constants are made by functions that nobody calls.
import { EMPTY, of } from 'rxjs';
import {
  allOf,
  type Collection,
  conditionOf,
  createClient,
  createInformer,
  createInformerFactory,
  createMetadataInformer,
  createObjectInformer,
  customResource,
  edit,
  generationChanged,
  groupByKey,
  type KubeClient,
  type KubernetesObject,
  labelsChanged,
  ofType,
  pairwiseByKey,
  partChanged,
  podLogs,
  resources,
  type SharedInformer,
  toMap,
  type V1ConfigMap,
  type V1Pod,
  waitForCacheSync,
  waitUntil,
} from 'rx-informer';
import {
  createDeltaFifo,
  createIndexer,
  createStore,
  createUndeltaStore,
  listerWatcher,
  listPages,
  parseLabelSelector,
  processDeltas,
  readYourWrites,
  recordSource,
  reflect,
  scanToIndex,
  shareWithSnapshot,
  splitMetaNamespaceKey,
  verification,
  verifyInformer,
} from 'rx-informer/pipeline';
import { checkWatchGuarantees, createManualClock, FakeListerWatcher, pod, runMarbles } from 'rx-informer/testing';
import { createRateLimitingQueue, createWorkQueue, exponentialFailure } from 'rx-informer/workqueue';
import { startApiServer, startWorkload } from '@rx-informer/api-server';
import {
  children,
  createEventRecorder,
  defineResource,
  electLeader,
  joinShards,
  jsonSchema,
  mapsTo,
  ownerKeys,
  owns,
  reconcile,
  setCondition,
} from '@rx-informer/controller';
import { createManager, select } from '@rx-informer/controller/manager';
import { traceMetrics } from '@rx-informer/controller/metrics';
import { installWebhooks, serveWebhooks, validate, webhookManifests } from '@rx-informer/controller/webhooks';
import { diagnose, dump, startInspector } from '@rx-informer/inspector';
import { createRelay } from '@rx-informer/relay';
import { relaySource } from '@rx-informer/relay/client';
import { derive, deriveWithStatus, groupObjects, mergeClusters, topObjects } from '@rx-informer/views';
import { fakeCollection } from '@rx-informer/views/testing';

interface WebSite extends KubernetesObject {
  readonly spec: { readonly host: string };
}

export const websites = customResource<WebSite>({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'WebSite',
  namespaced: true,
});
export const worthIt = allOf(labelsChanged, generationChanged);
export const dataChanged = partChanged((settings: V1ConfigMap) => settings.data);

export const core = (client = createClient()) => ({
  client,
  pods: createInformer(client, resources.core.v1.pods),
  sites: createInformer(client, websites, { transform: ({ spec }) => ({ host: spec.host }) }),
  factory: createInformerFactory(client),
  metadata: createMetadataInformer(client, resources.core.v1.pods),
  node: createObjectInformer(client, resources.core.v1.nodes, 'first'),
});

export const reads = (client: KubeClient, pods: SharedInformer<V1Pod>) => ({
  lister: pods.lister.namespace('default'),
  health: pods.health(),
  snapshot$: pods.index$,
  handler: pods.addEventHandler({}),
  processed$: pods.process(({ type }) => of(type)),
  discovery: client.discovery,
  scale: client.scale,
  status: client.status,
  scales: () => client.scale.get(resources.apps.v1.deployments, 'web', { namespace: 'default' }),
  chunks$: client.listChunks(resources.core.v1.pods, {}),
  changes$: client.watch(resources.core.v1.pods, {}),
  writes$: client.writes$,
  logs$: podLogs(client, pod('web')),
  edited: edit(pod('web'), () => undefined),
  ready: conditionOf(pod('web'), 'Ready'),
  labels: pod('web').metadata,
});

export const informerWaits = (pods: SharedInformer<V1Pod>) => ({
  synced: waitForCacheSync([pods]),
  met: waitUntil(pods, [({ type }) => type === 'deleted']),
  verified: verifyInformer(pods),
});

export const operators = ({ change$, resource$ }: Collection<V1Pod>) => ({
  updates$: change$.pipe(ofType('updated')),
  deleted$: resource$.pipe(ofType('deleted', 'synced')),
  groups$: change$.pipe(groupByKey()),
  pairs$: change$.pipe(pairwiseByKey()),
  map$: change$.pipe(toMap()),
});

export const pipeline = (client: KubeClient) => {
  const source = listerWatcher(client, resources.core.v1.pods);
  const indexer = createIndexer<V1Pod>();
  return {
    source,
    indexer,
    event$: reflect(source),
    change$: reflect(source).pipe(scanToIndex(indexer), shareWithSnapshot(indexer)),
    recorded$: reflect(source).pipe(recordSource()),
    pages$: listPages(source, {}),
    store: createStore<V1Pod>(),
    pushed: createUndeltaStore<V1Pod>(() => undefined),
    queue: createDeltaFifo<V1Pod>(),
    processor: processDeltas(indexer),
    parts: [readYourWrites(), verification({ everyMs: 600_000 })],
    selector: parseLabelSelector('app=web'),
    name: splitMetaNamespaceKey('default/web'),
  };
};

export const queues = () => ({
  plain: createWorkQueue<string>(),
  limited: createRateLimitingQueue<string>(),
  limiter: exponentialFailure({ baseMs: 5, maxMs: 60_000 }),
});

export const fakes = () => ({
  server: new FakeListerWatcher(),
  clock: createManualClock(),
  example: pod('web'),
  marbles: runMarbles(() => undefined),
  violations: checkWatchGuarantees,
  objects: fakeCollection([pod('web')]),
});

export const servers = async () => {
  const server = await startApiServer();
  return { server, workload: startWorkload(server.client), certificate: server.issueCertificate({ name: 'ada', groups: [] }) };
};

export const controllers = (client: KubeClient, pods: SharedInformer<V1Pod>) => ({
  outcome$: reconcile({ sources: [pods], reconcile: () => EMPTY }),
  owned: owns(resources.apps.v1.replicasets, pods),
  mapped: mapsTo<V1Pod>(pods, ({ metadata }) => [metadata?.name ?? '']),
  keys: ownerKeys(resources.apps.v1.replicasets),
  made: children(client, pod('web'), [], { of: [resources.core.v1.pods], fieldManager: 'web' }),
  recorder: createEventRecorder(client, { controller: 'web' }),
  leader: electLeader(client, { lease: { namespace: 'default', name: 'web' } }),
  shards: joinShards(client, { namespace: 'default', name: 'web' }),
  conditions: setCondition(undefined, { type: 'Ready', status: 'True', reason: 'Up', message: '' }, new Date(0)),
});

export const definition = defineResource({
  group: 'example.com',
  kind: 'WebSite',
  scope: 'Namespaced',
  versions: { v1: { schema: jsonSchema<WebSite>({ type: 'object', properties: { spec: { type: 'object' } } }) } },
});

export const managers = (client: KubeClient) => ({
  manager: createManager({ client, selections: [select(resources.core.v1.pods, { namespace: 'default' })] }),
  trace: traceMetrics({}),
});

export const hooks = (client: KubeClient) => {
  const webhook = validate(resources.core.v1.pods, () => undefined);
  return {
    webhook,
    manifests: webhookManifests([webhook], { service: { namespace: 'default', name: 'web' } }),
    serving: serveWebhooks({ webhooks: [webhook] }),
    installed: installWebhooks(client, [webhook]),
  };
};

export const views = (pods: Collection<V1Pod>, maps: Collection<V1ConfigMap>) => ({
  names: derive(pods, ({ metadata }) => ({ name: metadata?.name })),
  reported: deriveWithStatus(pods, () => ({ value: 1, status: 'up' })),
  groups: groupObjects(maps, ({ metadata }) => metadata?.namespace),
  clusters: mergeClusters(new Map([['one', pods]])),
  window: topObjects(pods, ({ metadata }) => metadata?.generation ?? 0).window({ limit: 10 }),
});

export const seen = () => ({ inspector: startInspector(), warnings: diagnose(), text: dump() });

export const relays = (pods: Collection<V1Pod>) => ({
  relay: createRelay({ sources: { pods: { collection: pods, inputs: [] } }, authenticate: () => ({ name: 'ada' }) }),
  page: createInformer(relaySource<V1Pod>('/relay', { kind: 'pods' })),
});
