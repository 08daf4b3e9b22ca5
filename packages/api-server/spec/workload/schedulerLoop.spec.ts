import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { asyncScheduler, concat, filter, firstValueFrom, NEVER, of } from 'rxjs';
import { createInformer, resources, type V1Node } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { nodeLoop } from '../../src/workload/schedulerLoop.js';
import type { WorkloadContext } from '../../src/workload/workloadContext.js';

const { nodes } = resources.core.v1;
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const gpu = { key: 'gpu', effect: 'NoSchedule' };

describe('the node controller of a workload', () => {
  let server: TestApiServer;
  let node: V1Node;

  beforeEach(async () => {
    server = await startApiServer();
    await server.client.create(nodes, { metadata: { name: 'n' }, spec: { taints: [notReady] } });
    node = await server.client.status.patch(nodes, 'n', 'merge', { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
  });
  afterEach(() => server.close());

  /** Lets it look once at the node as its cache has it. */
  const lookAt = async (cached: V1Node): Promise<void> => {
    const events: readonly SourceEvent<V1Node>[] = [
      { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' },
      { type: 'page', scope: '', items: [cached] },
      { type: 'ready', scope: '', resourceVersion: cached.metadata?.resourceVersion ?? '' },
    ];
    const cache = createInformer(concat(of(...events), NEVER));
    const context = { client: server.client, nodes: cache, scheduler: asyncScheduler } as unknown as WorkloadContext;
    await firstValueFrom(nodeLoop(context).pipe(filter(({ type }) => type === 'succeeded')), { defaultValue: undefined });
    await cache.stop();
  };
  const taints = async (): Promise<unknown> => (await server.client.get(nodes, 'n')).spec?.taints;

  it('takes the not-ready taint off a node that is ready', async () => {
    await lookAt(node);
    expect(await taints()).toBeUndefined();
  });

  it('leaves a taint that its cache has not seen yet', async () => {
    await server.client.patch(nodes, 'n', 'merge', { spec: { taints: [notReady, gpu] } });
    await lookAt(node);
    expect(await taints()).toEqual([notReady, gpu]);
  });
});
