import { atMost, type Benchmark } from './benchmark.js';
import { micros, short } from './format.js';
import { interleaved } from './rounds.js';

/** The cost of skipping an object of another shard, compared with `JSON.parse` of the same pod. */
export const shards: Benchmark = {
  name: 'shards',
  run: async () => {
    const results = await interleaved({ shards: { side: 'shards' } }, { rounds: 3, show: ['parse', 'foreignList', 'foreignWatch'] });
    const parse = results.of('shards', 'parse');
    return (['List', 'Watch'] as const).map((where) => {
      const foreign = results.of('shards', `foreign${where}`);
      const measured = `${micros(foreign)}, ${short(foreign / parse)} x JSON.parse (${micros(parse)})`;
      return atMost(`a pod of another shard, ${where.toLowerCase()}`, foreign / parse, 0.2, '0.2 x parsing it', measured);
    });
  },
};
