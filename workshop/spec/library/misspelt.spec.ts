import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER } from 'rxjs';
import * as browser from 'rx-informer/browser';
import * as controller from '@rx-informer/controller';
import * as inspector from '@rx-informer/inspector';
import * as core from 'rx-informer';
import * as manager from '@rx-informer/controller/manager';
import * as webhooks from '@rx-informer/controller/webhooks';
import * as metrics from '@rx-informer/controller/metrics';
import * as opentelemetry from '@rx-informer/controller/opentelemetry';
import * as pipeline from 'rx-informer/pipeline';
import * as relayClient from '@rx-informer/relay/client';
import * as react from '@rx-informer/views/react';
import * as relay from '@rx-informer/relay';
import * as apiServer from '@rx-informer/api-server';
import * as clientNode from 'rx-informer/client-node';
import * as viewsTesting from '@rx-informer/views/testing';
import * as testing from 'rx-informer/testing';
import * as views from '@rx-informer/views';
import * as workqueue from 'rx-informer/workqueue';
import * as operatorPictures from '../../../spec/docs/operatorPictures.js';

const { pods, nodes } = core.resources.core.v1;
const { deployments } = core.resources.apps.v1;
const client = core.createClient({ server: 'http://127.0.0.1:1' });
const source = pipeline.listerWatcher(client, pods);
const informer = core.createInformer(source);
const factory = core.createInformerFactory(client);
const collection = viewsTesting.fakeCollection<core.V1Pod>([]);
const indexer = pipeline.createIndexer<core.V1Pod>();
const queue = workqueue.createRateLimitingQueue<string>();
const handler = { onAdd: () => undefined };
const patch = { metadata: { labels: {} } };
const pod = { metadata: { name: 'a', namespace: 'a' } };
const server = await apiServer.startApiServer();

/** Options that no function has. */
const wrong = { misspelt: true } as never;

/** Every public function and method that takes options, called with one that it does not have. Operators with a picture are added. */
const calls: Readonly<Record<string, () => unknown>> = {
  // rx-informer
  createClient: () => core.createClient(wrong),
  createInformer: () => core.createInformer(client, pods, wrong),
  createInformerFactory: () => core.createInformerFactory(client, wrong),
  createMetadataInformer: () => core.createMetadataInformer(client, pods, wrong),
  createObjectInformer: () => core.createObjectInformer(client, nodes, 'a', wrong),
  makeInformer: () => clientNode.makeInformer(client, '/api/v1/pods', undefined, '', wrong),
  podLogs: () => core.podLogs(client, pod, wrong),
  permittedNamespaces: () => core.permittedNamespaces(client, pods, wrong),
  diagnose: () => inspector.diagnose(wrong),
  dump: () => inspector.dump(undefined, wrong),
  inspectPage: () => inspector.inspectPage(wrong),
  waitForCacheSync: () => core.waitForCacheSync([], wrong),
  waitUntil: () => core.waitUntil(informer, [() => true], wrong),
  'KubeClient.get': () => client.get(pods, 'a', wrong),
  'KubeClient.list': () => client.list(pods, wrong),
  'KubeClient.create': () => client.create(pods, pod, wrong),
  'KubeClient.replace': () => client.replace(pods, pod, wrong),
  'KubeClient.patch': () => client.patch(pods, 'a', 'merge', patch, wrong),
  'KubeClient.delete': () => client.delete(pods, 'a', wrong),
  'KubeClient.deleteCollection': () => client.deleteCollection(pods, wrong),
  'KubeClient.listChunks': () => client.listChunks(pods, wrong),
  'KubeClient.watch': () => client.watch(pods, wrong),
  'KubeClient.readPath': () => client.readPath('/', wrong),
  'KubeClient.getPath': () => client.getPath('/version', wrong),
  'SubresourceClient.get': () => client.scale.get(deployments, 'a', wrong),
  'SubresourceClient.replace': () => client.status.replace(pods, pod, wrong),
  'SubresourceClient.patch': () => client.scale.patch(deployments, 'a', 'merge', {}, wrong),
  'SharedInformer.events': () => informer.events(wrong),
  'SharedInformer.process': () => informer.process(() => EMPTY, wrong),
  'SharedInformer.addEventHandler': () => informer.addEventHandler(handler, wrong),
  requests: () => pipeline.requests(wrong),
  verification: () => pipeline.verification(wrong),
  warmStart: () => pipeline.warmStart(browser.snapshotDatabase('a'), wrong),
  verifyInformer: () => pipeline.verifyInformer(informer, wrong),
  'SharedInformerFactory.forResource': () => factory.forResource(pods, wrong),
  'SharedInformerFactory.forMetadata': () => factory.forMetadata(pods, wrong),
  'SharedInformerFactory.waitForCacheSync': () => factory.waitForCacheSync(wrong),
  'Collection.whenSynced': () => collection.whenSynced(wrong),
  'InformerControl.whenSynced': () => informer.whenSynced(wrong),
  'HandlerRegistration.whenSynced': () => informer.addEventHandler(handler).whenSynced(wrong),
  'Syncable.whenSynced': () => views.derive(collection, () => 1).whenSynced(wrong),
  'SyncedCache.whenSynced': () => factory.core.v1.nodes.whenSynced(wrong),
  // rx-informer/pipeline
  createDeltaFifo: () => pipeline.createDeltaFifo(wrong),
  createIndexer: () => pipeline.createIndexer(wrong),
  createStore: () => pipeline.createStore(wrong),
  createUndeltaStore: () => pipeline.createUndeltaStore(() => undefined, wrong),
  deltaFifo: () => pipeline.deltaFifo(() => EMPTY, wrong),
  listPages: () => pipeline.listPages(source, {}, wrong),
  listerWatcher: () => pipeline.listerWatcher(client, pods, wrong),
  pollSource: () => pipeline.pollSource(() => NEVER, wrong),
  processDeltas: () => pipeline.processDeltas(indexer, {}, wrong),
  recordSource: () => pipeline.recordSource(wrong),
  reflect: () => pipeline.reflect(source, wrong),
  replaySource: () => pipeline.replaySource([], wrong),
  scanToIndex: () => pipeline.scanToIndex(indexer, wrong),
  shareWithSnapshot: () => pipeline.shareWithSnapshot(indexer, wrong),
  // @rx-informer/views
  collectionOf: () => views.collectionOf([], wrong),
  derive: () => views.derive(collection, () => 1, wrong),
  deriveMany: () => views.deriveMany(collection, () => [], wrong),
  deriveWithStatus: () => views.deriveWithStatus(collection, () => undefined, wrong),
  groupObjects: () => views.groupObjects(collection, () => 'a', wrong),
  mergeClusters: () => views.mergeClusters(new Map([['a', informer]]), wrong),
  mergeViews: () => views.mergeViews([collection], wrong),
  objectsByIndex: () => views.objectsByIndex(collection, 'namespace', 'a', wrong),
  reduceObjects: () => views.reduceObjects(collection, wrong),
  topObjects: () => views.topObjects(collection, () => 0, wrong),
  'OrderedView.window': () => views.topObjects(collection, () => 0).window(wrong),
  // @rx-informer/controller
  applyObject: () => controller.applyObject(client, pods, pod, wrong),
  applyStatus: () => controller.applyStatus(client, pods, pod, wrong),
  children: () => controller.children(client, pod, [], wrong),
  owns: () => controller.owns(deployments, informer, wrong),
  createEventRecorder: () => controller.createEventRecorder(client, wrong),
  electLeader: () => controller.electLeader(client, wrong),
  joinShards: () => controller.joinShards(client, wrong),
  ownerKeys: () => controller.ownerKeys(deployments, wrong),
  ownerReferenceOf: () => controller.ownerReferenceOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', uid: '1' } }, wrong),
  reconcile: () => controller.reconcile(wrong),
  'Shards.reconcile': () =>
    controller
      .joinShards(client, { namespace: 'a', name: 'a' })
      .reconcile({ primary: informer, reconcile: () => EMPTY, misspelt: true } as never),
  // @rx-informer/controller/manager
  createManager: () => manager.createManager(wrong),
  'createManager.leaderElection': () => manager.createManager({ client, leaderElection: wrong }),
  'createManager.shards': () => manager.createManager({ client, shards: wrong }),
  'createManager.informers': () => manager.createManager({ client, informers: wrong }),
  select: () => manager.createManager({ client, selections: [manager.select(pods, wrong)] }),
  'Manager.add': () => manager.createManager({ client }).add('a', () => EMPTY, wrong),
  // @rx-informer/controller/metrics and @rx-informer/controller/opentelemetry
  prometheusInformerMetrics: () => metrics.prometheusInformerMetrics(wrong),
  prometheusLeaderMetrics: () => metrics.prometheusLeaderMetrics(wrong),
  prometheusQueueMetrics: () => metrics.prometheusQueueMetrics(wrong),
  prometheusReconcileMetrics: () => metrics.prometheusReconcileMetrics(wrong),
  startInspector: () => inspector.startInspector(wrong),
  prometheusWarnings: () => metrics.prometheusWarnings(wrong),
  prometheusViewMetrics: () => metrics.prometheusViewMetrics(wrong),
  openTelemetryTrace: () => opentelemetry.openTelemetryTrace(wrong),
  openTelemetryReviews: () => opentelemetry.openTelemetryReviews(wrong),
  prometheusWebhookMetrics: () => metrics.prometheusWebhookMetrics(wrong),
  // @rx-informer/controller/webhooks
  installWebhooks: () => webhooks.installWebhooks(client, [], wrong),
  mutate: () => webhooks.mutate(pods, () => undefined, wrong),
  validate: () => webhooks.validate(pods, () => undefined, wrong),
  webhookManifests: () => webhooks.webhookManifests([], wrong),
  // rx-informer/workqueue
  createDelayingQueue: () => workqueue.createDelayingQueue(wrong),
  createRateLimitingQueue: () => workqueue.createRateLimitingQueue(wrong),
  createWorkQueue: () => workqueue.createWorkQueue(wrong),
  defaultControllerRateLimiter: () => workqueue.defaultControllerRateLimiter(wrong),
  exponentialFailure: () => workqueue.exponentialFailure(wrong),
  fastSlow: () => workqueue.fastSlow(wrong),
  tokenBucket: () => workqueue.tokenBucket(wrong),
  withMaxWait: () => workqueue.withMaxWait(workqueue.defaultControllerRateLimiter(), wrong),
  'DelayingQueue.addAfter': () => queue.addAfter('a', 1, wrong),
  'RateLimitingQueue.addRateLimited': () => queue.addRateLimited('a', wrong),
  'WorkQueue.add': () => queue.add('a', wrong),
  'WorkQueue.get': () => queue.get(wrong),
  // @rx-informer/relay and @rx-informer/relay/client
  accessReviews: () => relay.accessReviews(client, wrong),
  createRelay: () => relay.createRelay(wrong),
  relaySource: () => relayClient.relaySource('http://127.0.0.1:1', wrong),
  // rx-informer/browser
  snapshotDatabase: () => browser.snapshotDatabase('a', wrong),
  // @rx-informer/views/react
  useCollection: () => react.useCollection(informer, wrong),
  useObject: () => react.useObject(informer, 'a', wrong),
  // rx-informer/testing
  fakeCollection: () => viewsTesting.fakeCollection([], wrong),
  startApiServer: () => apiServer.startApiServer(wrong),
  startEitherApiServer: () => apiServer.startEitherApiServer(wrong),
  startRealApiServer: () => apiServer.startRealApiServer(wrong),
  startWorkload: () => apiServer.startWorkload(client, wrong),
  'TestApiServer.rbac': () => server.rbac(wrong),
  'UsedRights.compare': () => server.rbac().compare('', wrong),
  'UsedRights.expectGrantedBy': () => server.rbac().expectGrantedBy('', wrong),
  'FakeListerWatcher.constructor': () => new testing.FakeListerWatcher(wrong),
};

/** What users implement or are given, and so cannot be called wrongly by them. */
const notCalledByUsers = new Set([
  'ControllerContext.children',
  'ControllerContext.informer',
  'ControllerContext.reconcile',
  'ControllerShard.informer',
  'ControllerShard.reconcile',
  'FakeListerWatcher.list',
  'FakeListerWatcher.watch',
  'FaultScope.when',
  'KubeConfigLike.applyToHTTPSOptions',
  'ListerWatcher.list',
  'ListerWatcher.watch',
  'ListerWatcherOptions.tweakListOptions',
  'ReconcileConfig.reconcile',
  'Relay.fetch',
  'RelayOptions.authenticate',
  'ShardReconcileConfig.reconcile',
]);

const takesOptions = /\b(?:\w*[oO]ptions|config|selection)\??: |\b\w+\??: \w*(?:Options|Config|Settings|Request)\b/;

/** The functions and methods with options in the reports of the public surface, as `functionName` and `Interface.method`. */
function withOptions(): readonly string[] {
  const folder = new URL('../../api/', import.meta.url);
  return readdirSync(folder).flatMap((report) => {
    let owner = '';
    return readFileSync(new URL(report, folder), 'utf8')
      .split('\n')
      .flatMap((line) => {
        owner = /^(?:interface|class) (\w+)/.exec(line)?.[1] ?? owner;
        const [, name, method] = /^(?:function (\w+)|}?.{4}(?:readonly )?(\w+)(?:\??: )?(?=[(<]))/.exec(line) ?? [];
        const found = name ?? (method === undefined ? undefined : `${owner}.${method}`);
        return found !== undefined && takesOptions.test(line) ? [found] : [];
      });
  });
}

/** The operators that have a picture take their options alone. */
function picturedCalls(): Readonly<Record<string, () => unknown>> {
  const named = withOptions().filter((name) => name in operatorPictures);
  return Object.fromEntries(
    named.map((name) => [name, () => (core as unknown as Record<string, (options: never) => unknown>)[name]?.(wrong)]),
  );
}

const allCalls = { ...picturedCalls(), ...calls };

afterAll(async () => {
  client.close();
  await server.close();
});

describe('an option that a function does not have', () => {
  it('has a line here for every function that takes options', () => {
    const missing = withOptions().filter((name) => !(name in allCalls) && !notCalledByUsers.has(name));
    expect([...new Set(missing)]).toEqual([]);
  });

  it.each(Object.entries(allCalls))('is refused by name: %s', async (_, call) => {
    await expect((async () => await call())()).rejects.toThrow(/^Unknown option `misspelt` of `/);
  });
});
