import { type Child, h } from './draw.js';
import { badge, collections, open, type Page, stateTone, type Thing } from './shared.js';

/** Which view is made of what, from left to right. */
export function graph(page: Page): Child {
  const all = collections(page);
  const levels = new Map<number, number>();
  const levelOf = (id: number, depth = 0): number => {
    const known = levels.get(id);
    if (known !== undefined || depth > 100) return known ?? 0;
    const inputs = all.find((thing) => thing.id === id)?.inputs ?? [];
    const level = inputs.length === 0 ? 0 : 1 + Math.max(...inputs.map((input) => levelOf(input, depth + 1)));
    levels.set(id, level);
    return level;
  };
  const columns: Thing[][] = [];
  for (const thing of all) (columns[levelOf(thing.id)] ??= []).push(thing);
  const [width, height] = [300, 76];
  const placeOf = new Map(
    columns.flatMap((column, x) => column.map(({ id }, y) => [id, { x: x * width + 10, y: y * height + 10 }] as const)),
  );
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  if (all.length === 0) return h('p', { class: 'empty' }, 'No informer and no view runs.');
  return h(
    'div',
    { class: 'scroll' },
    h(
      'div',
      { class: 'graph', style: { width: `${columns.length * width}px`, height: `${tallest * height + 10}px` } },
      h(
        'svg',
        { width: columns.length * width, height: tallest * height + 10 },
        all.flatMap(({ id, inputs }) =>
          inputs.flatMap((input) => {
            const [from, to] = [placeOf.get(input), placeOf.get(id)];
            if (from === undefined || to === undefined) return [];
            const [x1, y1, x2, y2] = [from.x + 240, from.y + 28, to.x, to.y + 28];
            return [h('path', { d: `M${x1} ${y1} C${x1 + 25} ${y1} ${x2 - 25} ${y2} ${x2} ${y2}` })];
          }),
        ),
      ),
      all.map(({ id, facts }) => {
        const { x, y } = placeOf.get(id) ?? { x: 0, y: 0 };
        const counts =
          facts.kind === 'view'
            ? `${facts.objects} values, ${facts.computed} computed, ${facts.unchanged} equal`
            : `${facts.objects} objects`;
        return h(
          'div',
          { class: `node ${facts.kind}`, key: String(id), style: { left: `${x}px`, top: `${y}px` } },
          open(page, id, facts.name),
          h('div', { class: 'under' }, counts),
          badge(facts.state, stateTone(facts.state)),
        );
      }),
    ),
    h('p', { class: 'under' }, 'Open a collection and one of its values to see what it was made of.'),
  );
}
