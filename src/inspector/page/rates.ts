import { type Child, h } from './draw.js';
import { type Answer, type Thing, whole } from './shared.js';

interface Look {
  readonly at: number;
  readonly count: number;
}

/** How many looks are drawn, one a second. */
const keptLooks = 120;
const [width, height] = [90, 18];

const looks = new Map<number, Look[]>();

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

/** How much of it came a second, now and in the last two minutes. */
export function rate(id: number): Child {
  const known = looks.get(id) ?? [];
  const rates = known.slice(1).map(({ at, count }, before) => {
    const { at: since, count: then } = known[before] as Look;
    return Math.max(0, ((count - then) * 1_000) / Math.max(1, at - since));
  });
  const last = rates.at(-1);
  if (last === undefined) return '';
  const most = Math.max(1, ...rates);
  const x = (at: number): string => (width - (rates.length - 1 - at) * (width / keptLooks)).toFixed(1);
  const points = rates.map((value, at) => `${x(at)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`);
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
        'aria-label': `at most ${most.toFixed(0)} a second`,
      },
      h('polyline', { points: points.join(' ') }),
    ),
    ` ${last < 10 && last > 0 ? last.toFixed(1) : last.toFixed(0)}/s`,
  );
}
