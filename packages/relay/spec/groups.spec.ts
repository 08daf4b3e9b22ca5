import { describe, expect, it } from '@jest/globals';
import { type Collection, type KubernetesObject, metaNamespaceKey, resources } from 'rx-informer';
import { sourceGroups } from '../src/log/groups.js';
import { derive, type Read, topObjects } from '@rx-informer/views';
import { fakeCollection } from '@rx-informer/views/testing';
import { configMap, pod } from 'rx-informer/testing';

const compareKeys = (a: KubernetesObject, b: KubernetesObject): number => (metaNamespaceKey(a) < metaNamespaceKey(b) ? -1 : 1);

describe('the rights that a value of a view takes', () => {
  /** A view of config maps that reads pods in one of several ways. */
  const needed = async (reads: (read: Read, pods: ReturnType<typeof podsOf>) => unknown): Promise<readonly string[]> => {
    const pods = podsOf();
    const maps = fakeCollection([configMap('a/web')], { name: 'maps' });
    const view = derive(maps, (_, read) => ({ seen: reads(read, pods) }), { name: 'view' });
    await view.whenSynced();
    const sources = {
      maps: { collection: maps, resource: resources.core.v1.configmaps },
      pods: { collection: pods, resource: resources.core.v1.pods },
      view: { collection: view, inputs: ['maps', 'pods'] },
    };
    const { groupOf, accessOf } = sourceGroups(sources, 'view');
    const access = accessOf(groupOf('a/web'));
    return access.filter(({ resource }) => resource === 'pods').map(({ namespace }) => namespace);
  };
  const podsOf = () => fakeCollection([pod('a/one', { metadata: { labels: { app: 'web' } } }), pod('b/two')], { name: 'pods' });

  it.each<readonly [string, (read: Read, pods: ReturnType<typeof podsOf>) => unknown, readonly string[]]>([
    ['of one object: its namespace', (read, pods) => read.get(pods, 'b/two'), ['b']],
    ['of an object that is not there: its namespace', (read, pods) => read.get(pods, 'c/none'), ['c']],
    ['of a namespace: that one', (read, pods) => read(pods, { namespace: 'b' }).length, ['b']],
    ['of a namespace through a filter: that one', (read, pods) => read(pods, { namespace: 'b', filter: () => false }).length, ['b']],
    ['of everything: the namespaces of what there is', (read, pods) => read(pods).length, ['a', 'b']],
    [
      'of everything through a filter, which looks at what it leaves out: all namespaces',
      (read, pods) => read(pods, { filter: ({ metadata }) => metadata?.namespace === 'a' }).length,
      [''],
    ],
    ['of labels that nothing has: all namespaces', (read, pods) => read(pods, { labelSelector: 'app=none' }).length, ['']],
  ])('are, for a read %s', async (_, reads, namespaces) => {
    expect(await needed(reads)).toEqual(namespaces);
  });

  it.each<readonly [string, (pods: ReturnType<typeof podsOf>) => Collection<unknown>, readonly string[]]>([
    ['the first objects of an order: all namespaces', (pods) => topObjects(pods, compareKeys, { limit: 1 }), ['']],
    ['a window of an order: all namespaces', (pods) => topObjects(pods, compareKeys, { limit: Infinity }).window({ limit: 1 }), ['']],
    ['all objects of an order: the namespace of each', (pods) => topObjects(pods, compareKeys, { limit: Infinity }), ['a']],
  ])('are, of %s', async (_, viewOf, namespaces) => {
    const pods = podsOf();
    const view = viewOf(pods);
    await view.whenSynced();
    const { groupOf, accessOf } = sourceGroups(
      { pods: { collection: pods, resource: resources.core.v1.pods }, view: { collection: view, inputs: ['pods'] } },
      'view',
    );
    expect(accessOf(groupOf('a/one')).map(({ namespace }) => namespace)).toEqual(namespaces);
  });

  it('are, of the first values of a view, those of all that it comes to be made of', async () => {
    const [pods, maps] = [podsOf(), fakeCollection([configMap('a/one')], { name: 'maps' })];
    const read = derive(maps, ({ data }, read_) => ({
      name: data?.['read'] === undefined ? 'none' : read_.get(pods, 'b/two')?.metadata?.name,
    }));
    const [first, window] = [topObjects(read, () => 0), topObjects(read, () => 0, { limit: Infinity }).window({ limit: 1 })];
    await Promise.all([first.whenSynced(), window.whenSynced()]);
    const sources = {
      maps: { collection: maps, resource: resources.core.v1.configmaps },
      pods: { collection: pods, resource: resources.core.v1.pods },
      ...{ first: { collection: first, inputs: ['maps', 'pods'] }, window: { collection: window, inputs: ['maps', 'pods'] } },
    };
    const accesses = ['first', 'window'].map((name) => {
      const { groupOf, accessOf } = sourceGroups(sources, name);
      return () => accessOf(groupOf('a/one')).map(({ resource, namespace }) => `${resource} ${namespace}`);
    });
    expect(accesses.map((of) => of())).toEqual([['configmaps '], ['configmaps ']]);
    maps.put(configMap('a/two', { data: { read: 'yes' } }));
    expect(accesses.map((of) => of())).toEqual([
      ['configmaps ', 'pods '],
      ['configmaps ', 'pods '],
    ]);
  });
});
