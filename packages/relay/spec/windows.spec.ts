import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { of, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { advanceBy } from 'rx-informer/testing';
import { fakeCollection } from '@rx-informer/views/testing';
import { relaySourceOver } from '../src/client/relaySource.js';
import type { RelayLimits } from '../src/serve/relayCore.js';
import type { RelayWindow, Scope } from '../src/wire/frames.js';
import { ordering } from '../src/wire/ordering.js';
import { Link, pageSource, relayCore } from './link.js';
import { runs } from '../../../spec/tier.js';

type Row = KubernetesObject & { readonly spec: { readonly n: number; readonly other?: number } };

const row = (name: string, n: number): Row => ({ metadata: { namespace: 'n', name }, spec: { n, other: 1 } });

function worldOf(rows: readonly Row[], isAllowed = true, limits: RelayLimits = {}) {
  const scheduler = new VirtualTimeScheduler();
  const cache = fakeCollection<Row>(rows, { name: 'rows', scheduler });
  const sources = { rows: { collection: cache, resource: resources.core.v1.pods } };
  const core = relayCore({ scheduler, authorizer: { review: () => of(isAllowed) }, sources, limits });
  const link = new Link(core);
  const follow = (window: RelayWindow) => {
    const totals: number[] = [];
    const source$ = relaySourceOver<Row>(
      (body) => link.connect(body),
      { url: String(Math.random()), scheduler, random: () => 0.5 },
      { kind: 'rows', fields: ['metadata.name'], window },
      (total) => totals.push(total),
    );
    const informer = createInformer(source$, { resource: 'rows', scheduler, logger: { warn: () => undefined } });
    informer.change$.subscribe();
    advanceBy(scheduler, 1_000);
    return { totals, informer };
  };
  return { scheduler, cache, core, link, follow };
}

describe('a window of a relay', () => {
  it('is a part of an order, with the total of it, after any changes; the page orders it as the relay does', () => {
    const change = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
      n: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
    });
    const part = fc.record({
      orderBy: fc.constant('spec.n'),
      descending: fc.boolean(),
      offset: fc.integer({ min: 0, max: 5 }),
      limit: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 8 }), part, (steps, window) => {
        const { cache, scheduler, follow, core } = worldOf([row('a', 1), row('b', 1), row('c', 0)]);
        const { totals, informer } = follow(window);
        for (const step of steps) {
          cache.put(...step.flatMap(({ name, n }) => (n === undefined ? [] : [row(name, n)])));
          cache.remove(...step.filter(({ n }) => n === undefined).map(({ name }) => `n/${name}`));
          advanceBy(scheduler, 1_000);
          const name = ({ metadata }: KubernetesObject): string => metadata?.name ?? '';
          const sort = (rows: readonly Row[]) => [...rows].sort((a, b) => ordering(window)(a, b) || (name(a) < name(b) ? -1 : 1));
          const all = sort(cache.indexer.list()).map(name);
          const expected = all.slice(window.offset, window.offset + window.limit);
          expect([sort(informer.indexer.list()).map(name), totals.at(-1)]).toEqual([expected, all.length]);
        }
        expect(core.figures().drifts).toBe(0);
      }),
      { numRuns: runs(240) },
    );
  });

  it('shares its order with the others: 20 windows of 5,000 rows compare no more than one', () => {
    const compared = (windows: number): number => {
      let reads = 0;
      const rows = Array.from({ length: 5_000 }, (_, at) => ({
        metadata: { namespace: 'n', name: `r${at}` },
        get spec() {
          reads += 1;
          return { n: at };
        },
      }));
      const { follow, scheduler } = worldOf(rows);
      for (let at = 0; at < windows; at += 1) follow({ orderBy: 'spec.n', offset: at * 10, limit: 10 });
      advanceBy(scheduler, 1_000);
      return reads;
    };
    const one = compared(1);
    // Each window has its own ten rows to send.
    expect(compared(20)).toBeLessThan(one * 1.1);
  });

  it('keeps its order when another window of it is given up, since its user has too much', () => {
    const rows = (from: number, to: number): Row[] => Array.from({ length: to - from }, (_, at) => row(`r${from + at}`, from + at));
    const { core, cache, scheduler, follow } = worldOf(rows(0, 300), true, { bytesPerUser: 800_000 });
    const { informer, totals } = follow({ orderBy: 'spec.n', offset: 0, limit: 100 });
    const pageOf = (scope: Omit<Scope, 'kind'>): Link => {
      const page = new Link(core, { authorization: 'eve' });
      pageSource(page, scheduler, { kind: 'rows', ...scope }).subscribe();
      return page;
    };
    pageOf({});
    const newest = pageOf({ window: { orderBy: 'spec.n', offset: 100, limit: 100 } });
    advanceBy(scheduler, 1_000);
    // The first scope of that user becomes too large, and the newest stream ends.
    cache.put(...rows(300, 1_300));
    advanceBy(scheduler, 200);
    expect(newest.texts.join('')).toContain('"bye":"stopped"');
    cache.remove('n/r0');
    advanceBy(scheduler, 1_000);
    expect([informer.indexer.listKeys().includes('n/r100'), totals.at(-1)]).toEqual([true, 1_299]);
    core.stop();
  });

  it('says nothing of the total to whoever may not see all of the order', () => {
    const { follow, link } = worldOf([row('a', 1)], false);
    const { totals } = follow({ orderBy: 'spec.n', offset: 0, limit: 1 });
    expect([totals, link.texts.join('')]).toEqual([[], expect.not.stringContaining('total')]);
  });
});
