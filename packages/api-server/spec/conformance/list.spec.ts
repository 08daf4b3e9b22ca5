import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../support/httpClient.js';
import { itEmbedded, openTarget, secondMs, status, type Target } from '../support/target.js';

const names = ({ items }: AnyJson): readonly string[] => items.map(({ metadata }) => metadata.name);
const token = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const listOptions = (detail: string): object =>
  status(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${detail}`, {
    details: expect.objectContaining({ group: 'meta.k8s.io', kind: 'ListOptions' }),
  });

describe('list', () => {
  let target: Target;
  /** Five secrets, l0 to l4; afterwards l99 was made and l4 deleted. */
  let path: string;
  let firstPage: AnyJson;
  let whole: AnyJson;
  beforeAll(async () => {
    target = await openTarget();
    path = await target.secrets();
    for (const at of [0, 1, 2, 3, 4]) {
      await target.post(path, { metadata: { name: `l${String(at)}`, labels: { app: at % 2 === 0 ? 'even' : 'odd' } } });
    }
    whole = await target.must(path);
    firstPage = await target.must(`${path}?limit=2`);
    await target.post(path, { metadata: { name: 'l99', labels: { app: 'even' } } });
    await target.delete(`${path}/l4`);
  });
  afterAll(() => target.close());

  it('has a version at least as new as every item, also when it is empty (row 6)', async () => {
    for (const { metadata } of whole.items)
      expect(Number(whole.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(metadata.resourceVersion));
    const empty = await target.must(await target.secrets());
    expect(empty).toMatchObject({ kind: 'SecretList', apiVersion: 'v1', items: [] });
    expect(Number(empty.metadata.resourceVersion)).toBeGreaterThan(Number(whole.metadata.resourceVersion));
  });

  it('is in the order of names, with items that leave out what the list says (row 88)', () => {
    expect(names(whole)).toEqual(['l0', 'l1', 'l2', 'l3', 'l4']);
    expect(whole).toMatchObject({ kind: 'SecretList', apiVersion: 'v1' });
    for (const item of whole.items) expect(Object.keys(item)).not.toContain('kind');
  });

  it('goes on page by page as it was at the first one (row 33)', async () => {
    const { metadata } = firstPage;
    expect(names(firstPage)).toEqual(['l0', 'l1']);
    const second = await target.must(`${path}?limit=2&continue=${metadata.continue ?? ''}`);
    const third = await target.must(`${path}?limit=2&continue=${second.metadata.continue ?? ''}`);
    expect([second, third].map(names)).toEqual([['l2', 'l3'], ['l4']]);
    expect([second, third].map((page) => page.metadata.resourceVersion)).toEqual([metadata.resourceVersion, metadata.resourceVersion]);
    expect(third.metadata.continue).toBeUndefined();
    expect(names(await target.must(`${path}?continue=${metadata.continue ?? ''}`))).toEqual(['l2', 'l3', 'l4']);
  });

  it('counts what remains, unless a selector leaves that open (row 34)', async () => {
    expect(firstPage.metadata.remainingItemCount).toBe(3);
    const selected = await target.must(`${path}?limit=1&labelSelector=app%3Deven`);
    expect(selected.metadata.continue).toEqual(expect.any(String));
    expect(selected.metadata.remainingItemCount).toBeUndefined();
  });

  it('fills a page with matches, however far apart they are (4.2)', async () => {
    const page = await target.must(`${path}?limit=2&labelSelector=app%3Dodd`);
    expect(names(page)).toEqual(['l1', 'l3']);
    const rest = await target.must(`${path}?limit=2&labelSelector=app%3Dodd&continue=${page.metadata.continue ?? ''}`);
    expect(names(rest)).toEqual([]);
  });

  it('takes no version beside a continue token, except zero (row 35)', async () => {
    const next = `${path}?limit=2&continue=${firstPage.metadata.continue ?? ''}`;
    const version = await target.request(`${next}&resourceVersion=${firstPage.metadata.resourceVersion}`);
    expect(version.json).toMatchObject(status(400, 'BadRequest', 'specifying resource version is not allowed when using continue'));
    const match = await target.request(`${next}&resourceVersion=${firstPage.metadata.resourceVersion}&resourceVersionMatch=Exact`);
    expect(match.json).toMatchObject(
      listOptions('resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided'),
    );
    expect(names(await target.must(`${next}&resourceVersion=0`))).toEqual(['l2', 'l3', 'l4']);
  });

  itEmbedded('says that a token is too old, and hands out one that goes on regardless (rows 36, 42)', async () => {
    const own = await openTarget();
    const secrets = await own.secrets();
    for (const name of ['a', 'b', 'c', 'd']) await own.post(secrets, { metadata: { name } });
    const page = await own.must(`${secrets}?limit=1`);
    await own.post(secrets, { metadata: { name: 'e' } });
    own.server.faults.compact();
    const expired = await own.request(`${secrets}?limit=1&continue=${page.metadata.continue ?? ''}`);
    expect(expired.json).toMatchObject(
      status(410, 'Expired', expect.stringMatching(/^The provided continue parameter is too old to display a consistent list result\. /)),
    );
    const fresh = expired.json.metadata.continue ?? '';
    expect(JSON.parse(Buffer.from(fresh, 'base64url').toString())).toEqual({ v: 'meta.k8s.io/v1', rv: -1, start: 'a\0' });
    const rest = await own.must(`${secrets}?limit=2&continue=${fresh}`);
    expect([names(rest), rest.metadata.remainingItemCount]).toEqual([['b', 'c'], 2]);
    expect(names(await own.must(`${secrets}?continue=${rest.metadata.continue ?? ''}`))).toEqual(['d', 'e']);
    const old = `resourceVersion=${page.metadata.resourceVersion}`;
    for (const query of [`${old}&resourceVersionMatch=Exact`, `${old}&limit=1`]) {
      expect((await own.request(`${secrets}?${query}`)).json).toMatchObject(
        status(410, 'Expired', 'The resourceVersion for the provided list is too old.'),
      );
    }
    expect(names(await own.must(`${secrets}?${old}`))).toEqual(['a', 'b', 'c', 'd', 'e']);
    await own.close();
  });

  it.each([
    ['garbage!', 'illegal base64 data at input byte 7'],
    [token('x'), 'invalid JSON'],
    [token({ v: 'meta.k8s.io/v1', rv: 0, start: 'l1\0' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [token({ v: 'meta.k8s.io/v1', rv: 5, start: '' }), 'encoded start key empty (version meta.k8s.io/v1)'],
    [token({ v: 'meta.k8s.io/v2', rv: 5, start: 'x' }), 'server does not recognize this encoded version meta.k8s.io/v2'],
  ])('refuses the token %s (row 37)', async (bad, problem) => {
    const { json } = await target.request(`${path}?limit=2&continue=${bad}`);
    expect(json).toMatchObject(status(400, 'BadRequest', `invalid continue token: continue key is not valid: ${problem}`));
  });

  itEmbedded('of any version is whole, whatever the limit says (row 38)', async () => {
    const all = await target.must(`${path}?resourceVersion=0&limit=2`);
    expect(names(all)).toEqual(['l0', 'l1', 'l2', 'l3', 'l99']);
    expect(all.metadata.continue).toBeUndefined();
  });

  it.each([
    ['resourceVersion=RV', ['l0', 'l1', 'l2', 'l3', 'l99'], false],
    ['resourceVersion=RV&resourceVersionMatch=NotOlderThan', ['l0', 'l1', 'l2', 'l3', 'l99'], false],
    ['resourceVersion=RV&limit=10', ['l0', 'l1', 'l2', 'l3', 'l4'], true],
    ['resourceVersion=RV&resourceVersionMatch=Exact', ['l0', 'l1', 'l2', 'l3', 'l4'], true],
    ['resourceVersion=RV&resourceVersionMatch=Exact&limit=3', ['l0', 'l1', 'l2'], true],
    ['limit=-1', ['l0', 'l1', 'l2', 'l3', 'l99'], false],
  ])('reads the state that ?%s asks for (row 39)', async (query, expected, exact) => {
    const list = await target.must(`${path}?${query.replace('RV', whole.metadata.resourceVersion)}`);
    expect(names(list)).toEqual(expected);
    expect(list.metadata.resourceVersion === whole.metadata.resourceVersion).toBe(exact);
  });

  it('of a page not older than a version is as new as it says (row 39)', async () => {
    const page = await target.must(`${path}?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=${whole.metadata.resourceVersion}`);
    expect([names(page), page.metadata.remainingItemCount]).toEqual([['l0'], 4]);
    const { rv } = JSON.parse(Buffer.from(page.metadata.continue ?? '', 'base64url').toString()) as { rv: number };
    expect(String(rv)).toBe(page.metadata.resourceVersion);
  });

  it.each([
    ['resourceVersionMatch=Exact', 'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided'],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'resourceVersionMatch=Bogus&resourceVersion=1',
      'resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""',
    ],
    ['sendInitialEvents=true', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
    ['sendInitialEvents=', 'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
  ])('refuses ?%s (row 39)', async (query, problem) => {
    expect((await target.request(`${path}?${query}`)).json).toMatchObject(listOptions(problem));
  });

  it.each(['limit=abc', 'resourceVersion=abc', 'resourceVersion=-1'])('refuses ?%s with 400 (row 39)', async (query) => {
    expect((await target.request(`${path}?${query}`)).json).toMatchObject(status(400, 'BadRequest', expect.any(String)));
  });

  it('waits three seconds for a version that is still to come, then gives up (row 40)', async () => {
    const begun = Date.now();
    const { code, headers, json } = await target.request(`${path}?resourceVersion=99999999999`);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2.7 * secondMs);
    expect([code, headers['retry-after']]).toEqual([504, '1']);
    const details = { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 };
    expect(json).toMatchObject(
      status(504, 'Timeout', expect.stringMatching(/^Timeout: Too large resource version: 99999999999, current: \d+$/), { details }),
    );
  });

  itEmbedded('comes as soon as the version it waits for is there (row 40)', async () => {
    const next = String(target.server.snapshot().resourceVersion + 1);
    const waiting = Promise.all([target.must(`${path}?resourceVersion=${next}`), target.must(`${path}/l0?resourceVersion=${next}`)]);
    await target.merge(`${path}/l0`, { metadata: { annotations: { waited: 'for' } } });
    const [list, one] = await waiting;
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(next));
    expect(one.metadata.annotations).toEqual({ waited: 'for' });
  });

  it('of all namespaces is in the order of namespace and name, and continues across them (4.2)', async () => {
    const [a, b] = [await target.secrets(), await target.secrets()].sort();
    const label = `run-${String(Date.now())}`;
    for (const secrets of [b ?? '', a ?? ''])
      for (const name of ['y', 'x']) await target.post(secrets, { metadata: { name, labels: { [label]: '' } } });
    const first = await target.must(`/api/v1/secrets?limit=3&labelSelector=${label}`);
    const second = await target.must(`/api/v1/secrets?limit=3&labelSelector=${label}&continue=${first.metadata.continue ?? ''}`);
    const places = [...first.items, ...second.items].map(
      ({ metadata }) => `/api/v1/namespaces/${metadata.namespace ?? ''}/secrets ${metadata.name}`,
    );
    expect(places).toEqual([`${a ?? ''} x`, `${a ?? ''} y`, `${b ?? ''} x`, `${b ?? ''} y`]);
  });
});

describe('list, in older versions', () => {
  itEmbedded('answers a future exact version and a wrong one with 500, and ignores sendInitialEvents (9)', async () => {
    const target = await openTarget({ profile: '1.26' });
    const path = await target.secrets();
    const future = 'etcdserver: mvcc: required revision is a future revision';
    for (const query of ['resourceVersion=99999999&resourceVersionMatch=Exact', 'resourceVersion=99999999&limit=5']) {
      expect((await target.request(`${path}?${query}`)).json).toMatchObject(status(500, '', future));
    }
    expect((await target.request(`${path}?resourceVersion=abc`)).json).toMatchObject(
      status(500, '', 'resourceVersion: Invalid value: "abc": invalid syntax'),
    );
    expect((await target.must(`${path}?sendInitialEvents=true`)).items).toEqual([]);
    await target.close();
  });
});
