import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collection, namesOf, sayOf, versionOf } from '../support/collection.js';
import { openCompactable } from '../support/openCompactable.js';
import { openTarget, secondMs, type Target } from '../support/target.js';
import { brief } from '../support/watchReader.js';

const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const selected = 'labelSelector=in%3Dyes';
const patienceMs = 120_000;

/** The test cases of the watch cache of k8s.io/apiserver (pkg/storage/cacher) that can be expressed over HTTP. */
describe('cacher', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());
  const collection = (): Promise<Collection> => Collection.of(target);

  it('TestMatchExactResourceVersionFallback: an exact list of a state that the cache no longer is in', async () => {
    const all = await collection();
    await all.create('a');
    const before = await all.version();
    for (let at = 0; at < 20; at += 1) await all.create(`s${String(at)}`);
    const list = await all.list(`resourceVersion=${before}&resourceVersionMatch=Exact`);
    expect([namesOf(list), versionOf(list)]).toEqual([['a'], before]);
  });

  it(
    'TestWatcherNotGoingBackInTime: after a restart no watch brings what is older than the version it asks for',
    async () => {
      const { target: own, forgetEvents, close } = await openCompactable();
      const all = await Collection.of(own);
      await all.create('a');
      const made = await all.create('b');
      await forgetEvents();
      const watch = await all.watch(`resourceVersion=${versionOf(made)}`);
      const next = await all.create('c');
      const event = await watch.next();
      const seen = event.type === 'ERROR' ? `ERROR ${String(event.object.code)}` : brief(event);
      expect(['ERROR 410', sayOf('ADDED', next)]).toContain(seen);
      await close();
    },
    patienceMs,
  );

  it(
    'TestCacherDontMissEventsOnReinitialization: lists and watches of a new cache know everything',
    async () => {
      const { target: own, forgetEvents, close } = await openCompactable();
      const all = await Collection.of(own);
      for (const name of ['a', 'b']) await all.create(name);
      await forgetEvents();
      const list = await all.list('resourceVersion=0');
      const made = await all.create('c');
      const watch = await all.watch(`resourceVersion=${versionOf(list)}`);
      expect([namesOf(list), brief(await watch.next())]).toEqual([['a', 'b'], sayOf('ADDED', made)]);
      await close();
    },
    patienceMs,
  );

  it('TestCacherSendBookmarkEvents: only those who allow bookmarks get them', async () => {
    const all = await collection();
    const version = await all.version();
    const query = `resourceVersion=${version}&timeoutSeconds=3`;
    await all.create('a');
    const [allowing, plain] = [await all.watch(`${query}&allowWatchBookmarks=true`), await all.watch(query)];
    // A real server sends no bookmark of the version that a watch begins with.
    await all.create('b');
    await Promise.all([allowing.ended, plain.ended]);
    // The server may send more than one.
    const types = [allowing, plain].map(({ events }) => [...new Set(events.map(({ type }) => type))]);
    expect(types).toEqual([['ADDED', 'BOOKMARK'], ['ADDED']]);
  });

  it('TestInitialEventsEndBookmark: once, after all initial events', async () => {
    const all = await collection();
    for (const name of ['a', 'b', 'c']) await all.create(name);
    const watch = await all.watch(`${initial}&timeoutSeconds=3`);
    await watch.ended;
    const marks = watch.events.map(({ object }) => object.metadata.annotations !== undefined);
    expect(marks.indexOf(true)).toBe(3);
    expect(marks.filter((mark) => mark)).toHaveLength(1);
  });

  it('TestInitialEventsEndBookmark: not without being asked', async () => {
    const all = await collection();
    const version = versionOf(await all.create('a'));
    const watch = await all.watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=3`);
    await all.create('b');
    await watch.ended;
    expect(watch.events.filter(({ object }) => object.metadata.annotations !== undefined)).toEqual([]);
  });

  it('TestBookmarksOnResourceVersionUpdates: a watch of objects that rest learns of writes elsewhere', async () => {
    const [all, other] = [await collection(), await collection()];
    const version = await all.version();
    let newest = '';
    for (let at = 0; at < 5; at += 1) newest = versionOf(await other.create(`s${String(at)}`));
    const watch = await all.watch(`resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=4`);
    // A real server sends no bookmark of the version that a watch begins with.
    await other.create('later');
    await watch.ended;
    const [bookmark] = watch.events;
    expect(Number(bookmark && versionOf(bookmark.object))).toBeGreaterThanOrEqual(Number(newest));
  });

  it('TestStartingResourceVersion: nothing at or below the version asked for', async () => {
    const all = await collection();
    const versions = [];
    for (let at = 0; at < 5; at += 1) versions.push(await all.create(`s${String(at)}`));
    const watch = await all.watch(`resourceVersion=${versionOf(versions[2] ?? (await all.list()))}`);
    expect((await watch.take(2)).map(brief)).toEqual(versions.slice(3).map((object) => sayOf('ADDED', object)));
    watch.close();
  });

  it('TestDispatchEventWillNotBeBlockedByTimedOutWatcher: a watch that has ended holds up no other', async () => {
    const all = await collection();
    const version = await all.version();
    const [brief1, lasting] = [
      await all.watch(`resourceVersion=${version}&timeoutSeconds=1`),
      await all.watch(`resourceVersion=${version}`),
    ];
    brief1.message.pause();
    await new Promise((resolve) => setTimeout(resolve, 1.2 * secondMs));
    for (let at = 0; at < 30; at += 1) await all.create(`s${String(at)}`);
    expect(await lasting.take(30)).toHaveLength(30);
    brief1.close();
    lasting.close();
  });

  it('TestCachingDeleteEvents: a deletion is the same for those who select the object and those who do not select', async () => {
    const all = await collection();
    const version = await all.version();
    const [every, chosen, other] = [
      await all.watch(`resourceVersion=${version}`),
      await all.watch(`resourceVersion=${version}&${selected}`),
      await all.watch(`resourceVersion=${version}&labelSelector=in%3Dno`),
    ];
    await all.create('a', { in: 'yes' });
    const moved = await all.label('a', { in: 'no' });
    await all.delete('a');
    const [, , gone] = await every.take(3);
    const [, left] = await chosen.take(2);
    const [, goneToo] = await other.take(2);
    expect(left).toMatchObject({ type: 'DELETED', object: { metadata: { resourceVersion: versionOf(moved), labels: { in: 'yes' } } } });
    expect(goneToo).toEqual(gone);
    for (const watch of [every, chosen, other]) watch.close();
  });

  it('TestWaitUntilWatchCacheFreshAndForceAllEvents: initial events as new as the version asked for', async () => {
    const all = await collection();
    for (let turn = 0; turn < 5; turn += 1) {
      const made = await all.create(`s${String(turn)}`);
      const watch = await all.watch(`${initial}&resourceVersion=${versionOf(made)}`);
      const events = await watch.take(turn + 2);
      expect(events.map(({ type }) => type)).toEqual([...Array<string>(turn + 1).fill('ADDED'), 'BOOKMARK']);
      watch.close();
    }
  });

  it('TestWatchListIsSynchronisedWhenNoEventsFromStoreReceived: the mark comes although the kind has no events', async () => {
    const [all, other] = [await collection(), await collection()];
    const { metadata } = await other.create('elsewhere');
    const watch = await all.watch(initial);
    const mark = await watch.next();
    expect(mark.type).toBe('BOOKMARK');
    expect(Number(versionOf(mark.object))).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
    watch.close();
  });

  it('TestWaitUntilFreshAndGetList: a list waits for the version it asks for', async () => {
    const all = await collection();
    for (let turn = 0; turn < 10; turn += 1) {
      const made = await all.create(`s${String(turn)}`);
      const list = await all.list(`resourceVersion=${versionOf(made)}&resourceVersionMatch=NotOlderThan`);
      expect(namesOf(list)).toHaveLength(turn + 1);
    }
  });

  it('TestWaitUntilFreshAndListTimeout: and gives up with 504 and a time to come back', async () => {
    const all = await collection();
    const { code, headers, json } = await all.answer(
      `resourceVersion=${String(Number(await all.version()) + 1_000_000)}&resourceVersionMatch=NotOlderThan`,
    );
    expect([code, json.reason, headers['retry-after']]).toEqual([504, 'Timeout', '1']);
  });
});
