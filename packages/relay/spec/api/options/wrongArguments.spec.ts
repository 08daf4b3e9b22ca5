import { afterAll, describe, expect, it } from '@jest/globals';
import * as controller from '@rx-informer/controller';
import { fence } from '../../../../controller/src/leader/fence.js';
import * as core from 'rx-informer';
import * as manager from '@rx-informer/controller/manager';
import * as pipeline from 'rx-informer/pipeline';
import * as relay from '@rx-informer/relay';
import * as workqueue from 'rx-informer/workqueue';

const { pods } = core.resources.core.v1;
const client = core.createClient({ server: 'http://127.0.0.1:1' });
const lease = { namespace: 'a', name: 'a' };
const object = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'a', name: 'a', uid: 'u' } };
const by = { fieldManager: 'a' };
const condition = { type: 'Ready', status: 'True', reason: 'Up', message: '' } as const;
const event = { type: 'Normal', reason: 'Up', note: '' } as const;
const recorder = controller.createEventRecorder(client, { controller: 'a' });
const noClient = 'to be an object with the method';

type Calls = Readonly<Record<string, readonly [call: () => unknown, message: string]>>;

/** Calls as a JavaScript program makes them, and the part of the message that names what is wrong. */
const calls: Calls = {
  'indexers, a list': [() => core.createInformer(client, pods, { indexers: [() => []] as never }), '`indexers` of `createInformer`'],
  'indexers, null': [() => core.createInformer(client, pods, { indexers: null as never }), '`indexers` of `createInformer`'],
  'warmStart without a store': [() => pipeline.warmStart({} as never), '`store` of `warmStart`'],
  'shard, an empty object': [() => pipeline.sharding({} as never), '`shard` of `sharding`'],
  'the resources of a manager': [() => manager.createManager({ client, resources: [pods, {} as never] }), '`resources` of `createManager`'],
  'a lease whose timing is wrong': [
    () => manager.createManager({ client, leaderElection: { lease, leaseDurationMs: 1_000 } }),
    '`leaseDurationMs` of `electLeader`',
  ],
};

/** The same for an argument that is no object. */
const callsWith = (absent: never): Calls => ({
  'the resource of listerWatcher': [() => pipeline.listerWatcher(client, absent), '`resource` to be a resource, got '],
  'the resource of permittedNamespaces': [() => core.permittedNamespaces(client, absent), '`resource` to be a resource, got '],
  'the names of customResource': [() => core.customResource(absent), 'the options of `customResource`'],
  'the pods of podLogs': [() => core.podLogs(client, absent), 'a pod with a name, or a collection of pods'],
  'the lister-watcher of reflect': [() => pipeline.reflect(absent), '`listerWatcher` of `reflect`'],
  'an informer of waitForCacheSync': [() => core.waitForCacheSync([absent]), '`informers` of `waitForCacheSync`'],
  'the informer of waitUntil': [() => core.waitUntil(absent, []), '`informer` of `waitUntil`'],
  'the object of client.create': [() => client.create(pods, absent, { namespace: 'a' }), '`object` of `client.create`'],
  'the object of client.replace': [() => client.replace(pods, absent, { namespace: 'a' }), '`object` of `client.replace`'],
  'the client of electLeader': [() => controller.electLeader(absent, { lease }), `\`client\` of \`electLeader\` ${noClient}`],
  'the client of joinShards': [() => controller.joinShards(absent, lease), `\`client\` of \`joinShards\` ${noClient}`],
  'the informers of waitForCacheSync': [() => core.waitForCacheSync(absent), '`informers` of `waitForCacheSync`'],
  'the conditions of waitUntil': [() => core.waitUntil(object as never, absent), '`conditions` of `waitUntil`'],
  'the object of fence': [() => fence(absent, 1), '`object` of `fence`'],
  'the object of setControllerReference': [() => controller.setControllerReference(absent, object), '`object` of `setControllerReference`'],
  'the owner of setControllerReference': [() => controller.setControllerReference(object, absent), '`owner` of `ownerReferenceOf`'],
  'the owner of ownerKeys': [() => controller.ownerKeys(absent), '`owner` of `ownerKeys`'],
  'the object of ensureFinalizer': [() => controller.ensureFinalizer(absent, 'a.b/c'), '`object` of `ensureFinalizer`'],
  'the object of removeFinalizer': [() => controller.removeFinalizer(absent, 'a.b/c'), '`object` of `removeFinalizer`'],
  'the object of applyObject': [() => controller.applyObject(client, pods, absent, by), '`object` of `applyObject`'],
  'the object of applyStatus': [() => controller.applyStatus(client, pods, absent, by), '`object` of `applyStatus`'],
  'the condition of setCondition': [() => controller.setCondition([], absent, new Date()), '`condition` of `setCondition`'],
  'the time of setCondition': [() => controller.setCondition([], condition, absent), '`now` of `setCondition` to be a Date'],
  'the object of record': [() => recorder.record(absent, event), '`object` of `record`'],
  'the event of record': [() => recorder.record(object, absent), 'the options of `record`'],
  'the limiters of maxOf': [() => workqueue.maxOf(absent), '`limiters` of `maxOf`'],
  'the callback of onReady': [() => workqueue.createWorkQueue().onReady(absent), '`callback` of `onReady`'],
  'the client of accessReviews': [() => relay.accessReviews(absent), `\`client\` of \`accessReviews\` ${noClient}`],
});

afterAll(() => client.close());

describe('a wrong argument', () => {
  it.each([
    ...Object.entries(calls),
    ...[undefined, null, 5, 'text'].flatMap((value) =>
      Object.entries(callsWith(value as never)).map(([name, call]) => [`${name}: ${String(value)}`, call] as const),
    ),
  ])('is refused at once, by name: %s', async (_, [call, message]) => {
    await expect((async () => await call())()).rejects.toThrow(TypeError);
    await expect((async () => await call())()).rejects.toThrow(message);
  });
});
