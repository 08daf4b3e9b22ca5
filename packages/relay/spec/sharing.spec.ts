import { describe, expect, it } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from 'rx-informer';
import type { Chunk } from '../src/log/chunk.js';
import { Rights } from '../src/rights/rights.js';
import type { RelayCore } from '../src/serve/relayCore.js';
import { protocolVersion } from '../src/wire/frames.js';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { advanceBy, pod } from 'rx-informer/testing';
import { Link, objects, pageSource, relayCore, requestOf } from './link.js';

/** What one page is sent. */
function pageOf(core: RelayCore, token?: object): Chunk[] {
  const chunks: Chunk[] = [];
  core.answer(requestOf(), JSON.stringify({ version: protocolVersion, scopes: [{ kind: 'objects', token }] })).subscribe((answer) => {
    if ('open' in answer) answer.open({ write: (chunk) => chunks.push(chunk) > 0, end: () => undefined });
  });
  return chunks;
}

function world(count = 2): {
  readonly scheduler: VirtualTimeScheduler;
  readonly cache: FakeCollection<KubernetesObject>;
  readonly core: RelayCore;
} {
  const scheduler = new VirtualTimeScheduler();
  const made = Array.from({ length: count }, (_, at) => pod(`p${at}`));
  const cache = fakeCollection<KubernetesObject>(made, { name: 'objects', scheduler });
  return {
    scheduler,
    cache,
    core: relayCore({ scheduler, sources: { objects: { collection: cache, resource: objects } }, sliceLength: 300 }),
  };
}

const rowsOf = (chunks: readonly Chunk[]): readonly Chunk[] => chunks.filter(({ text }) => text.includes('"g":'));

describe('what pages share', () => {
  it('a page that comes between two batches gets the bytes of the next one that all others get', () => {
    const { scheduler, cache, core } = world();
    const first = pageOf(core);
    advanceBy(scheduler, 1_000);
    cache.put(pod('p0', { metadata: { labels: { step: 'a' } } }));
    advanceBy(scheduler, 50);
    cache.put(pod('p0', { metadata: { labels: { step: 'b' } } }));
    advanceBy(scheduler, 30);
    const second = pageOf(core);
    const before = second.length;
    advanceBy(scheduler, 500);
    expect(second.slice(before)).toEqual([first.at(-1)]);
    expect(second.at(-1)).toBe(first.at(-1));
    expect(first.at(-1)?.text).toContain('"patch"');
    core.stop();
  });

  it('a heartbeat in the middle of a busy watch sends nobody anything of its own', () => {
    const { scheduler, cache, core } = world();
    const pages = Array.from({ length: 5 }, () => pageOf(core));
    advanceBy(scheduler, 1_000);
    for (const page of pages) page.length = 0;
    for (let step = 0; step < 1_200; step += 1) {
      cache.put(pod('p0', { metadata: { labels: { step: String(step) } } }));
      advanceBy(scheduler, 10);
    }
    advanceBy(scheduler, 200);
    const beats = pages.map((page) => page.filter(({ text }) => text.includes('"beat":{"c1":[')));
    expect(beats.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set(pages.map((page) => rowsOf(page).length)).size).toBe(1);
    expect(new Set(pages.flatMap(rowsOf)).size).toBe(rowsOf(pages[0] ?? []).length);
    core.stop();
  });

  it('a page that comes when all others have gone gets one heartbeat at a time', () => {
    const { scheduler, core } = world();
    for (let at = 0; at < 5; at += 1) {
      core.answer(requestOf(), JSON.stringify({ version: protocolVersion, scopes: [{ kind: 'objects' }] })).subscribe((answer) => {
        const connection = 'open' in answer ? answer.open({ write: () => true, end: () => undefined }) : undefined;
        // One heartbeat, so that the next one is due.
        advanceBy(scheduler, 10_500);
        connection?.close();
      });
    }
    const last = pageOf(core);
    advanceBy(scheduler, 30_500);
    expect(last.filter(({ text }) => text.includes('"beat":'))).toHaveLength(3);
    core.stop();
    expect(scheduler.actions.filter(({ closed }) => !closed)).toEqual([]);
  });

  it('pages that catch up within a second get the same slices, those of objects that have changed since made anew', () => {
    const { scheduler, cache, core } = world(100);
    advanceBy(scheduler, 1_000);
    const [first, second] = [pageOf(core), pageOf(core)];
    expect(rowsOf(first).length).toBeGreaterThan(5);
    expect(rowsOf(second)).toEqual(rowsOf(first));
    expect(rowsOf(second).every((chunk, at) => chunk === rowsOf(first)[at])).toBe(true);
    const slices = [...rowsOf(first)];
    cache.put(pod('p3', { metadata: { labels: { app: 'other' } } }));
    advanceBy(scheduler, 200);
    const third = rowsOf(pageOf(core));
    expect(third.filter((chunk) => slices.includes(chunk))).toHaveLength(slices.length - 1);
    expect(third.map(({ text }) => text).join('')).toContain('"other"');
    expect(third.filter(({ text }) => /"p3"|\/p3"/.test(text))).toHaveLength(1);
    // They are not kept for longer.
    advanceBy(scheduler, 2_000);
    expect(rowsOf(pageOf(core)).some((chunk) => third.includes(chunk))).toBe(false);
    core.stop();
  });

  it('a page that comes back to where another one found nothing new gets what is new since', () => {
    const { scheduler, cache, core } = world();
    const first = pageOf(core);
    advanceBy(scheduler, 1_000);
    const told = first.map(({ text }) => text).join('');
    const [, at, log] = /"at":(\d+),"log":"(\w+)"/.exec(told) ?? [];
    const [, rights] = /"rights":"allowed","id":"(\w+)"/.exec(told) ?? [];
    const token = { log, at: Number(at), version: '', rights, count: 2, sum: 0 };
    expect(rowsOf(pageOf(core, token))).toEqual([]);
    cache.put(pod('new'));
    advanceBy(scheduler, 200);
    expect(rowsOf(pageOf(core, token)).map(({ text }) => text)).toEqual([expect.stringContaining('"default/new"')]);
    core.stop();
  });

  it('equal words to several pages are encoded once', () => {
    const { core } = world();
    const [first, second] = [pageOf(core), pageOf(core)];
    expect(first.length).toBeGreaterThan(4);
    expect(second.every((chunk, at) => chunk === first[at])).toBe(true);
    core.stop();
  });

  it('a right that is asked for again, with the same answer, is nobody else’s business', () => {
    const scheduler = new VirtualTimeScheduler();
    const changed: string[] = [];
    let allowed = true;
    const use = (namespace: string) => rights.verdict({ name: 'ada' }, { group: '', resource: 'pods', namespace });
    const rights: Rights = new Rights({
      authorizer: { review: () => of(allowed) },
      ...{ scheduler, random: () => 0.5, reviewsPerSecond: 10, onChange: (user) => changed.push(user), consult: () => use('') },
    });
    rights.hold({ name: 'ada' });
    use('');
    advanceBy(scheduler, 200_000);
    expect([rights.reviews, changed.length]).toEqual([4, 1]);
    allowed = false;
    advanceBy(scheduler, 60_000);
    expect(changed).toHaveLength(2);
    rights.stop();
  });

  it('a right that a page needs for its whole scope goes before those of single namespaces, also when it waits as one of them', () => {
    const scheduler = new VirtualTimeScheduler();
    const asked: string[] = [];
    const use = (namespace: string, isUrgent?: boolean) =>
      rights.verdict({ name: 'ada' }, { group: '', resource: 'pods', namespace }, isUrgent);
    const rights: Rights = new Rights({
      authorizer: { review: (_, { namespace }) => of(asked.push(namespace) > 0) },
      ...{ scheduler, random: () => 0.5, reviewsPerSecond: 1, onChange: () => undefined, consult: () => undefined },
    });
    for (const namespace of ['a', 'b', 'c', 'd']) use(namespace, false);
    use('d');
    advanceBy(scheduler, 1_500);
    expect(asked).toEqual(['a', 'd']);
    rights.stop();
  });

  it('a right that nobody uses any more, as of a namespace that is gone, is not asked for again', () => {
    const scheduler = new VirtualTimeScheduler();
    const cache = fakeCollection<KubernetesObject>([pod('a/x'), pod('b/x')], { name: 'objects', scheduler });
    const audited: string[] = [];
    const core = relayCore({
      ...{ scheduler, sources: { objects: { collection: cache, resource: objects } }, audit: ({ type }) => audited.push(type) },
      authorizer: { review: (_, { namespace }) => of(namespace !== '') },
    });
    const link = new Link(core);
    pageSource(link, scheduler, { kind: 'objects' }).subscribe();
    advanceBy(scheduler, 1_000);
    expect(core.figures().rights).toBe(3);
    // Deletions are forgotten when there are many.
    cache.remove('b/x');
    const more = Array.from({ length: 1_200 }, (_, at) => `a/p${at}`);
    cache.put(...more.map((key) => pod(key)));
    advanceBy(scheduler, 1_000);
    cache.remove(...more);
    advanceBy(scheduler, 180_000);
    expect(core.figures().rights).toBe(2);
    // It was not revoked.
    expect([audited, link.texts.filter((text) => text.includes('"drop"'))]).toEqual([['opened'], []]);
    core.stop();
  });
});
