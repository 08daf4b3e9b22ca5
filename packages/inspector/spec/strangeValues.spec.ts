import { describe, expect, it } from '@jest/globals';
import { startInspector } from '../src/startInspector.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { derive } from '@rx-informer/views';
import { ask, lookAt, tokenOf } from './ask.js';

interface Item {
  readonly metadata: { readonly name: string };
  readonly count: number;
}

function circle(count: number): object {
  const value: Record<string, unknown> = { count };
  value['self'] = value;
  return value;
}

/** As deep as a server allows. */
function nested(count: number): object {
  let value: object = { count };
  for (let level = 0; level < 10_000; level += 1) value = { value };
  return value;
}

describe('the inspector of a program with a value that cannot be written', () => {
  it.each([
    ['nested deeply', nested],
    ['a circle', circle],
    ['without JSON', (count: number) => ({ count: BigInt(count) })],
  ])('shows the rest, and says so: %s', async (name, valueOf) => {
    const items = fakeCollection<Item>([{ metadata: { name: 'odd' }, count: 1 }]);
    const view = derive(items, ({ count }) => valueOf(count), { name, equals: () => false });
    await view.whenSynced();
    await using inspector = await startInspector();
    items.put({ metadata: { name: 'odd' }, count: 2 });
    const { things } = (await lookAt(inspector, { panel: 'overview' })) as unknown as { things: { id: number; facts: { name: string } }[] };
    const of = things.find(({ facts }) => facts.name === name)?.id;
    const { open } = (await lookAt(inspector, { panel: 'objects', of, key: 'odd' })) as unknown as { open: { object: unknown } };
    expect(open.object).toMatch(/^\(cannot be shown: /);
    const { timeline } = (await lookAt(inspector, { panel: 'timeline', of })) as unknown as { timeline: { rows: object[] } };
    expect(timeline.rows).toMatchObject([
      { type: 'dropped', cause: 'nobody subscribed', key: 'odd' },
      { type: 'updated', differences: [{ path: [], after: expect.stringMatching(/^\(cannot be shown: /) }] },
    ]);
    const exported = await ask(inspector.port, '/export', tokenOf(inspector));
    expect(exported.text).toContain('(cannot be shown: ');
    await view.stop();
  });
});
