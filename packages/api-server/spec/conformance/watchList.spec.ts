import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { itEmbedded, openTarget, secondMs, type Target } from '../support/target.js';
import { brief } from '../support/watchReader.js';

const streaming = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
const marker = { 'k8s.io/initial-events-end': 'true' };
const secret = (name: string, labels?: Record<string, string>): object => ({ metadata: { name, ...(labels && { labels }) } });

describe('watch with sendInitialEvents', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('sends the state, the marked bookmark, then what happens (row 18)', async () => {
    const path = await target.secrets();
    const b = await target.post(path, secret('b'));
    const a = await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?${streaming}`);
    const [first, second, bookmark] = await watch.take(3);
    expect([first, second].map((event) => event && brief(event))).toEqual([
      `ADDED a@${a.metadata.resourceVersion}`,
      `ADDED b@${b.metadata.resourceVersion}`,
    ]);
    expect(bookmark).toMatchObject({ type: 'BOOKMARK', object: { kind: 'Secret', apiVersion: 'v1', metadata: { annotations: marker } } });
    expect(Number(bookmark?.object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(a.metadata.resourceVersion));
    const live = await target.post(path, secret('c'));
    expect(brief(await watch.next())).toBe(`ADDED c@${live.metadata.resourceVersion}`);
    watch.close();
  });

  it('marks the end of no objects at all, by the version of the whole store (rows 18, 19)', async () => {
    const [mine, other] = [await target.secrets(), await target.secrets()];
    const { metadata } = await target.post(other, secret('theirs'));
    const watch = await target.watch(`${mine}?${streaming}`);
    const { type, object } = await watch.next();
    expect([type, object.metadata.annotations]).toEqual(['BOOKMARK', marker]);
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
    watch.close();
  });

  it('sends the whole state, however new the version is that it asks for (5.4)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const { metadata } = await target.post(path, secret('b'));
    const watch = await target.watch(`${path}?${streaming}&resourceVersion=${metadata.resourceVersion}`);
    expect((await watch.take(3)).map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
    watch.close();
  });

  it('selects among the initial events too (5.4)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a', { x: 'y' }));
    await target.post(path, secret('b'));
    const watch = await target.watch(`${path}?${streaming}&labelSelector=x%3Dy`);
    expect((await watch.take(2)).map(({ type, object }) => [type, object.metadata.name])).toEqual([
      ['ADDED', 'a'],
      ['BOOKMARK', undefined],
    ]);
    watch.close();
  });

  it('marks nothing where bookmarks are not allowed (row 16)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=3`);
    await watch.ended;
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED']);
  });

  it('sends only what comes, given sendInitialEvents=false (5.2)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?watch=true&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`);
    await target.post(path, secret('b'));
    expect((await watch.next()).object.metadata.name).toBe('b');
    watch.close();
  });

  it('gives up after three seconds on a version that does not come, with an ERROR event (5.4)', async () => {
    const path = await target.secrets();
    const { metadata } = await target.must(path);
    const future = Number(metadata.resourceVersion) + 1_000_000;
    const begun = Date.now();
    const watch = await target.watch(`${path}?${streaming}&resourceVersion=${String(future)}`);
    const { type, object } = await watch.next();
    expect([type, object.code, object.reason]).toEqual(['ERROR', 504, 'Timeout']);
    expect(object['details']).toMatchObject({ causes: [{ reason: 'ResourceVersionTooLarge' }] });
    expect(await watch.ended).toBe(true);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2.7 * secondMs);
  });

  it('is what a watch without a version becomes where bookmarks are allowed (5.4)', async () => {
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?watch=true&allowWatchBookmarks=true`);
    expect((await watch.take(2)).map(({ type, object }) => [type, object.metadata.annotations])).toEqual([
      ['ADDED', undefined],
      ['BOOKMARK', marker],
    ]);
    watch.close();
  });

  const notOlder = 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan';
  const onlyWith = 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided';
  it.each([
    ['sendInitialEvents=true', [notOlder]],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', [notOlder, 'Unsupported value: "Exact": supported values: "NotOlderThan"']],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=1', [onlyWith]],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x',
      ['resourceVersionMatch is forbidden when continue is provided'],
    ],
  ])('refuses ?%s with 422 (row 20)', async (query, problems) => {
    const path = await target.secrets();
    const { code, json } = await target.request(`${path}?watch=true&${query}`);
    expect(code).toBe(422);
    expect(json).toMatchObject({ reason: 'Invalid', details: { group: 'meta.k8s.io', kind: 'ListOptions' } });
    expect(json.message).toMatch(/^ListOptions.meta.k8s.io "" is invalid: /);
    for (const problem of problems) expect(json.message).toContain(problem);
  });
});

describe('watch with sendInitialEvents, in other versions', () => {
  itEmbedded('is a watch like any other up to 1.18: the marker never comes (row 21)', async () => {
    const target = await openTarget({ profile: '1.18' });
    const path = await target.secrets();
    await target.post(path, secret('a'));
    const watch = await target.watch(`${path}?${streaming}&timeoutSeconds=4`);
    await watch.ended;
    expect(watch.events.map(({ type }) => type)).toEqual(['ADDED']);
    await target.close();
  });

  itEmbedded('is refused from 1.19 to 1.26, in their words (row 22)', async () => {
    const target = await openTarget({ profile: '1.26' });
    const { code, json } = await target.request(`${await target.secrets()}?${streaming}`);
    expect(code).toBe(422);
    expect(json.message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch, resourceVersionMatch: Forbidden: ' +
        'resourceVersionMatch is forbidden unless resourceVersion is provided]',
    );
    await target.close();
  });

  itEmbedded('is refused where the feature is switched off (row 22)', async () => {
    const target = await openTarget({ profile: 'gate-off' });
    const { code, json } = await target.request(`${await target.secrets()}?${streaming}`);
    expect(code).toBe(422);
    expect(json.message).toBe(
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
    await target.close();
  });
});
