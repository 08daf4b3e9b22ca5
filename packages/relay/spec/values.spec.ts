import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { of, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject, resources } from 'rx-informer';
import { entryHash } from '../src/wire/contentHash.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';
import { Link, pageSource, relayCore } from './link.js';

interface Item extends KubernetesObject {
  readonly count: number;
}

const item = (name: string, count = 1): Item => ({ metadata: { namespace: 'a', name, uid: name }, count });

/** A page of a view whose values are `valueOf` for the item `odd`, and plain for the others. */
function pageOf(valueOf: (count: number) => unknown) {
  const scheduler = new VirtualTimeScheduler();
  const items = fakeCollection<Item>([item('odd'), item('plain')], { name: 'items', scheduler });
  const view = derive(items, ({ metadata = {}, count }) => (metadata.name === 'odd' ? (valueOf(count) as object) : { count }));
  const authorizer = { review: () => of(true) };
  const kind = { collection: items, resource: resources.core.v1.pods };
  const core = relayCore({ scheduler, authorizer, sources: { items: kind, view: { collection: view, inputs: ['items'] } } });
  const link = new Link(core);
  const page = createInformer(pageSource(link, scheduler, { view: 'view', fields: 'all' }), { scheduler, resource: 'values' });
  page.start();
  advanceBy(scheduler, 1_000);
  const put = (name: string, count: number): void => {
    items.put(item(name, count));
    advanceBy(scheduler, 1_000);
  };
  const wait = (): void => advanceBy(scheduler, 60_000);
  return { put, wait, held: (name: string) => page.indexer.getByKey(`a/${name}`) as unknown, drifts: () => core.figures().drifts };
}

function nested(levels: number): object {
  let value = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}

const circle: Record<string, unknown> = {};
circle['self'] = circle;

describe('the values that a relay sends', () => {
  const warn = jest.spyOn(console, 'warn');
  beforeEach(() => void warn.mockImplementation(() => undefined));
  afterEach(() => void warn.mockReset());

  it.each([
    ['numbers without JSON', (count: number) => ({ ratio: NaN, most: Infinity, count }), { ratio: null, most: null, count: 2 }],
    ['dates', (count: number) => ({ at: new Date(count) }), { at: '1970-01-01T00:00:00.002Z' }],
    ['holes in lists', (count: number) => ({ list: [undefined, count] }), { list: [null, 2] }],
    ['functions', (count: number) => ({ call: () => count, count }), { count: 2 }],
    ['what has a toJSON', (count: number) => ({ toJSON: () => ({ count }) }), { count: 2 }],
  ])('are as in JSON, and equal in relay and page: %s', (_, valueOf, expected) => {
    const { put, wait, held, drifts } = pageOf(valueOf);
    put('odd', 2);
    wait();
    expect([held('odd'), drifts()]).toEqual([expected, 0]);
  });

  it('are sent when they change to one of the same hash', () => {
    const same = ['9c3890bj97abcdefgh', 'cef72ed61k1iabcdefgh'].map((text) => ({ count: text }));
    const [hash, other] = same.map((value) => entryHash('a/odd', value));
    expect(hash).toBe(other);
    const { put, held } = pageOf((count) => same[count - 1]);
    expect(held('odd')).toEqual(same[0]);
    put('odd', 2);
    expect(held('odd')).toEqual(same[1]);
  });

  it.each([
    ['nested as deeply as a server allows', () => nested(10_000), 'nested more than 500 levels'],
    ['with a circle', () => circle, 'nested more than 500 levels'],
    ['with a BigInt', (count: number) => ({ count: BigInt(count) }), 'BigInt'],
  ])('lack one %s, which is logged once; the others are sent', (_, valueOf, reason) => {
    const { put, wait, held, drifts } = pageOf(valueOf);
    put('odd', 2);
    put('plain', 3);
    wait();
    expect([held('odd'), held('plain'), drifts()]).toEqual([undefined, { count: 3 }, 0]);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(new RegExp(`^rx-informer: the relay leaves out a/odd of .+: .*${reason}`))]]);
  });
});
