import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { itEmbedded, openTarget, secondMs, type Target } from '../support/target.js';
import { brief } from '../support/watchReader.js';

const secret = (name: string, labels?: Record<string, string>): object => ({ metadata: { name, ...(labels && { labels }) }, data: {} });

describe('watch', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('sends its headers before any event exists (row 1)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    expect(watch.message.headers).toMatchObject({ 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
    expect(watch.events).toEqual([]);
    watch.close();
  });

  it('shows what happened since a list: objects created, changed and deleted (rows 2 to 4)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('changed'));
    await target.post(path, secret('deleted'));
    const { metadata } = await target.must(path);
    const added = await target.post(path, secret('added'));
    const changed = await target.merge(`${path}/changed`, { metadata: { labels: { a: 'b' } } });
    await target.delete(`${path}/deleted`);
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const [first, second, third] = await watch.take(3);
    expect(first).toMatchObject({ type: 'ADDED', object: added });
    expect(second).toMatchObject({ type: 'MODIFIED', object: changed });
    expect(third).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'deleted' } } });
    watch.close();
  });

  it('counts one number up with every write, and stamps it on the object written (row 5)', async () => {
    const path = await target.secrets();
    const versions: number[] = [];
    for (const name of ['a', 'b', 'c']) versions.push(Number((await target.post(path, secret(name))).metadata.resourceVersion));
    versions.push(Number((await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } })).metadata.resourceVersion));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect((await target.must(`${path}/a`)).metadata.resourceVersion).toBe(String(versions.at(-1)));
  });

  it('delivers only what is newer than the version asked for, once and in order (row 7)', async () => {
    const path = await target.secrets();
    const first = await target.post(path, secret('a'));
    const later = [];
    for (const name of ['b', 'c', 'd']) later.push(await target.post(path, secret(name)));
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${first.metadata.resourceVersion}&timeoutSeconds=1`);
    await watch.ended;
    expect(watch.events.map(brief)).toEqual(later.map((object) => `ADDED ${object.metadata.name}@${object.metadata.resourceVersion}`));
  });

  it.each(['', '&resourceVersion=0'])(
    'begins with the state of now as ADDED events, given no version or zero: "%s" (row 8)',
    async (version) => {
      const path = await target.secrets();
      const b = await target.post(path, secret('b'));
      const a = await target.post(path, secret('a'));
      const watch = await target.watch(`${path}?watch=true${version}`);
      const events = await watch.take(2);
      expect(events.map(brief).sort()).toEqual([`ADDED a@${a.metadata.resourceVersion}`, `ADDED b@${b.metadata.resourceVersion}`]);
      await target.delete(`${path}/a`);
      expect(await watch.next()).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a' } } });
      watch.close();
    },
  );

  itEmbedded('answers a version that is too old with 200, an ERROR event and the end (rows 9, 10)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.post(path, secret('a'));
    await target.post(path, secret('b'));
    target.server.faults.expireWatches();
    const now = target.server.snapshot().resourceVersion;
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    expect(await watch.ended).toBe(true);
    expect(watch.events).toEqual([
      {
        type: 'ERROR',
        object: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `too old resource version: ${metadata.resourceVersion} (${now})`,
          reason: 'Expired',
          code: 410,
        },
      },
    ]);
  });

  it('shows a deleted object with the version of its deletion (row 11)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.post(path, secret('a'));
    await target.delete(`${path}/a`);
    const next = await target.post(path, secret('b'));
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const { type, object } = await watch.next();
    expect(type).toBe('DELETED');
    expect(object).toMatchObject({ kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a', uid: metadata.uid } });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
    expect(Number(object.metadata.resourceVersion)).toBeLessThan(Number(next.metadata.resourceVersion));
    watch.close();
  });

  it('turns changes of labels into ADDED, MODIFIED and DELETED of what is selected (row 12)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    const watch = await target.watch(`${path}?watch=true&labelSelector=sel%3Dyes&resourceVersion=${metadata.resourceVersion}`);
    await target.post(path, secret('s'));
    const labels = [{ sel: 'yes' }, { foo: 'x' }, { sel: 'no' }, { foo: 'y' }, { sel: 'yes' }];
    const versions: string[] = [];
    for (const change of labels)
      versions.push((await target.merge(`${path}/s`, { metadata: { labels: change } })).metadata.resourceVersion);
    const events = await watch.take(4);
    expect(events.map(({ type, object }) => [type, object.metadata.resourceVersion, object.metadata.labels])).toEqual([
      ['ADDED', versions[0], { sel: 'yes' }],
      ['MODIFIED', versions[1], { sel: 'yes', foo: 'x' }],
      ['DELETED', versions[2], { sel: 'yes', foo: 'x' }],
      ['ADDED', versions[4], { sel: 'yes', foo: 'y' }],
    ]);
    watch.close();
  });

  it('turns changes of fields into ADDED and DELETED of what is selected (row 13)', async () => {
    const path = `/api/v1/namespaces/${await target.namespace()}/pods`;
    const { metadata } = await target.must(path);
    const watch = await target.watch(`${path}?watch=true&fieldSelector=status.phase%3DRunning&resourceVersion=${metadata.resourceVersion}`);
    await target.post(path, { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } });
    await target.merge(`${path}/p/status`, { status: { phase: 'Running' } });
    await target.merge(`${path}/p/status`, { status: { phase: 'Failed' } });
    const events = await watch.take(2);
    expect(events.map(({ type, object }) => [type, object.status['phase']])).toEqual([
      ['ADDED', 'Running'],
      ['DELETED', 'Running'],
    ]);
    watch.close();
  });

  it('ends in good order when its time is up (row 14)', async () => {
    const path = await target.secrets();
    const begun = Date.now();
    const watch = await target.watch(`${path}?watch=true&timeoutSeconds=1`);
    // One second in which the machine stalls counts once, however long it takes.
    let seconds = 0;
    const timer = setInterval(() => (seconds += 1), secondMs);
    expect(await watch.ended).toBe(true);
    clearInterval(timer);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(0.9 * secondMs);
    expect(seconds).toBeLessThan(20);
  });

  it.each([
    ['-1', true],
    ['abc', false],
  ])('ends at once, or refuses, for timeoutSeconds=%s (row 14)', async (seconds, accepted) => {
    const path = await target.secrets();
    const answer = await target.request(`${path}?watch=true&timeoutSeconds=${seconds}`);
    expect(answer.code).toBe(accepted ? 200 : 400);
  });

  it('sends a bookmark two seconds before its end, to those that allow it (rows 15, 16)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    const { metadata: written } = await target.post(path, secret('a'));
    const query = `watch=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3`;
    const [allowing, plain] = await Promise.all([
      target.watch(`${path}?${query}&allowWatchBookmarks=true`),
      target.watch(`${path}?${query}`),
    ]);
    // A real server sends no bookmark of the version that a watch begins with.
    await target.post(await target.secrets(), secret('elsewhere'));
    await Promise.all([allowing.ended, plain.ended]);
    expect(plain.events.map(({ type }) => type)).toEqual(['ADDED']);
    const [, bookmark] = allowing.events;
    expect(bookmark).toMatchObject({
      type: 'BOOKMARK',
      object: { kind: 'Secret', apiVersion: 'v1', metadata: { resourceVersion: expect.any(String) } },
    });
    expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(written.resourceVersion));
  });

  it('can be resumed from a bookmark without replay or gap (row 17)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    await target.post(path, secret('before'));
    const first = await target.watch(
      `${path}?watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=3`,
    );
    // A real server sends no bookmark of the version that a watch begins with.
    await target.post(await target.secrets(), secret('elsewhere'));
    await first.ended;
    const bookmark = first.events.find(({ type }) => type === 'BOOKMARK');
    const after = await target.post(path, secret('after'));
    const second = await target.watch(`${path}?watch=true&resourceVersion=${bookmark?.object.metadata.resourceVersion}`);
    expect(brief(await second.next())).toBe(`ADDED after@${after.metadata.resourceVersion}`);
    second.close();
  });

  it('sends one JSON object per line, with kind and apiVersion inside (row 26)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?watch=true&timeoutSeconds=1`);
    await watch.ended;
    expect(watch.lines).toHaveLength(1);
    expect(watch.lines[0]).toMatch(/^\{"type":"ADDED","object":\{.*\}\}$/);
    expect(watch.events[0]?.object).toMatchObject({ kind: 'Secret', apiVersion: 'v1' });
  });

  itEmbedded('is silent about everything up to a version that is still to come (row 41)', async () => {
    const path = await target.secrets();
    const future = target.server.snapshot().resourceVersion + 2;
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${future}`);
    for (const name of ['a', 'b', 'c', 'd']) await target.post(path, secret(name));
    expect((await watch.take(2)).map(({ object }) => object.metadata.name)).toEqual(['c', 'd']);
    watch.close();
  });

  it('works in a namespace that does not exist, and is empty there (row 43)', async () => {
    const path = '/api/v1/namespaces/no-such-namespace/secrets';
    expect((await target.must(path)).items).toEqual([]);
    const watch = await target.watch(`${path}?watch=true&timeoutSeconds=1`);
    expect(await watch.ended).toBe(true);
    expect(watch.events).toEqual([]);
  });

  it('shows the same events to two watches from the same version, whatever else goes on (row 44)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    const query = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const early = await target.watch(query);
    await Promise.all(Array.from({ length: 40 }, (_, at) => target.post(path, secret(`s${at}`))));
    const late = await target.watch(query);
    const [a, b] = await Promise.all([early.take(40), late.take(40)]);
    expect(a).toEqual(b);
    expect(a.map(({ object }) => Number(object.metadata.resourceVersion))).toEqual(
      a.map(({ object }) => Number(object.metadata.resourceVersion)).sort((x, y) => x - y),
    );
    early.close();
    late.close();
  });

  it('of one namespace leaves the others out (row 46)', async () => {
    const [mine, other] = [await target.secrets(), await target.secrets()];
    const { metadata } = await target.must(mine);
    const watch = await target.watch(`${mine}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await target.post(other, secret('theirs'));
    await target.post(mine, secret('mine'));
    expect((await watch.next()).object.metadata.name).toBe('mine');
    watch.close();
  });

  it('emits nothing for a dry run, or a write that changes nothing (rows 23, 24)', async () => {
    const path = await target.secrets();
    const created = await target.post(path, secret('a', { x: 'y' }));
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${created.metadata.resourceVersion}`);
    await target.post(`${path}?dryRun=All`, secret('dry'));
    await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } });
    await target.put(`${path}/a`, created);
    await target.post(path, secret('end'));
    expect((await watch.next()).object.metadata.name).toBe('end');
    watch.close();
  });

  itEmbedded('can be asked for under the old /watch/ prefix (row 104)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.post(path, secret('a'));
    await target.merge(`${path}/a`, { metadata: { labels: { x: 'y' } } });
    await target.post(path, secret('b'));
    const prefixed = path.replace('/api/v1/', '/api/v1/watch/');
    const all = await target.watch(`${prefixed}?resourceVersion=${metadata.resourceVersion}`);
    expect((await all.take(2)).map(({ object }) => object.metadata.name)).toEqual(['a', 'b']);
    const one = await target.watch(`${prefixed}/b?resourceVersion=${metadata.resourceVersion}`);
    expect((await one.next()).object.metadata.name).toBe('b');
    all.close();
    one.close();
  });

  it('of a single object is no watch, but a get (3.1)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    expect(await target.must(`${path}/a?watch=true`)).toMatchObject({ kind: 'Secret', metadata: { name: 'a' } });
  });
});

describe('watch, on the embedded server', () => {
  itEmbedded('sends a bookmark every minute, whose version may belong to another namespace (rows 15, 46)', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const target = await openTarget({ clock });
    const [mine, other] = [await target.secrets(), await target.secrets()];
    const { metadata } = await target.must(mine);
    const watch = await target.watch(
      `${mine}?watch=true&allowWatchBookmarks=true&resourceVersion=${metadata.resourceVersion}&timeoutSeconds=600`,
    );
    clock.advanceBy(60_000);
    const { metadata: written } = await target.post(other, secret('theirs'));
    clock.advanceBy(59_000);
    await target.must(mine);
    expect(watch.events).toEqual([]);
    clock.advanceBy(1_000);
    expect(brief(await watch.next())).toBe(`BOOKMARK @${written.resourceVersion}`);
    watch.close();
    await target.close();
  });

  itEmbedded('ends a watch whose client does not read, and lets the others go on (row 45)', async () => {
    // The time is stopped, so that the server never closes the connection before the client has read the end.
    const target = await openTarget({ historyLimit: 50, clock: createManualClock(Date.UTC(2026, 0, 1)) });
    const path = await target.secrets();
    const query = `${path}?watch=true&resourceVersion=${(await target.must(path)).metadata.resourceVersion}`;
    const slow = await target.watch(query);
    const quick = await target.watch(query);
    slow.message.pause();
    const filling = 'x'.repeat(100_000);
    const written = 300;
    for (let at = 0; at < written; at += 1) {
      await target.post(path, { metadata: { name: `s${at}` }, stringData: { filling } });
      expect((await quick.next()).object.metadata.name).toBe(`s${at}`);
    }
    slow.message.resume();
    expect(await slow.ended).toBe(true);
    expect(slow.events.length).toBeLessThan(written);
    expect(slow.events.at(-1)?.type).toBe('ADDED');
    quick.close();
    await target.close();
  });
});
