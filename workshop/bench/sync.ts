import { atLeast, atMost, type Benchmark, remark } from './benchmark.js';
import { kilobytes, megabytes, ratio, seconds, short } from './format.js';
import { interleaved } from './rounds.js';

const pods = 20_000;
const rounds = 5;

/**
 * The first list of 20,000 pods: time, heap and peak.
 */
export const sync: Benchmark = {
  name: 'sync',
  run: async (server) => {
    await server.prepare('paged', pods);
    await server.prepare('streamed', pods);
    const paged = server.url('paged', pods);
    const streamed = server.url('streamed', pods);
    const results = await interleaved(
      {
        nothing: { side: 'nothing' },
        'server alone': { side: 'drain', options: { url: paged } },
        'fetch and JSON.parse': { side: 'parseSync', options: { url: paged } },
        'client-node': { side: 'clientNodeSync', options: { url: paged, count: pods } },
        'informer, pages': { side: 'informerSync', options: { url: paged, count: pods } },
        'informer, streamed': { side: 'informerSync', options: { url: streamed, count: pods } },
      },
      { rounds, show: ['wallMs', 'cpuMs', 'retainedHeap', 'peakRss'] },
    );
    const bytes = results.of('server alone', 'bytes');
    const bare = results.of('nothing', 'peakRss');
    const theirs = 'client-node';
    const theirHeap = results.of(theirs, 'retainedHeap');
    const theirPeak = results.of(theirs, 'peakRss') - bare;
    const outside = (name: typeof theirs | 'informer, pages' | 'informer, streamed'): string =>
      kilobytes(results.of(name, 'retainedExternal') / pods);
    const rows = (['informer, pages', 'informer, streamed'] as const).flatMap((name) => {
      const how = name.slice('informer, '.length);
      const wall = results.ratio(name, 'fetch and JSON.parse', 'wallMs');
      const faster = 1 / results.ratio(name, theirs, 'wallMs');
      const heap = results.of(name, 'retainedHeap');
      const peak = results.of(name, 'peakRss') - bare;
      return [
        atMost(
          `first sync of ${pods} pods (${how})`,
          wall,
          0.7,
          '<= 0.7 x fetch + JSON.parse',
          `${ratio(wall, results.ratio(name, 'fetch and JSON.parse', 'cpuMs'))}: ${seconds(results.of(name, 'wallMs'))} to ${seconds(results.of('fetch and JSON.parse', 'wallMs'))}`,
        ),
        atLeast(
          `first sync of ${pods} pods (${how})`,
          faster,
          3,
          '>= 3 x as fast as client-node',
          `${ratio(faster, 1 / results.ratio(name, theirs, 'cpuMs'))}: ${seconds(results.of(name, 'wallMs'))} to ${seconds(results.of(theirs, 'wallMs'))}`,
        ),
        atMost(
          `heap per cached pod (${how})`,
          heap / theirHeap,
          0.25,
          '<= 0.25 x client-node',
          `${short(heap / theirHeap)} x: ${kilobytes(heap / pods)} to ${kilobytes(theirHeap / pods)}; outside of the heap ${outside(name)} to ${outside(theirs)}`,
        ),
        atMost(
          `peak RSS above bare node (${how})`,
          peak / heap,
          2.5,
          '<= 2.5 x retained heap',
          `${short(peak / heap)} x: ${megabytes(peak)} to ${megabytes(heap)}`,
        ),
        atMost(
          `peak RSS above bare node (${how})`,
          peak / theirPeak,
          0.35,
          '<= 0.35 x client-node',
          `${short(peak / theirPeak)} x: ${megabytes(peak)} to ${megabytes(theirPeak)}`,
        ),
      ];
    });
    const ceiling = results.of('server alone', 'megabytesPerSecond');
    const used = bytes / 1e3 / results.of('informer, streamed', 'wallMs');
    return [
      remark(
        'the server alone',
        `${short(ceiling)} MB/s, ${short(ceiling / used)} x what the informer takes; ${kilobytes(bytes / pods)} per pod`,
      ),
      ...rows,
    ];
  },
};
