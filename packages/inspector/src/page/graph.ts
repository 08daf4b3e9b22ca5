import { type Child, type Drawn, h } from './draw.js';
import { badge, collections, counted, div, line, open, type Page, stateTone, type Thing } from './shared.js';

const [columnWidth, rowHeight, nodeWidth] = [300, 76, 240];

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Columns from left to right: each collection is to the right of its inputs. */
function columnsOf(all: readonly Thing[]): readonly (readonly Thing[])[] {
  const byId = new Map(all.map((thing) => [thing.id, thing]));
  const levels = new Map<number, number>();
  const levelOf = (id: number, depth = 0): number => {
    const known = levels.get(id);
    if (known !== undefined || depth > 100) return known ?? 0;
    const inputs = byId.get(id)?.inputs ?? [];
    const level = inputs.length === 0 ? 0 : 1 + Math.max(...inputs.map((input) => levelOf(input, depth + 1)));
    levels.set(id, level);
    return level;
  };
  const columns: Thing[][] = [];
  for (const thing of all) (columns[levelOf(thing.id)] ??= []).push(thing);
  return columns;
}

const placesOf = (columns: readonly (readonly Thing[])[]): ReadonlyMap<number, Place> =>
  new Map(columns.flatMap((column, x) => column.map(({ id }, y) => [id, { x: x * columnWidth + 10, y: y * rowHeight + 10 }] as const)));

function edges(all: readonly Thing[], places: ReadonlyMap<number, Place>): readonly Drawn[] {
  return all.flatMap(({ id, inputs }) =>
    inputs.flatMap((input) => {
      const [from, to] = [places.get(input), places.get(id)];
      if (from === undefined || to === undefined) return [];
      const [x1, y1, x2, y2] = [from.x + nodeWidth, from.y + 28, to.x, to.y + 28];
      return [h('path', { d: `M${x1} ${y1} C${x1 + 25} ${y1} ${x2 - 25} ${y2} ${x2} ${y2}` })];
    }),
  );
}

function node(page: Page, { id, facts }: ReturnType<typeof collections>[number], { x, y }: Place): Drawn {
  const counts =
    facts.kind === 'view'
      ? `${counted(facts.objects, 'value')}, ${facts.computed} computed, ${facts.unchanged} equal`
      : counted(facts.objects, 'object');
  return h(
    'div',
    { class: `node ${facts.kind}`, key: String(id), title: facts.name, style: { left: `${x}px`, top: `${y}px` } },
    open(page, id, facts.name),
    div('under', counts),
    badge(facts.state, stateTone(facts.state)),
  );
}

/** The graph of collections and views, from left to right; those without connections are listed below. */
export function graph(page: Page): Child {
  const all = collections(page);
  if (all.length === 0) return line('empty', 'No informer and no view runs.');
  const used = new Set(all.flatMap(({ inputs }) => inputs));
  const joined = all.filter(({ id, inputs }) => inputs.length > 0 || used.has(id));
  const alone = all.filter((thing) => !joined.includes(thing));
  const columns = columnsOf(joined);
  const places = placesOf(columns);
  const [width, height] = [columns.length * columnWidth, Math.max(0, ...columns.map((column) => column.length)) * rowHeight + 10];
  const nodes = joined.map((thing) => node(page, thing, places.get(thing.id) ?? { x: 0, y: 0 }));
  const style = { width: `${width}px`, height: `${height}px` };
  const unconnected = alone.map((thing) => node(page, thing, { x: 0, y: 0 }));
  return [
    joined.length > 0 && div('scroll', h('div', { class: 'graph', style }, h('svg', { width, height }, edges(joined, places)), nodes)),
    alone.length > 0 && [h('h2', {}, 'No view is made of these'), div('alone', unconnected)],
    line('under', 'Open a collection and one of its values to see what it was made of.'),
  ];
}
