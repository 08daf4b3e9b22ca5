import { type Child, h } from './draw.js';
import { type Answer, clock, type Thing, whole } from './shared.js';

interface Look {
  readonly at: number;
  readonly count: number;
}

/** How many looks are drawn, one a second, and how many fill the chart at the least. */
const [keptLooks, firstLooks] = [120, 20];
const [width, height] = [90, 18];

const looks = new Map<number, Look[]>();
/** Which chart the pointer was over last, and how far from its left. */
let pointer: { readonly id: number; readonly part: number } = { id: 0, part: 0 };

function countOf({ facts }: Thing): number | undefined {
  if (facts.kind === 'informer' || facts.kind === 'view') return facts.changes;
  return facts.kind === 'controller' ? facts.succeeded + facts.failed : undefined;
}

/** Remembers what has been counted so far of all that an answer shows. */
export function noteRates({ now, things }: Answer): void {
  for (const thing of things) {
    const count = countOf(thing);
    if (count === undefined) continue;
    const known = looks.get(thing.id) ?? [];
    // The same answer is drawn more than once.
    if (known.at(-1)?.at === now) continue;
    looks.set(thing.id, [...known.slice(-keptLooks), { at: now, count }]);
  }
}

const shownRate = (value: number): string => `${value < 10 && value > 0 ? value.toFixed(1) : value.toFixed(0)}/s`;

/** The rates between the looks at a thing, each with its time. */
function ratesOf(id: number): readonly { readonly at: number; readonly value: number }[] {
  const known = looks.get(id) ?? [];
  return known.slice(1).map(({ at, count }, before) => {
    const { at: since, count: then } = known[before] as Look;
    return { at, value: Math.max(0, ((count - then) * 1_000) / Math.max(1, at - since)) };
  });
}

/**
 * How much of it came a second, now and in the last two minutes; under the pointer, when and how much. Drawn by hand: with uPlot the page takes 33 kB in place of 9,
 * and the same time to draw.
 */
export function rate(id: number): Child {
  const rates = ratesOf(id);
  const last = rates.at(-1)?.value;
  if (last === undefined) return '';
  const most = Math.max(1, ...rates.map(({ value }) => value));
  // It fills from the left, so that the first seconds can be seen.
  const step = width / Math.max(firstLooks, rates.length - 1);
  const points = rates.map(({ value }, at) => `${(at * step).toFixed(1)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`);
  const under = (): string => {
    const shown = pointer.id === id ? rates[Math.round((pointer.part * width) / step)] : undefined;
    return shown === undefined ? '' : `${clock(shown.at)}: ${shownRate(shown.value)}`;
  };
  const move = ({ currentTarget, clientX }: PointerEvent): void => {
    const chart = currentTarget as Element;
    const { left, width: all } = chart.getBoundingClientRect();
    pointer = { id, part: (clientX - left) / all };
    chart.lastElementChild?.replaceChildren(under());
  };
  return whole(
    h(
      'svg',
      {
        class: 'rate',
        viewBox: `0 0 ${width} ${height}`,
        preserveAspectRatio: 'none',
        width,
        height,
        role: 'img',
        'aria-label': `at most ${shownRate(most)}`,
        onpointermove: move,
      },
      h('polyline', { points: points.join(' ') }),
      h('title', {}, under()),
    ),
    ` ${shownRate(last)}`,
  );
}
