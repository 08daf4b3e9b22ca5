import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collection, namesOf, versionOf } from '../support/collection.js';
import type { AnyJson } from '../support/httpClient.js';
import { openCompactable } from '../support/openCompactable.js';
import { openTarget, type Target } from '../support/target.js';

const selected = 'labelSelector=in%3Dyes';
const patienceMs = 120_000;

/** A whole list, page by page. */
async function pagesOf(all: Collection, query: string): Promise<readonly AnyJson[]> {
  const pages = [await all.list(query)];
  for (let token = pages[0]?.metadata.continue; token !== undefined;) {
    const page = await all.list(`${query.replace(/&?resourceVersion(Match)?=[^&]*/g, '')}&continue=${token}`);
    pages.push(page);
    token = page.metadata.continue;
  }
  return pages;
}

/** The list cases of k8s.io/apiserver, pkg/storage/testing, over HTTP. */
describe('storage', () => {
  let target: Target;
  /** First a, b, c and d; then b left the selection, d was deleted and e was created. */
  let all: Collection;
  /** The version at which there were a, b, c and d. */
  let before: string;
  let now: string;
  beforeAll(async () => {
    target = await openTarget();
    all = await Collection.of(target);
    for (const name of ['a', 'b', 'c', 'd']) await all.create(name, { in: name === 'c' ? 'no' : 'yes' });
    before = await all.version();
    await all.label('b', { in: 'no' });
    await all.delete('d');
    await all.create('e', { in: 'yes' });
    now = await all.version();
  });
  afterAll(() => target.close());

  const [old, newest, chosenOld, chosen] = [
    ['a', 'b', 'c', 'd'],
    ['a', 'b', 'c', 'e'],
    ['a', 'b', 'd'],
    ['a', 'e'],
  ];
  const filled = (query: string): string => query.replace('BEFORE', before).replace('NOW', now);

  it.each([
    ['unset', '', newest],
    ['unset, filtered', selected, chosen],
    ['0', 'resourceVersion=0', newest],
    ['0, filtered', `resourceVersion=0&${selected}`, chosen],
    ['0, NotOlderThan', 'resourceVersion=0&resourceVersionMatch=NotOlderThan', newest],
    ['1', 'resourceVersion=1', newest],
    ['1, NotOlderThan', 'resourceVersion=1&resourceVersionMatch=NotOlderThan', newest],
    ['before', 'resourceVersion=BEFORE', newest],
    ['before, NotOlderThan', 'resourceVersion=BEFORE&resourceVersionMatch=NotOlderThan', newest],
    ['before, NotOlderThan, filtered', `resourceVersion=BEFORE&resourceVersionMatch=NotOlderThan&${selected}`, chosen],
    ['before, Exact', 'resourceVersion=BEFORE&resourceVersionMatch=Exact', old],
    ['before, Exact, filtered', `resourceVersion=BEFORE&resourceVersionMatch=Exact&${selected}`, chosenOld],
    ['current, Exact', 'resourceVersion=NOW&resourceVersionMatch=Exact', newest],
    ['current, NotOlderThan', 'resourceVersion=NOW&resourceVersionMatch=NotOlderThan', newest],
    ['current', 'resourceVersion=NOW', newest],
  ])('RunTestList: resourceVersion %s', async (_, query, expected) => {
    const list = await all.list(filled(query));
    expect(namesOf(list)).toEqual(expected);
    const exact = query.includes('Exact') ? (query.includes('BEFORE') ? before : now) : undefined;
    expect(exact === undefined ? Number(versionOf(list)) >= Number(now) : versionOf(list) === exact).toBe(true);
  });

  it.each([
    ['unset', '', newest],
    ['unset, filtered', `&${selected}`, chosen],
    ['before, Exact', '&resourceVersion=BEFORE&resourceVersionMatch=Exact', old],
    ['before, Exact, filtered', `&resourceVersion=BEFORE&resourceVersionMatch=Exact&${selected}`, chosenOld],
    ['before', '&resourceVersion=BEFORE', old],
    ['before, NotOlderThan', '&resourceVersion=BEFORE&resourceVersionMatch=NotOlderThan', newest],
    ['current', '&resourceVersion=NOW', newest],
    ['current, Exact', '&resourceVersion=NOW&resourceVersionMatch=Exact', newest],
  ])('RunTestList: limit, resourceVersion %s, continued to the end', async (_, query, expected) => {
    for (const limit of [1, 2, 4, 100]) {
      const pages = await pagesOf(all, `limit=${String(limit)}${filled(query)}`);
      expect(pages.flatMap(namesOf)).toEqual(expected);
      expect(new Set(pages.map(versionOf)).size).toBe(1);
      for (const page of pages) expect(page.items.length).toBeLessThanOrEqual(limit);
    }
  });

  it.each([
    ['an invalid version', 'resourceVersion=invalid', 400],
    ['a negative version', 'resourceVersion=-1', 400],
    ['Exact of no version', 'resourceVersionMatch=Exact', 422],
    ['Exact of any version', 'resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['NotOlderThan no version', 'resourceVersionMatch=NotOlderThan', 422],
    ['an unknown match', 'resourceVersion=1&resourceVersionMatch=Newest', 422],
    ['an invalid token', 'limit=1&continue=bad!', 400],
    ['a limit that is no number', 'limit=many', 400],
  ])('RunTestList: refuses %s', async (_, query, code) => {
    expect((await all.answer(query)).code).toBe(code);
  });

  it.each(['', '&resourceVersionMatch=NotOlderThan', '&resourceVersionMatch=Exact'])(
    'RunTestList: a future version, "%s"',
    async (match) => {
      const { code, json } = await all.answer(`resourceVersion=${String(Number(now) + 1_000_000)}${match}`);
      expect([code, json.reason]).toEqual([504, 'Timeout']);
    },
  );

  it.each(['resourceVersion=NOW', 'resourceVersion=NOW&resourceVersionMatch=Exact'])(
    'RunTestList: no version beside a token, %s',
    async (query) => {
      const token = (await all.list('limit=1')).metadata.continue ?? '';
      const { code } = await all.answer(`limit=1&continue=${token}&${filled(query)}`);
      expect(code).toBe(query.includes('Match') ? 422 : 400);
    },
  );

  it.each(['a create', 'an update', 'a delete', 'a write of another kind'])(
    'RunTestConsistentList: a list without a version knows %s',
    async (what) => {
      const own = await Collection.of(target);
      const made = await own.create('x', { n: '0' });
      for (let turn = 0; turn < 10; turn += 1) {
        if (what === 'a create') await own.create(`x${String(turn)}`);
        if (what === 'an update') await own.label('x', { n: String(turn + 1) });
        if (what === 'a delete') await own.delete((await own.create('gone')).metadata.name);
        const other =
          what === 'a write of another kind'
            ? await target.post(own.path.replace('secrets', 'configmaps'), { metadata: { name: `m${String(turn)}` } })
            : made;
        const list = await own.list();
        expect(namesOf(list)).toHaveLength(what === 'a create' ? turn + 2 : 1);
        expect(list.items[0]?.metadata.labels).toEqual({ n: what === 'an update' ? String(turn + 1) : '0' });
        expect(Number(versionOf(list))).toBeGreaterThanOrEqual(Number(versionOf(other)));
      }
    },
  );

  const one = 'fieldSelector=metadata.name%3Da';
  it.each([
    ['unset', one, ['a']],
    ['0', `${one}&resourceVersion=0`, ['a']],
    ['before', `${one}&resourceVersion=BEFORE`, ['a']],
    ['before, Exact', `${one}&resourceVersion=BEFORE&resourceVersionMatch=Exact`, ['a']],
    ['of what is gone', 'fieldSelector=metadata.name%3Dd', []],
    ['of what was, Exact', 'fieldSelector=metadata.name%3Dd&resourceVersion=BEFORE&resourceVersionMatch=Exact', ['d']],
    ['of what was not yet, Exact', 'fieldSelector=metadata.name%3De&resourceVersion=BEFORE&resourceVersionMatch=Exact', []],
    ['with a label that it has', `${one}&${selected}`, ['a']],
    ['with a label that it lost', `fieldSelector=metadata.name%3Db&${selected}`, []],
    [
      'with a label that it had, Exact',
      `fieldSelector=metadata.name%3Db&${selected}&resourceVersion=BEFORE&resourceVersionMatch=Exact`,
      ['b'],
    ],
    ['of nobody', 'fieldSelector=metadata.name%3Dnobody', []],
    ['with a limit', `${one}&limit=1`, ['a']],
  ])('RunTestGetListNonRecursive: one object by its name, %s', async (_, query, expected) => {
    expect(namesOf(await all.list(filled(query)))).toEqual(expected);
  });

  it.each(['', 'resourceVersion=0', 'limit=1'])('RunTestGetListRecursivePrefix: no namespace is taken for another, "%s"', async (query) => {
    const name = await target.namespace();
    const longer = `${name}-longer`;
    await target.post('/api/v1/namespaces', { metadata: { name: longer } });
    const [short, long] = [name, longer].map((namespace) => new Collection(target, `/api/v1/namespaces/${namespace}/secrets`));
    await short?.create('in-short');
    await long?.create('in-longer');
    expect(short && namesOf(await short.list(query))).toEqual(['in-short']);
    expect(long && namesOf(await long.list(query))).toEqual(['in-longer']);
  });

  it('RunTestListContinuation: three objects, page by page', async () => {
    const own = await Collection.of(target);
    for (const name of ['a', 'b', 'c']) await own.create(name);
    const first = await own.list('limit=1');
    expect([namesOf(first), first.metadata.remainingItemCount]).toEqual([['a'], 2]);
    const rest = await own.list(`continue=${first.metadata.continue ?? ''}`);
    expect([namesOf(rest), rest.metadata.continue, rest.metadata.remainingItemCount]).toEqual([['b', 'c'], undefined, undefined]);
    const second = await own.list(`limit=1&continue=${first.metadata.continue ?? ''}`);
    expect([namesOf(second), second.metadata.remainingItemCount]).toEqual([['b'], 1]);
    const third = await own.list(`limit=1&continue=${second.metadata.continue ?? ''}`);
    expect([namesOf(third), third.metadata.continue]).toEqual([['c'], undefined]);
  });

  it('RunTestListPaginationRareObject: the one object that is selected fills its page', async () => {
    const own = await Collection.of(target);
    for (let at = 0; at < 60; at += 1) await own.create(`s${String(at).padStart(2, '0')}`, at === 47 ? { in: 'yes' } : undefined);
    expect(namesOf(await own.list(`limit=1&${selected}`))).toEqual(['s47']);
  });

  it('RunTestListContinuationWithFilter: pages of what is selected', async () => {
    const own = await Collection.of(target);
    for (const name of ['1', '2', '3', '4', '5', '6']) await own.create(name, { in: Number(name) % 2 === 0 ? 'yes' : 'no' });
    const first = await own.list(`limit=2&${selected}`);
    expect([namesOf(first), first.metadata.remainingItemCount]).toEqual([['2', '4'], undefined]);
    const second = await own.list(`limit=2&${selected}&continue=${first.metadata.continue ?? ''}`);
    expect([namesOf(second), second.metadata.continue]).toEqual([['6'], undefined]);
  });

  it(
    'RunTestListInconsistentContinuation: goes on with a new token when the old state is gone',
    async () => {
      const { target: own, compact, close } = await openCompactable();
      const few = await Collection.of(own);
      for (const name of ['a', 'b', 'c']) await few.create(name);
      const first = await few.list('limit=1');
      await few.create('d');
      await compact();
      const expired = await few.answer(`limit=1&continue=${first.metadata.continue ?? ''}`);
      expect([expired.code, expired.json.reason]).toEqual([410, 'Expired']);
      const second = await few.list(`limit=1&continue=${expired.json.metadata.continue ?? ''}`);
      expect(namesOf(second)).toEqual(['b']);
      expect(Number(versionOf(second))).toBeGreaterThan(Number(versionOf(first)));
      expect(namesOf(await few.list(`continue=${second.metadata.continue ?? ''}`))).toEqual(['c', 'd']);
      await close();
    },
    patienceMs,
  );

  it(
    'RunTestCompactRevision: a state that is gone is 410, newer ones are there',
    async () => {
      const { target: own, compact, close } = await openCompactable();
      const few = await Collection.of(own);
      await few.create('a');
      const gone = await few.version();
      await few.create('b');
      await compact();
      const { code, json } = await few.answer(`resourceVersion=${gone}&resourceVersionMatch=Exact`);
      expect([code, json.reason]).toEqual([410, 'Expired']);
      expect(namesOf(await few.list(`resourceVersion=${gone}`))).toEqual(['a', 'b']);
      await close();
    },
    patienceMs,
  );

  it.each([
    ['Exact', 'resourceVersion=BEFORE&resourceVersionMatch=Exact&limit=2', true],
    ['NotOlderThan', 'resourceVersion=BEFORE&resourceVersionMatch=NotOlderThan&limit=2', false],
    ['unset', 'resourceVersion=BEFORE&limit=2', true],
  ])('RunTestListResourceVersionMatch: a page, %s', async (_, query, exact) => {
    const pages = await pagesOf(all, filled(query));
    expect(pages.flatMap(namesOf)).toEqual(exact ? old : newest);
    expect(pages.every((page) => (versionOf(page) === before) === exact)).toBe(true);
  });

  it('RunTestListPaging: pages stay as they were at the first, whatever is written between them', async () => {
    const own = await Collection.of(target);
    for (const name of ['a', 'b', 'c', 'd']) await own.create(name, { n: '0' });
    const first = await own.list('limit=2');
    await own.delete('c');
    await own.label('d', { n: '1' });
    await own.create('bb');
    const second = await own.list(`limit=2&continue=${first.metadata.continue ?? ''}`);
    expect([namesOf(first), namesOf(second)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    expect(second.items[1]?.metadata.labels).toEqual({ n: '0' });
    expect(versionOf(second)).toBe(versionOf(first));
  });

  const pod = (nodeName?: string): object => ({
    spec: { containers: [{ name: 'c', image: 'i' }], ...(nodeName !== undefined && { nodeName }) },
  });
  it.each(
    ['one namespace', 'all namespaces'].flatMap((place) =>
      (
        [
          ['no selector', '', ['a', 'b', 'c']],
          ['a name', 'fieldSelector=metadata.name%3Da', ['a']],
          ['a node', 'fieldSelector=spec.nodeName%3Dn1', ['a', 'c']],
          ['not a node', 'fieldSelector=spec.nodeName!%3Dn1', ['b']],
          ['a name and a node', 'fieldSelector=metadata.name%3Dc%2Cspec.nodeName%3Dn1', ['c']],
          ['a name and a node that do not meet', 'fieldSelector=metadata.name%3Db%2Cspec.nodeName%3Dn1', []],
          ['a label', selected, ['b', 'c']],
          ['a label and a node', `fieldSelector=spec.nodeName%3Dn1&${selected}`, ['c']],
        ] as const
      ).map(([what, query, expected]) => [place, what, query, expected] as const),
    ),
  )('RunTestNamespaceScopedList: %s, %s', async (place, _, query, expected) => {
    const namespace = await target.namespace();
    const pods = new Collection(target, `/api/v1/namespaces/${namespace}/pods`);
    await pods.create('a', undefined, pod('n1'));
    await pods.create('b', { in: 'yes' }, pod());
    await pods.create('c', { in: 'yes' }, pod('n1'));
    const { items } = await (place === 'one namespace' ? pods : new Collection(target, '/api/v1/pods')).list(query);
    expect(items.filter(({ metadata }) => metadata.namespace === namespace).map(({ metadata }) => metadata.name)).toEqual(expected);
    for (const name of ['a', 'b', 'c']) await target.delete(`${pods.path}/${name}`, { gracePeriodSeconds: 0 });
  });

  it.each([
    ['unset', '', 200],
    ['0', '?resourceVersion=0', 200],
    ['before', '?resourceVersion=BEFORE', 200],
    ['a future one', '?resourceVersion=FUTURE', 504],
  ])('RunTestGet: resourceVersion %s', async (_, query, code) => {
    const answer = await target.request(`${all.path}/a${filled(query).replace('FUTURE', String(Number(now) + 1_000_000))}`);
    expect(answer.code).toBe(code);
  });

  it('RunTestGet: what is not there', async () => {
    expect((await target.request(`${all.path}/nobody`)).code).toBe(404);
  });
});
