import { atMost, type Benchmark, remark } from './benchmark.js';
import { micros, short } from './format.js';
import { interleaved } from './rounds.js';

const objects = 100_000;

/** The cost of a new immutable snapshot. */
export const snapshots: Benchmark = {
  name: 'snapshots',
  run: async () => {
    const results = await interleaved(
      { snapshots: { side: 'snapshots', options: { objects } } },
      { rounds: 3, show: ['one', 'immer', 'flat', 'all'] },
    );
    const of = (figure: string): number => results.of('snapshots', figure);
    const [one, immer, flat] = [of('one'), of('immer'), of('flat')];
    return [
      atMost(
        `index$, one event at ${objects} objects`,
        one,
        50,
        '<= 50 us',
        `${micros(one)}; immer over the same buckets ${micros(immer)} (${short(immer / one)} x), a copied Map ${micros(flat)} (${short(flat / one)} x)`,
      ),
      remark(`index$, a list of ${objects} objects`, `${short(of('all') / 1000)} ms, ${short(of('all') / flat)} x a copied Map`),
    ];
  },
};
