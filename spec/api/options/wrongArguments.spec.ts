import { afterAll, describe, expect, it } from '@jest/globals';
import * as controller from '../../../src/controller/index.js';
import * as core from '../../../src/index.js';
import * as manager from '../../../src/manager/index.js';
import * as pipeline from '../../../src/pipeline.js';
import * as relay from '../../../src/relay/index.js';

const { pods } = core.resources.core.v1;
const client = core.createClient({ server: 'http://127.0.0.1:1' });
const lease = { namespace: 'a', name: 'a' };
const noClient = 'to be an object with the method';

type Calls = Readonly<Record<string, readonly [call: () => unknown, message: string]>>;

/** Calls as a JavaScript program makes them, and the part of the message that names what is wrong. */
const calls: Calls = {
  'indexers, a list': [() => core.createInformer(client, pods, { indexers: [() => []] as never }), '`indexers` of `createInformer`'],
  'indexers, null': [() => core.createInformer(client, pods, { indexers: null as never }), '`indexers` of `createInformer`'],
  'warmStart without a store': [
    () => core.createInformer(client, pods, { warmStart: {} as never }),
    '`store` of `createInformer.warmStart`',
  ],
  'shard, an empty object': [() => core.createInformer(client, pods, { shard: {} as never }), '`shard` of `createInformer`'],
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
  'the names of customResource': [() => core.customResource(absent), 'the names of a custom resource'],
  'the pods of podLogs': [() => core.podLogs(client, absent), 'a pod with a name, or a collection of pods'],
  'the lister-watcher of reflect': [() => pipeline.reflect(absent), '`listerWatcher` of `reflect`'],
  'an informer of waitForCacheSync': [() => core.waitForCacheSync([absent]), '`informers` of `waitForCacheSync`'],
  'the informer of waitUntil': [() => core.waitUntil(absent, []), '`informer` of `waitUntil`'],
  'the object of client.create': [() => client.create(pods, absent, { namespace: 'a' }), '`object` of `client.create`'],
  'the object of client.replace': [() => client.replace(pods, absent, { namespace: 'a' }), '`object` of `client.replace`'],
  'the client of electLeader': [() => controller.electLeader(absent, { lease }), `\`client\` of \`electLeader\` ${noClient}`],
  'the client of joinShards': [() => controller.joinShards(absent, lease), `\`client\` of \`joinShards\` ${noClient}`],
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
