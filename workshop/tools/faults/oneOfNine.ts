// One of the replicas of nineReplicas.ts, in a process of its own: node ... oneOfNine.ts <server> <identity>
//
// It is a candidate in an election and a member of a group, with default timing. It reports its actions to its parent, with times of the
// machine's monotonic clock.
import { of } from 'rxjs';
import { createClient, createInformer, type KubeClient, resources } from 'rx-informer';
import { sharding } from 'rx-informer/pipeline';
import { electLeader, joinShards } from '@rx-informer/controller';
import { namespace, type ReplicaReport } from './nineReplicas.js';

const [server = '', identity = ''] = process.argv.slice(2);
const configMaps = resources.core.v1.configmaps;

const say = (type: ReplicaReport['type'], key = ''): void => {
  if (process.connected) process.send?.({ type, identity, key, at: Number(process.hrtime.bigint()) / 1e6 });
};
const client = createClient({ server, userAgent: identity });
/** Lists are its work as the leader: the election itself sends none. */
const list: KubeClient['list'] = (...args) => {
  say('request');
  return client.list(...args);
};
const election = electLeader({ ...client, list }, { identity, lease: { namespace, name: 'leader' } });
const shards = joinShards(client, { namespace, name: 'members', identity, by: 'uid' });
const objects = createInformer(client, configMaps, { namespace, parts: [sharding(shards)] });

election
  .whileLeading(async (leadership) => {
    say('elected');
    while (leadership.isValid()) {
      await leadership.client.list(configMaps, { namespace, limit: 1 }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })
  .subscribe();
shards
  .reconcile({
    primary: objects,
    reconcile: ({ key }) => {
      say('call', key);
      return of({ requeueAfterMs: 500 });
    },
  })
  .subscribe();

process.on('SIGTERM', () => {
  void Promise.all([election.stop(), shards.stop()]).then(() => process.exit(0));
});
