import { atLeast, type Benchmark, remark, type Row } from './benchmark.js';
import { ratio, short } from './format.js';
import { interleaved } from './rounds.js';
import type { WatchSideOptions } from './sendEvents.js';
import type { EventPattern } from './startPodServer.js';

const pods = 5_000;
const warmUp = 5_000;
const events = 25_000;
const rounds = 5;

const patterns: readonly (readonly [EventPattern, string])[] = [
  ['uniform', 'each pod in its turn'],
  ['rollout', 'some pods often'],
];

/**
 * A busy watch: MODIFIED events through the cache, one index and one subscriber.
 */
export const watch: Benchmark = {
  name: 'watch',
  run: async (server) => {
    await server.prepare('paged', pods);
    const rows: Row[] = [];
    for (const [pattern, words] of patterns) {
      const sequence = { count: events, pattern };
      await server.prepareEvents(pods, sequence);
      const options: WatchSideOptions = { url: server.url('paged', pods), events: sequence, warmUp };
      console.log(` ${pattern}`);
      const results = await interleaved(
        {
          'lines alone': { side: 'drainWatch', options },
          'JSON.parse per line': { side: 'parseWatch', options },
          'client-node': { side: 'clientNodeWatch', options },
          informer: { side: 'informerWatch', options },
        },
        { rounds },
      );
      const perSecond = (name: Parameters<typeof results.of>[0]): string => `${short((events - warmUp) / results.of(name, 'wallMs'))} k/s`;
      const parse = 1 / results.ratio('informer', 'JSON.parse per line', 'wallMs');
      const theirs = 1 / results.ratio('informer', 'client-node', 'wallMs');
      if (rows.length === 0) rows.push(remark('the server alone, lines of a watch', perSecond('lines alone')));
      rows.push(
        atLeast(
          `watch throughput (${words})`,
          parse,
          1,
          '>= 1.0 x JSON.parse per line',
          `${ratio(parse, 1 / results.ratio('informer', 'JSON.parse per line', 'cpuMs'))}: ${perSecond('informer')} to ${perSecond('JSON.parse per line')}`,
        ),
        atLeast(
          `watch throughput (${words})`,
          theirs,
          2,
          '>= 2 x client-node',
          `${ratio(theirs, 1 / results.ratio('informer', 'client-node', 'cpuMs'))}: ${perSecond('informer')} to ${perSecond('client-node')}`,
        ),
      );
    }
    return rows;
  },
};
