import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import type { V1Pod } from '../../../src/api/kubernetes/coreV1.js';
import { resources } from '../../../src/api/resources.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { pod } from '../../../src/testing/fakes/fixtures.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { fakeClient } from '../fakeClient.js';

/** An informer whose transform drops the metadata, and what its handler is told. */
function observed(indexers: Readonly<Record<string, (value: { readonly node: string | undefined }) => readonly string[]>> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const server = client.serverOf('pods');
  const told: string[] = [];
  const transform = ({ spec }: V1Pod): { readonly node: string | undefined } => {
    told.push('transform');
    return { node: spec?.nodeName };
  };
  const informer = createInformer(client, resources.core.v1.pods, { scheduler, transform, indexers });
  informer.addEventHandler({ onAdd: () => told.push('add'), onUpdate: () => told.push('update'), onDelete: () => told.push('delete') });
  /** What is told while somebody is subscribed. */
  const session = (during: () => unknown = () => undefined): readonly string[] => {
    const subscription = informer.resource$.subscribe();
    during();
    advanceBy(scheduler, 1_000);
    subscription.unsubscribe();
    return told.splice(0);
  };
  return { server, informer, session };
}

const first = pod('shop/web', { metadata: { uid: 'first' } });

describe('an informer whose transform drops the metadata', () => {
  it('transforms a version once, also where sessions begin anew', () => {
    const { server, session } = observed();
    server.add(first);
    expect(session()).toEqual(['transform', 'add']);
    expect(session()).toEqual([]);
  });

  it('tells that an object was created anew between two sessions', () => {
    const { server, session } = observed();
    server.add(first);
    session();
    server.delete('shop/web');
    server.add(pod('shop/web', { metadata: { uid: 'second' }, spec: { nodeName: 'node-1' } }));
    expect(session()).toEqual(['transform', 'delete', 'add']);
  });

  it('takes back what an object was with a change that ends the session', () => {
    let end = (): void => undefined;
    const { server, informer, session } = observed({ by: ({ node }) => (node === 'node-2' && end(), []) });
    server.add(first);
    session();
    const subscription = informer.resource$.subscribe();
    end = () => subscription.unsubscribe();
    server.modify(pod('shop/web', { spec: { nodeName: 'node-2' } }));
    expect(informer.indexer.getByKey('shop/web')).toEqual({ node: undefined });
    end = () => undefined;
    session();
    expect(informer.indexer.getByKey('shop/web')).toEqual({ node: 'node-2' });
  });
});
