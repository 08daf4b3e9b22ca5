import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AnyJson } from '../support/httpClient.js';
import { openTarget, type Target } from '../support/target.js';
import type { ReadEvent } from '../support/watchReader.js';
import { runs } from '../../../../spec/tier.js';

type Step =
  | { readonly do: 'create' | 'delete'; readonly name: string; readonly color: string }
  | { readonly do: 'paint'; readonly name: string; readonly color: string }
  | { readonly do: 'list' };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const color = fc.constantFrom('red', 'green', 'blue');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name, color }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), name, color }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('paint' as const), name, color }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
);

/** Objects by name, without the fields that lists omit. */
type State = ReadonlyMap<string, object>;

function essence({ metadata, data }: AnyJson): object {
  return { uid: metadata.uid, resourceVersion: metadata.resourceVersion, labels: metadata.labels, data };
}

function stateOf(items: readonly AnyJson[]): State {
  return new Map(items.map((item) => [item.metadata.name, essence(item)]));
}

function replay(state: State, events: readonly ReadEvent[]): State {
  const result = new Map(state);
  for (const { type, object } of events) {
    if (type === 'DELETED') result.delete(object.metadata.name);
    else result.set(object.metadata.name, essence(object));
  }
  return new Map([...result].sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('the contract of list and watch', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  async function write(path: string, action: Step): Promise<void> {
    if (action.do === 'create')
      await target.request(path, { method: 'POST', body: { metadata: { name: action.name, labels: { color: action.color } } } });
    if (action.do === 'delete') await target.request(`${path}/${action.name}`, { method: 'DELETE' });
    if (action.do !== 'paint') return;
    const headers = { 'content-type': 'application/merge-patch+json' };
    await target.request(`${path}/${action.name}`, { method: 'PATCH', headers, body: { metadata: { labels: { color: action.color } } } });
  }

  async function pages(path: string, limit: number, between: () => Promise<void>): Promise<readonly AnyJson[]> {
    const lists = [await target.must(`${path}${path.includes('?') ? '&' : '?'}limit=${String(limit)}`)];
    for (let token = lists[0]?.metadata.continue; token !== undefined; token = lists.at(-1)?.metadata.continue) {
      await between();
      lists.push(await target.must(`${path}${path.includes('?') ? '&' : '?'}limit=${String(limit)}&continue=${token}`));
    }
    return lists;
  }

  it('holds for any history: a list and the watch from it lead to the state at the end, for every watch the same way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 25 }),
        fc.constantFrom('', '&labelSelector=color%3Dred'),
        async (history, selector) => {
          const path = await target.secrets();
          const lists = [await target.must(`${path}?${selector}`)];
          for (const action of history) {
            if (action.do === 'list') lists.push(await target.must(`${path}?${selector}`));
            else await write(path, action);
          }
          const end = await target.must(`${path}?${selector}`);
          const watches = await Promise.all(
            [...lists, lists[0]].map(async (list) => {
              const watch = await target.watch(
                `${path}?watch=true&resourceVersion=${list?.metadata.resourceVersion ?? ''}${selector}&timeoutSeconds=1`,
              );
              await watch.ended;
              return watch.events;
            }),
          );
          for (const [at, list] of lists.entries()) expect(replay(stateOf(list.items), watches[at] ?? [])).toEqual(stateOf(end.items));
          expect(watches.at(-1)).toEqual(watches[0]);
          const versions = (watches[0] ?? []).map(({ object }) => Number(object.metadata.resourceVersion));
          expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
        },
      ),
      { numRuns: runs(10) },
    );
  }, 600_000);

  it('holds for pages: they make up the list at the first one, whatever is written between them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 15 }),
        fc.array(step, { maxLength: 10 }),
        fc.integer({ min: 1, max: 4 }),
        async (before, during, limit) => {
          const path = await target.secrets();
          for (const action of before) await write(path, action);
          const whole = await target.must(path);
          const left = [...during];
          const lists = await pages(path, limit, async () => {
            for (const action of left.splice(0, 3)) await write(path, action);
          });
          expect(lists.flatMap(({ items }) => items)).toEqual(whole.items);
          expect(new Set(lists.map(({ metadata }) => metadata.resourceVersion)).size).toBe(1);
          const counts = lists.map(({ items, metadata }) => items.length + (metadata.remainingItemCount ?? 0));
          expect(counts[0]).toBe(whole.items.length);
        },
      ),
      { numRuns: runs(20) },
    );
  }, 600_000);
});
