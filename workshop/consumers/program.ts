// A program over all entries of the package, as a user would write it. workshop/tools/checkConsumers.ts has every supported TypeScript compile it, for
// both module formats and with all ways to resolve modules, and runs what came out.
import { firstValueFrom, type Observable } from 'rxjs';
import {
  partChanged,
  createInformer,
  customResource,
  filterUpdates,
  ofType,
  resources,
  type ResourceEvent,
  type V1ConfigMap,
} from 'rx-informer';
import { tracing } from 'rx-informer/pipeline';
import { type InformerMetricsSink, traceMetrics } from '@rx-informer/controller/metrics';
import { configMap } from 'rx-informer/testing';
import { startApiServer } from '@rx-informer/api-server';
import { createWorkQueue, type QueueMetricsSink } from 'rx-informer/workqueue';

const colorChanged = partChanged((settings: V1ConfigMap) => settings.data?.['color']);

async function main(): Promise<void> {
  const server = await startApiServer();
  const { client } = server;
  let items = 0;
  const counted: InformerMetricsSink = { listed: (_, count) => (items += count) };
  const informer = createInformer(client, resources.core.v1.configmaps, { namespace: 'default', parts: [tracing(traceMetrics(counted))] });
  const figures = { depth: 0, adds: 0 };
  const sink: QueueMetricsSink = { depth: (depth) => (figures.depth = depth), adds: () => (figures.adds += 1) };
  const queue = createWorkQueue<string>({ metrics: sink });

  const changes: Observable<ResourceEvent<V1ConfigMap>> = informer.resource$.pipe(filterUpdates(colorChanged));
  changes.subscribe((event) => {
    if (event.type === 'synced') return;
    const color: string | undefined = event.object.data?.['color'];
    console.log(event.type, event.key, color);
    queue.add(event.key);
  });
  await informer.whenSynced();

  const settings: V1ConfigMap = { metadata: { name: 'settings', namespace: 'default' }, data: { color: 'red' } };
  const added = firstValueFrom(informer.resource$.pipe(ofType('added')));
  const created = await client.create(resources.core.v1.configmaps, settings);
  await added;
  const updated = firstValueFrom(informer.resource$.pipe(ofType('updated')));
  await client.replace(resources.core.v1.configmaps, { ...created, data: { color: 'green' } });
  console.log('before:', (await updated).oldObject.data?.['color']);
  const deleted = firstValueFrom(informer.resource$.pipe(ofType('deleted')));
  await client.delete(resources.core.v1.configmaps, 'settings', { namespace: 'default' });
  await deleted;

  console.log('queued:', figures.depth, 'of', figures.adds);
  const taken = await queue.get();
  if (!taken.shutdown) queue.done(taken.item);
  await informer.stop();
  await server.close();
}

/** What must not compile: were the types lost on the way (`any`), nothing here would be wrong. */
export function mistakes(event: ResourceEvent<V1ConfigMap>): void {
  // @ts-expect-error a list of colors is no color
  configMap('settings', { data: { color: ['red'] } });
  // @ts-expect-error a new object has none before it
  if (event.type === 'added') console.log(event.oldObject);
  // @ts-expect-error the plural is missing
  customResource({ group: 'example.com', version: 'v1', kind: 'Website', namespaced: true });
  // @ts-expect-error a queue of strings takes no number
  createWorkQueue<string>().add(1);
  // @ts-expect-error a sink has no such member
  traceMetrics({ lists: () => undefined });
}

void main();
