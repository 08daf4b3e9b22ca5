import { atMost, type Benchmark } from './benchmark.js';
import { short } from './format.js';
import { interleaved } from './rounds.js';

/**
 * Reads of the cache at 1,000 and at 100,000 objects. The ratio depends on the processor's caches, so a bare Map is measured for
 * comparison.
 */
export const reads: Benchmark = {
  name: 'reads',
  run: async () => {
    const size = (objects: number): { side: string; options: object } => ({ side: 'reads', options: { objects } });
    const figures = ['map', 'getByKey', 'byIndex', 'perResult'];
    const results = await interleaved({ 1000: size(1_000), 100000: size(100_000) }, { rounds: 3, show: figures });
    const map = results.ratio('100000', '1000', 'map');
    const row = (figure: string, what: string) => {
      const grown = results.ratio('100000', '1000', figure);
      return atMost(
        what,
        grown / map,
        1.5,
        'constant: <= 1.5 x as a bare Map grows',
        `${short(grown / map)} x: ${short(results.of('1000', figure))} ns to ${short(results.of('100000', figure))} ns (a Map: ${short(results.of('1000', 'map'))} to ${short(results.of('100000', 'map'))} ns)`,
      );
    };
    return [
      row('getByKey', 'getByKey, 100,000 objects instead of 1,000'),
      row('byIndex', 'byIndex of 10 objects, per object, 100,000 instead of 1,000'),
      atMost(
        'byIndex, 1,000 objects found instead of 10, per object',
        results.of('100000', 'perResult') / results.of('100000', 'byIndex'),
        1.5,
        'linear: <= 1.5 x',
        `${short(results.of('100000', 'perResult') / results.of('100000', 'byIndex'))} x: ${short(results.of('100000', 'perResult'))} ns to ${short(results.of('100000', 'byIndex'))} ns`,
      ),
    ];
  },
};
