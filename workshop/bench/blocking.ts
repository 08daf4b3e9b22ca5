import { atMost, type Benchmark } from './benchmark.js';
import { short } from './format.js';
import { interleaved } from './rounds.js';

const pods = 50_000;
const rounds = 3;
const sliceMs = 10;

/**
 * The longest turn of the event loop during the first list of 50,000 pods.
 */
export const blocking: Benchmark = {
  name: 'blocking',
  run: async (server) => {
    await server.prepare('paged', pods);
    await server.prepare('streamed', pods);
    const options = { count: pods, sliceMs, blocks: true };
    const results = await interleaved(
      {
        'informer, pages': { side: 'informerSync', options: { ...options, url: server.url('paged', pods) } },
        'informer, streamed': { side: 'informerSync', options: { ...options, url: server.url('streamed', pods) } },
        'client-node': { side: 'clientNodeSync', options: { count: pods, blocks: true, url: server.url('paged', pods) } },
      },
      { rounds, show: ['longestBlockMs', 'longestBlockCpuMs'] },
    );
    const theirs = results.of('client-node', 'longestBlockCpuMs');
    return (['informer, pages', 'informer, streamed'] as const).map((name) => {
      // CPU time: it excludes the time in which other processes use the processor.
      const longest = results.of(name, 'longestBlockCpuMs');
      return atMost(
        `longest event-loop block, ${pods} pods (${name.slice('informer, '.length)}), a subscriber with sliceMs: ${sliceMs}`,
        longest,
        50,
        '<= 50 ms',
        `${short(longest)} ms cpu (${short(results.of(name, 'longestBlockMs'))} ms wall), ${short(longest / theirs)} x client-node's ${short(theirs)} ms`,
      );
    });
  },
};
