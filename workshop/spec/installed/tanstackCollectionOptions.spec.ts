import { describe, expect, it } from '@jest/globals';
import { createCollection, createLiveQueryCollection, eq } from '@tanstack/db';
import { fakeCollection } from '@rx-informer/views/testing';
import { derive, tanstackCollectionOptions } from '@rx-informer/views';

interface Pod {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly uid: string };
  readonly phase: string;
}

const pod = (name: string, phase: string, uid = name): Pod => ({ metadata: { namespace: 'n', name, uid }, phase });

describe('tanstackCollectionOptions', () => {
  it('feeds a collection of TanStack DB, which is ready when the content is complete', async () => {
    const pods = fakeCollection([pod('a', 'Running'), pod('b', 'Pending')], { name: 'pods', synced: false });
    const rows = createCollection(tanstackCollectionOptions(pods));
    const ready = rows.preload();
    expect([rows.status, pods.subscriptions()]).toEqual(['loading', 1]);
    pods.replace([pod('a', 'Running'), pod('b', 'Pending')]);
    await ready;
    expect([rows.id, rows.status, [...rows.keys()].sort()]).toEqual(['pods', 'ready', ['n/a', 'n/b']]);
    pods.put(pod('b', 'Running'), pod('c', 'Pending'));
    pods.remove('n/a');
    expect(rows.toArray.map(({ key, object }) => `${key} ${object.phase}`).sort()).toEqual(['n/b Running', 'n/c Pending']);
    await rows.cleanup();
    expect(pods.subscriptions()).toBe(0);
  });

  it('replaces an object that was created again under its name', async () => {
    const pods = fakeCollection([pod('a', 'Running')]);
    const rows = createCollection(tanstackCollectionOptions(pods));
    await rows.preload();
    pods.put(pod('a', 'Pending', 'another'));
    expect(rows.toArray.map(({ key, object }) => [key, object])).toEqual([['n/a', pod('a', 'Pending', 'another')]]);
  });

  it('feeds live queries from a view whose values have no metadata', async () => {
    const pods = fakeCollection([pod('a', 'Running'), pod('b', 'Pending')]);
    const phases = createCollection(tanstackCollectionOptions(derive(pods, ({ phase }) => ({ phase }))));
    const running = createLiveQueryCollection((query) => query.from({ row: phases }).where(({ row }) => eq(row.object.phase, 'Running')));
    await running.preload();
    pods.put(pod('b', 'Running'));
    pods.remove('n/a');
    expect(running.toArray.map(({ key }) => key)).toEqual(['n/b']);
  });

  it('refuses what is no collection', () => {
    expect(() => tanstackCollectionOptions([] as never)).toThrow(
      'Expected `tanstackCollectionOptions` to be given an informer or a view, got',
    );
  });
});
