import { filter, firstValueFrom, share } from 'rxjs';
import { createIndexer, deltaFifo, listerWatcher, metaNamespaceIndexFunc, namespaceIndex } from '../../src/index.js';
import { processDeltas, reflect, resources, type V1Pod } from '../../src/index.js';
import { startApiServer } from '../../src/testing/index.js';

const { pods } = resources.core.v1;
const inDefault = { namespace: 'default' };
const server = await startApiServer();
const create = (name: string) =>
  server.client.create(pods, { metadata: { name, ...inDefault }, spec: { containers: [{ name: 'main', image: 'nginx' }] } });
await create('was-there');

const indexer = createIndexer<V1Pod>({ indexers: { [namespaceIndex]: metaNamespaceIndexFunc } });
const store = processDeltas(indexer, {
  onAdd: (pod, isInInitialList) => console.log(`+ ${pod.metadata?.name ?? ''}${isInInitialList ? ' (initial)' : ''}`),
  onUpdate: (_, pod) => console.log(`~ ${pod.metadata?.name ?? ''}`),
  onDelete: (pod) => console.log(`- ${pod.metadata?.name ?? ''}`),
});
const events = reflect(listerWatcher(server.client, pods)).pipe(deltaFifo(store, { onError: console.error }), share());
const reflecting = events.subscribe();
const next = (type: string) => firstValueFrom(events.pipe(filter((event) => event.type === type)));

await next('synced');
const gone = next('deleted');
await create('web');
await server.client.delete(pods, 'was-there', { ...inDefault, gracePeriodSeconds: 0 });
await gone;
console.log(
  'now:',
  indexer.byIndex(namespaceIndex, 'default').map((pod) => pod.metadata?.name),
);
reflecting.unsubscribe();
await server.close();
