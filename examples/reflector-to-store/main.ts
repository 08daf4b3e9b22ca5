import { concatMap, filter, takeWhile } from 'rxjs';
import { resources, type V1Pod } from 'rx-informer';
import { createIndexer, deltaFifo, listerWatcher, processDeltas, reflect } from 'rx-informer/pipeline';
import { startApiServer } from '@rx-informer/api-server';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const podNamed = (name: string): V1Pod => ({ metadata: { name, ...inDefault }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });
const server = await startApiServer();
await server.client.create(pods, podNamed('was-there'));

const indexer = createIndexer<V1Pod>();
const store = processDeltas(indexer, {
  onAdd: (pod, isInInitialList) => console.log(`+ ${pod.metadata?.name ?? ''}${isInInitialList ? ' (initial)' : ''}`),
  onUpdate: (_, pod) => console.log(`~ ${pod.metadata?.name ?? ''}`),
  onDelete: (pod) => console.log(`- ${pod.metadata?.name ?? ''}`),
});
await reflect(listerWatcher(server.client, pods))
  .pipe(
    deltaFifo(store, { onError: console.error }),
    takeWhile(({ events }) => events[0]?.type !== 'deleted'),
    filter(({ cause, synced, events }) => cause === 'list' && synced && events.length === 0),
    concatMap(async () => {
      await server.client.create(pods, podNamed('web'));
      await server.client.delete(pods, 'was-there', { ...inDefault, gracePeriodSeconds: 0 });
    }),
  )
  .forEach(() => undefined);
console.log('left:', indexer.listKeys());
await server.close();
