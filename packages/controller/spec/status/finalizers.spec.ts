import { describe, expect, it } from '@jest/globals';

import { type KubernetesObject, resources } from 'rx-informer';
import { ensureFinalizer, hasFinalizer, isBeingDeleted, removeFinalizer } from '../../src/status/finalizers.js';
import { startApiServer } from '@rx-informer/api-server';

const mine = 'example.com/cleanup';
const object = (...finalizers: string[]): KubernetesObject => ({
  metadata: { name: 'a', resourceVersion: '7', ...(finalizers.length > 0 && { finalizers }) },
});
const test = { op: 'test', path: '/metadata/resourceVersion', value: '7' };

describe('ensureFinalizer', () => {
  it('adds the finalizer to those that are there, for this version of the object only', () => {
    const before = object('other.com/x');
    const { object: after, patch } = ensureFinalizer(before, mine);
    expect(after.metadata?.finalizers).toEqual(['other.com/x', mine]);
    expect(patch).toEqual([test, { op: 'add', path: '/metadata/finalizers/1', value: mine }]);
    expect(before.metadata?.finalizers).toEqual(['other.com/x']);
  });

  it('makes the list when there is none', () => {
    expect(ensureFinalizer(object(), mine).patch).toEqual([test, { op: 'add', path: '/metadata/finalizers', value: [mine] }]);
  });

  it('changes nothing when the finalizer is there, or the object is being deleted', () => {
    const there = object(mine);
    expect(ensureFinalizer(there, mine)).toEqual({ object: there, patch: [] });
    const leaving = { metadata: { ...object('other.com/x').metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };
    expect(ensureFinalizer(leaving, mine)).toEqual({ object: leaving, patch: [] });
  });

  it.each(['cleanup', 'example.com', '/x', 'example.com/', 'Example.com/x', 'a b.com/x'])(
    'refuses the name %j, as the server would',
    (name) => {
      expect(() => ensureFinalizer(object(), name)).toThrow(
        new TypeError(`Expected \`finalizer\` to be a name such as "example.com/cleanup", got ${JSON.stringify(name)}`),
      );
    },
  );
});

describe('removeFinalizer', () => {
  it('takes away this one and no other', () => {
    const { object: after, patch } = removeFinalizer(object('a.com/x', mine, 'b.com/y'), mine);
    expect(after.metadata?.finalizers).toEqual(['a.com/x', 'b.com/y']);
    expect(patch).toEqual([test, { op: 'remove', path: '/metadata/finalizers/1' }]);
  });

  it('changes nothing when it is not there', () => {
    const without = object('a.com/x');
    expect(removeFinalizer(without, mine)).toEqual({ object: without, patch: [] });
    expect(removeFinalizer({}, mine).patch).toEqual([]);
  });
});

describe('hasFinalizer and isBeingDeleted', () => {
  it('read the metadata', () => {
    expect([hasFinalizer(object(mine), mine), hasFinalizer(object(), mine), hasFinalizer({}, mine)]).toEqual([true, false, false]);
    expect([isBeingDeleted(object()), isBeingDeleted({ metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } })]).toEqual([false, true]);
  });
});

describe('finalizers on a server', () => {
  it('keep a deleted object until the last one is removed, and only patches of the newest version get through', async () => {
    const server = await startApiServer();
    const { client } = server;
    const { configmaps } = resources.core.v1;
    const inDefault = { namespace: 'default' };
    const first = await client.create(configmaps, { metadata: { name: 'guarded', namespace: 'default' } });
    const { patch } = ensureFinalizer(first, 'example.com/cleanup');
    await client.patch(configmaps, 'guarded', 'json', patch, inDefault);
    await expect(client.patch(configmaps, 'guarded', 'json', patch, inDefault)).rejects.toMatchObject({ code: 422 });

    await client.delete(configmaps, 'guarded', inDefault);
    const leaving = await client.get(configmaps, 'guarded', inDefault);
    expect(ensureFinalizer(leaving, 'example.com/other').patch).toEqual([]);
    await client.patch(configmaps, 'guarded', 'json', removeFinalizer(leaving, 'example.com/cleanup').patch, inDefault);
    await expect(client.get(configmaps, 'guarded', inDefault)).rejects.toMatchObject({ code: 404 });
    await server.close();
  });
});
