import { type Benchmark, remark } from './benchmark.js';
import { micros, short } from './format.js';
import { interleaved } from './rounds.js';

/** The cost of a key in a work queue and in a control loop, compared with p-queue for the same jobs. */
export const queue: Benchmark = {
  name: 'queue',
  run: async () => {
    const names = ['work queue, promises', 'work queue, synchronous', 'reconcile, promises', 'reconcile, synchronous'];
    const results = await interleaved({ queue: { side: 'queue' } }, { rounds: 3, show: ['p-queue', ...names] });
    const base = results.of('queue', 'p-queue');
    return names.map((name) => {
      const us = results.of('queue', name);
      return remark(`${name}, per key`, `${micros(us)}, ${short(base / us)} x as fast as p-queue (${micros(base)})`);
    });
  },
};
