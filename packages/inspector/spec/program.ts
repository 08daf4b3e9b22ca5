import { createInformer, resources } from 'rx-informer';
import { electLeader, reconcile } from '@rx-informer/controller';
import type { TestApiServer } from '@rx-informer/api-server';
import { derive, groupObjects } from '@rx-informer/views';

const { pods, secrets, configmaps } = resources.core.v1;

/** A program with a bit of everything, for the page to show: 200 pods, two views, a controller of which one key fails, a lease, all Secrets, and a subscriber that is behind. */
export async function startProgram(server: TestApiServer): Promise<() => Promise<void>> {
  const { client, objects } = server;
  for (let at = 0; at < 200; at += 1) {
    const name = `web-${String(at).padStart(3, '0')}`;
    const spec = { nodeName: `node-${at % 5}`, containers: [{ name: 'web', image: 'registry.example/web:1' }] };
    objects.put({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop', labels: { app: 'web' } },
      spec,
      status: { phase: 'Pending' },
    } as never);
  }
  objects.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'password', namespace: 'shop' },
    data: { password: 'aHVudGVyMg==' },
  } as never);
  objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'good', namespace: 'shop' } });
  objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'broken', namespace: 'shop' } });

  const web = createInformer(client, pods, { namespace: 'shop', labelSelector: 'app=web', name: 'web pods' });
  const maps = createInformer(client, configmaps, { namespace: 'shop' });
  const all = createInformer(client, secrets);
  const placed = derive(
    web,
    ({ metadata, spec, status }) => ({ name: metadata?.name ?? '', node: spec?.nodeName ?? '', phase: status?.phase }),
    { name: 'placed pods' },
  );
  const nodes = groupObjects(placed, ({ node }) => node, { name: 'pods by node' });
  const running = [
    nodes.change$.subscribe(),
    all.resource$.subscribe(),
    web.process(() => new Promise<void>(() => undefined)).subscribe(),
    reconcile({
      name: 'maps',
      sources: { maps: maps.resource$ },
      caches: [maps],
      reconcile: ({ key }) => {
        if (key === 'shop/broken') throw new Error('the map has no key `color`');
        return Promise.resolve({});
      },
    }).subscribe(),
  ];
  const election = electLeader(client, { lease: { namespace: 'default', name: 'program' }, identity: 'program-0' });
  election.start();
  await Promise.all([nodes.whenSynced(), all.whenSynced(), maps.whenSynced()]);
  return async () => {
    for (const subscription of running) subscription.unsubscribe();
    await election.stop();
    await Promise.all([nodes.stop(), placed.stop(), web.stop(), maps.stop(), all.stop()]);
  };
}
