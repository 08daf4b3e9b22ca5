import { atMost, type Benchmark, remark } from './benchmark.js';
import { micros, ratio, short } from './format.js';
import { interleaved } from './rounds.js';
import type { Contender } from './rounds.js';

/** After these events each pod has changed twice, so that templates of both of its shapes exist. */
const warmUp = 20_000;
const events = 40_000;
const rounds = 3;
/** The same pods change, regardless of the number of unchanged pods. */
const sequence = { count: events, pattern: 'busy' } as const;
const sizes = [1_000, 10_000, 100_000] as const;

/** The growth of time and memory with the number of objects. */
export const growth: Benchmark = {
  name: 'growth',
  run: async (server) => {
    const size = (pods: number): Contender => ({
      side: 'informerWatch',
      options: { url: server.url('streamed', pods), events: sequence, warmUp },
    });
    for (const pods of sizes) {
      await server.prepare('streamed', pods);
      await server.prepareEvents(pods, sequence);
    }
    const results = await interleaved(
      { 1000: size(1_000), 10000: size(10_000), 100000: size(100_000) },
      { rounds, show: ['syncWallMs', 'syncCpuMs', 'wallMs', 'cpuMs', 'syncHeap'] },
    );
    const perObject = (figure: string, more: '10000' | '100000', less: '1000' | '10000'): number =>
      (results.ratio(more, less, figure) * Number(less)) / Number(more);
    const syncWall = perObject('syncWallMs', '100000', '10000');
    const eventWall = results.ratio('100000', '10000', 'wallMs');
    const event = (name: '1000' | '10000' | '100000'): string => micros((results.of(name, 'cpuMs') * 1000) / (events - warmUp));
    const object = (name: '1000' | '10000' | '100000'): string => micros((results.of(name, 'syncCpuMs') * 1000) / Number(name));
    return [
      atMost(
        '100,000 objects instead of 10,000, sync per object',
        syncWall,
        1.15,
        '<= 1.15 x',
        `${ratio(syncWall, perObject('syncCpuMs', '100000', '10000'))}: ${object('100000')} to ${object('10000')} cpu; 1,000: ${object('1000')}`,
      ),
      atMost(
        '100,000 objects instead of 10,000, per event',
        eventWall,
        1.2,
        '<= 1.2 x',
        `${ratio(eventWall, results.ratio('100000', '10000', 'cpuMs'))}: ${event('100000')} to ${event('10000')} cpu; 1,000: ${event('1000')}`,
      ),
      remark(
        '100,000 objects instead of 10,000, heap per object',
        `${short(perObject('syncHeap', '100000', '10000'))} x; instead of 1,000: ${short(perObject('syncHeap', '10000', '1000') * perObject('syncHeap', '100000', '10000'))} x`,
      ),
    ];
  },
};
