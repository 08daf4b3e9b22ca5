import { type Child, h } from './draw.js';
import type { Answer } from '../look.js';
import type { SceneThing } from '../scene.js';
import { clock, whole } from './shared.js';

interface Look {
  readonly at: number;
  readonly count: number;
}

/** The number of samples drawn, one per second, and the least number that fills the chart. */
const [keptLooks, firstLooks] = [120, 20];
const [width, height] = [90, 18];

const looks = new Map<number, Look[]>();
/** The chart under the pointer, and the pointer's horizontal position in it. */
let pointer: { readonly id: number; readonly part: number } = { id: 0, part: 0 };

function countOf({ facts }: SceneThing): number | undefined {
  if (facts.kind === 'informer' || facts.kind === 'view') return facts.changes;
  return facts.kind === 'controller' ? facts.succeeded + facts.failed : undefined;
}

/** Stores the counters in an answer. */
export function noteRates({ now, things }: Answer): void {
  for (const thing of things) {
    const count = countOf(thing);
    if (count === undefined) continue;
    const known = looks.get(thing.id) ?? [];
    // The same answer may be drawn several times.
    if (known.at(-1)?.at === now) continue;
    looks.set(thing.id, [...known.slice(-keptLooks), { at: now, count }]);
  }
}

const shownRate = (value: number): string => `${value < 10 && value > 0 ? value.toFixed(1) : value.toFixed(0)}/s`;

/** The rates between the samples of a thing, each with its time. */
function ratesOf(id: number): readonly { readonly at: number; readonly value: number }[] {
  const known = looks.get(id) ?? [];
  return known.slice(1).map(({ at, count }, before) => {
    const { at: since, count: then } = known[before] as Look;
    return { at, value: Math.max(0, ((count - then) * 1_000) / Math.max(1, at - since)) };
  });
}

/**
 * The rate per second, now and in the last two minutes; at the pointer, the time and the rate. Drawn by hand: with uPlot, the page would
 * have 33 kB instead of 9, and take the same time to draw.
 */
export function rate(id: number): Child {
  const rates = ratesOf(id);
  const last = rates.at(-1)?.value;
  if (last === undefined) return '';
  const most = Math.max(1, ...rates.map(({ value }) => value));
  // Filled from the left, so that the first seconds are visible.
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
