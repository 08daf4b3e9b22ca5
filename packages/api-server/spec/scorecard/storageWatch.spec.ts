import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collection, sayOf, versionOf } from '../support/collection.js';
import { openTarget, type Target } from '../support/target.js';
import { brief, type WatchReader } from '../support/watchReader.js';

const endMark = { 'k8s.io/initial-events-end': 'true' };
const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const selected = 'labelSelector=in%3Dyes';

/** The watch cases of k8s.io/apiserver, pkg/storage/testing, over HTTP. */
describe('storage', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const collection = (): Promise<Collection> => Collection.of(target);
  const pods = async (): Promise<Collection> => new Collection(target, `/api/v1/namespaces/${await target.namespace()}/pods`);
  const pod = { spec: { containers: [{ name: 'c', image: 'i' }] } };
  const from = async (all: Collection, query = ''): Promise<WatchReader> => all.watch(`resourceVersion=${await all.version()}&${query}`);

  it('RunTestWatch: create a key', async () => {
    const all = await collection();
    const watch = await from(all);
    const made = await all.create('a');
    expect(brief(await watch.next())).toBe(sayOf('ADDED', made));
    watch.close();
  });

  it('RunTestWatch: key updated to match predicate', async () => {
    const all = await collection();
    const watch = await from(all, selected);
    await all.create('a');
    const now = await all.label('a', { in: 'yes' });
    expect(brief(await watch.next())).toBe(sayOf('ADDED', now));
    watch.close();
  });

  it('RunTestWatch: update', async () => {
    const all = await collection();
    const watch = await from(all);
    const made = await all.create('a');
    const now = await all.label('a', { x: 'y' });
    expect((await watch.take(2)).map(brief)).toEqual([sayOf('ADDED', made), sayOf('MODIFIED', now)]);
    watch.close();
  });

  it('RunTestWatch: delete because of being filtered', async () => {
    const all = await collection();
    const watch = await from(all, selected);
    await all.create('a', { in: 'yes' });
    const now = await all.label('a', { in: 'no' });
    const [, gone] = await watch.take(2);
    expect(gone).toMatchObject({ type: 'DELETED', object: { metadata: { resourceVersion: versionOf(now), labels: { in: 'yes' } } } });
    watch.close();
  });

  it('RunTestWatch: filtering', async () => {
    const all = await collection();
    const watch = await from(all, selected);
    await all.create('out');
    const made = await all.create('in', { in: 'yes' });
    expect(brief(await watch.next())).toBe(sayOf('ADDED', made));
    watch.close();
  });

  it('RunTestWatchFromZero: the state first, also of what was written and deleted meanwhile', async () => {
    const all = await collection();
    const made = await all.create('a');
    const first = await all.watch('resourceVersion=0');
    expect(brief(await first.next())).toBe(sayOf('ADDED', made));
    const now = await all.label('a', { x: 'y' });
    expect(brief(await first.next())).toBe(sayOf('MODIFIED', now));
    const second = await all.watch('resourceVersion=0');
    expect(brief(await second.next())).toBe(sayOf('ADDED', now));
    await all.delete('a');
    expect((await second.next()).type).toBe('DELETED');
    const again = await all.create('a');
    const third = await all.watch('resourceVersion=0');
    expect(brief(await third.next())).toBe(sayOf('ADDED', again));
    for (const watch of [first, second, third]) watch.close();
  });

  it('RunDeleteTriggerWatch: a deletion', async () => {
    const all = await collection();
    const made = await all.create('a');
    const watch = await all.watch(`resourceVersion=${versionOf(made)}`);
    await all.delete('a');
    expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a', uid: made.metadata.uid } } });
    watch.close();
  });

  it('RunTestWatchFromNonZero: what comes after the version', async () => {
    const all = await collection();
    const made = await all.create('a');
    const watch = await all.watch(`resourceVersion=${versionOf(made)}`);
    const now = await all.label('a', { x: 'y' });
    expect(brief(await watch.next())).toBe(sayOf('MODIFIED', now));
    watch.close();
  });

  it('RunTestDelayedWatchDelivery: every event, however late it is read', async () => {
    const all = await collection();
    const watch = await from(all);
    watch.message.pause();
    const said = [];
    for (let at = 0; at < 30; at += 1) said.push(sayOf('ADDED', await all.create(`s${String(at)}`)));
    watch.message.resume();
    expect((await watch.take(30)).map(brief)).toEqual(said);
    watch.close();
  });

  it('RunTestWatcherTimeout: a watch that does not read holds up no other', async () => {
    const all = await collection();
    const [slow, quick] = [await from(all), await from(all)];
    slow.message.pause();
    for (let at = 0; at < 50; at += 1)
      await all.create(`s${String(at)}`, undefined, { data: { k: Buffer.alloc(30_000).toString('base64') } });
    expect(await quick.take(50)).toHaveLength(50);
    slow.close();
    quick.close();
  });

  it('RunTestWatchDeleteEventObjectHaveLatestRV: a deleted object has the version of its deletion', async () => {
    const all = await collection();
    const made = await all.create('a');
    const watch = await all.watch(`resourceVersion=${versionOf(made)}`);
    await all.delete('a');
    const { object } = await watch.next();
    expect(Number(versionOf(object))).toBeGreaterThan(Number(versionOf(made)));
    const resumed = await all.watch(`resourceVersion=${versionOf(object)}`);
    const next = await all.create('b');
    expect(brief(await resumed.next())).toBe(sayOf('ADDED', next));
    watch.close();
    resumed.close();
  });

  it('RunOptionalTestProgressNotify: a quiet watch is told how far the server is', async () => {
    const [all, other] = [await collection(), await collection()];
    const version = await all.version();
    const made = await other.create('elsewhere');
    const watch = await all.watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=3`);
    // A real server sends no bookmark of the version that a watch begins with.
    await other.create('later');
    await watch.ended;
    const [bookmark] = watch.events;
    expect(bookmark).toMatchObject({ type: 'BOOKMARK' });
    expect(Number(versionOf(bookmark?.object ?? made))).toBeGreaterThanOrEqual(Number(versionOf(made)));
  });

  const clusterWide = '/apis/scheduling.k8s.io/v1/priorityclasses';
  const unique = (name: string): string => `${name}-${Math.random().toString(36).slice(2)}`;
  it.each([
    ['no selector', (): string => ''],
    ['a field', (name: string): string => `fieldSelector=metadata.name%3D${name}`],
    ['a label', (): string => selected],
    ['a field and a label', (name: string): string => `fieldSelector=metadata.name%3D${name}&${selected}`],
    ['another field', (): string => 'fieldSelector=metadata.name%3Dnobody'],
    ['another label', (): string => 'labelSelector=in%3Dno'],
  ])('RunTestClusterScopedWatch: cluster-wide, %s', async (kind, queryOf) => {
    const all = new Collection(target, clusterWide);
    const [one, two] = [unique('one'), unique('two')];
    const watch = await from(all, queryOf(one));
    const made = [await all.create(one, { in: 'yes' }, { value: 1 }), await all.create(two, undefined, { value: 2 })];
    await all.delete(one);
    await all.delete(two);
    const expected = kind.startsWith('another')
      ? []
      : kind === 'no selector'
        ? ['ADDED', 'ADDED', 'DELETED', 'DELETED']
        : ['ADDED', 'DELETED'];
    const mine = [one, two];
    const seen: string[] = [];
    while (seen.length < expected.length) {
      const { type, object } = await watch.next();
      if (mine.includes(object.metadata.name)) seen.push(type);
    }
    expect(seen).toEqual(expected);
    expect(watch.pending.filter(({ object }) => mine.includes(object.metadata.name))).toEqual([]);
    expect(made).toHaveLength(2);
    watch.close();
  });

  const places = ['one namespace', 'all namespaces'] as const;
  const selections = [
    ['no selector', '', ['a', 'b']],
    ['a name', 'fieldSelector=metadata.name%3Da', ['a']],
    ['a node', 'fieldSelector=spec.nodeName%3Dn1', ['a']],
    ['a name and a node', 'fieldSelector=metadata.name%3Da%2Cspec.nodeName%3Dn1', ['a']],
    ['a name and a node that do not meet', 'fieldSelector=metadata.name%3Db%2Cspec.nodeName%3Dn1', []],
    ['a label', selected, ['b']],
    ['a label and a node that do not meet', `fieldSelector=spec.nodeName%3Dn1&${selected}`, []],
    ['a phase', 'fieldSelector=status.phase%3DPending', ['a', 'b']],
  ] as const;
  it.each(places.flatMap((place) => selections.map(([what, query, expected]) => [place, what, query, expected] as const)))(
    'RunTestNamespaceScopedWatch: %s, %s',
    async (place, _, query, expected) => {
      const all = await pods();
      const own = all.path.split('/')[4] ?? '';
      const seen = place === 'one namespace' ? all : new Collection(target, '/api/v1/pods');
      const watch = await seen.watch(`resourceVersion=${await all.version()}&${query}`);
      const marker = await from(all);
      await all.create('a', undefined, { spec: { ...pod.spec, nodeName: 'n1' } });
      await all.create('b', { in: 'yes' }, pod);
      await target.delete(`${all.path}/a`, { gracePeriodSeconds: 0 });
      await target.delete(`${all.path}/b`, { gracePeriodSeconds: 0 });
      await marker.next(({ type, object }) => type === 'DELETED' && object.metadata.name === 'b');
      const mine = (): readonly string[] =>
        watch.events
          .filter(({ type, object }) => (type === 'ADDED' || type === 'DELETED') && object.metadata.namespace === own)
          .map(({ type, object }) => `${type} ${object.metadata.name}`)
          .sort();
      const all4 = [...expected.map((name) => `ADDED ${name}`), ...expected.map((name) => `DELETED ${name}`)];
      while (mine().length < all4.length) await watch.next();
      expect(mine()).toEqual(all4.sort());
      watch.close();
      marker.close();
    },
  );

  it.each([
    [3, true],
    [1, false],
  ])('RunTestWatchDispatchBookmarkEvents: a watch of %d s, bookmark %s', async (seconds, comes) => {
    const all = await collection();
    const before = await all.create('a');
    const made = await all.create('b');
    const watch = await all.watch(`resourceVersion=${versionOf(before)}&allowWatchBookmarks=true&timeoutSeconds=${String(seconds)}`);
    // A real server sends no bookmark of the version that a watch begins with.
    await all.create('c');
    await watch.ended;
    const bookmarks = watch.events.filter(({ type }) => type === 'BOOKMARK');
    // One bookmark or more, as the server chooses; the last one includes the write.
    expect(bookmarks.length > 0).toBe(comes);
    expect(Number(versionOf(bookmarks.at(-1)?.object ?? made))).toBeGreaterThanOrEqual(Number(versionOf(made)));
  });

  it('RunTestOptionalWatchBookmarksWithCorrectResourceVersion: no bookmark is ahead of an event to come', async () => {
    const all = await collection();
    const version = await all.version();
    await all.create('first');
    const watch = await all.watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=4`);
    const state = { over: false };
    void watch.ended.then(() => (state.over = true));
    for (let at = 0; !state.over; at += 1) await all.create(`s${String(at)}`);
    const versions = watch.events.map(({ object }) => Number(versionOf(object)));
    expect(watch.events.some(({ type }) => type === 'BOOKMARK')).toBe(true);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
  });

  it.each(['', 'resourceVersion=0'])('RunSendInitialEventsBackwardCompatibility: the state without being asked, "%s"', async (query) => {
    const all = await collection();
    const made = await all.create('a');
    const watch = await all.watch(query);
    expect(brief(await watch.next())).toBe(sayOf('ADDED', made));
    watch.close();
  });

  const versions = ['unset', '0', '1', 'current'] as const;
  const matrix = [true, false].flatMap((bookmarks) =>
    [true, false].flatMap((send) => versions.map((version) => [bookmarks, send, version] as const)),
  );
  /** Whether to watch from the first version, which a server that has run for long no longer has. */
  const mayBeTooOld = ([, send, version]: (typeof matrix)[number]): boolean => !send && version === '1';
  const queryOf = (bookmarks: boolean, send: boolean): string =>
    `sendInitialEvents=${String(send)}&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=${String(bookmarks)}`;

  it.each(matrix.filter((one) => !mayBeTooOld(one)))(
    'RunWatchSemantics: allowWatchBookmarks=%s, sendInitialEvents=%s, resourceVersion %s',
    async (bookmarks, send, version) => {
      const all = await collection();
      const made = [await all.create('a'), await all.create('b')];
      const current = await all.version();
      const asked = version === 'unset' ? '' : `&resourceVersion=${version === 'current' ? current : version}`;
      const watch = await all.watch(`${queryOf(bookmarks, send)}${asked}`);
      const later = await all.create('c');
      const expected = [...(send ? made : []), later].map((object) => sayOf('ADDED', object));
      const marks = send && bookmarks ? [endMark] : [];
      const events = [];
      // A bookmark without the annotation may come at any time.
      while (events.length < expected.length + marks.length) {
        events.push(await watch.next(({ type, object }) => type !== 'BOOKMARK' || object.metadata.annotations !== undefined));
      }
      expect(
        events
          .filter(({ type }) => type !== 'BOOKMARK')
          .map(brief)
          .sort(),
      ).toEqual([...expected].sort());
      expect(events.filter(({ type }) => type === 'BOOKMARK').map(({ object }) => object.metadata.annotations)).toEqual(marks);
      watch.close();
    },
  );

  it.each(matrix.filter(mayBeTooOld))(
    'RunWatchSemantics: allowWatchBookmarks=%s, sendInitialEvents=%s, resourceVersion %s',
    async (bookmarks, send, version) => {
      const all = await collection();
      await all.create('a');
      const watch = await all.watch(`${queryOf(bookmarks, send)}&resourceVersion=${version}`);
      const { type, object } = await watch.next();
      expect(['ADDED', 'ERROR 410']).toContain(type === 'ERROR' ? `ERROR ${String(object.code)}` : type);
      watch.close();
    },
  );

  it.each(['', '0'])('RunWatchSemantics: legacy, resourceVersion "%s"', async (version) => {
    const all = await collection();
    const made = await all.create('a');
    const watch = await all.watch(`resourceVersion=${version}`);
    expect(brief(await watch.next())).toBe(sayOf('ADDED', made));
    const later = await all.create('b');
    expect(brief(await watch.next())).toBe(sayOf('ADDED', later));
    watch.close();
  });

  it('RunWatchSemanticInitialEventsExtended: the mark is as new as the newest write of any kind', async () => {
    const [all, other] = [await collection(), await collection()];
    const made = await all.create('a');
    await all.delete('a');
    const kept = await all.create('b');
    const elsewhere = await other.create('elsewhere');
    const watch = await all.watch(initial);
    const [first, mark] = await watch.take(2);
    expect(first && brief(first)).toBe(sayOf('ADDED', kept));
    expect(mark).toMatchObject({ type: 'BOOKMARK', object: { metadata: { annotations: endMark } } });
    expect(Number(mark && versionOf(mark.object))).toBeGreaterThanOrEqual(Number(versionOf(elsewhere)));
    expect(made.metadata.name).toBe('a');
    watch.close();
  });

  it('RunWatchListMatchSingle: one object by its name', async () => {
    const all = await collection();
    await all.create('a');
    const made = await all.create('b');
    const watch = await all.watch(`${initial}&fieldSelector=metadata.name%3Db`);
    const [first, mark] = await watch.take(2);
    expect([first && brief(first), mark?.type]).toEqual([sayOf('ADDED', made), 'BOOKMARK']);
    await all.label('a', { x: 'y' });
    const now = await all.label('b', { x: 'y' });
    expect(brief(await watch.next(({ type }) => type !== 'BOOKMARK'))).toBe(sayOf('MODIFIED', now));
    watch.close();
  });
});
