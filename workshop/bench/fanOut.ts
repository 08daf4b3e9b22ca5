import { atMost, type Benchmark, remark } from './benchmark.js';
import { micros, ratio, short } from './format.js';
import { interleaved } from './rounds.js';

const pods = 2_000;
const warmUp = 5_000;
const events = 20_000;
const rounds = 5;

/** One change with many subscribers. */
export const fanOut: Benchmark = {
  name: 'fanOut',
  run: async (server) => {
    const sequence = { count: events, pattern: 'uniform' } as const;
    await server.prepare('paged', pods);
    await server.prepareEvents(pods, sequence);
    const to = (subscribers: number): { side: string; options: object } => ({
      side: 'informerWatch',
      options: { url: server.url('paged', pods), events: sequence, warmUp, subscribers },
    });
    const results = await interleaved({ 1: to(1), 10: to(10), 100: to(100), 1000: to(1000), calls: { side: 'calls' } }, { rounds });
    const perEvent = (name: '1' | '10' | '100' | '1000'): number => (results.of(name, 'cpuMs') * 1000) / (events - warmUp);
    const one = perEvent('1');
    const call = results.of('calls', 'microsPerCall');
    const extra = (perEvent('1000') - one) / 999;
    const ten = results.ratio('10', '1', 'wallMs');
    const hundred = results.ratio('100', '1', 'wallMs');
    const thousand = results.ratio('1000', '1', 'wallMs');
    return [
      remark('10 subscribers instead of one', `${ratio(ten, results.ratio('10', '1', 'cpuMs'))} per event`),
      atMost(
        '100 subscribers instead of one',
        hundred,
        1.5,
        '<= 1.5 x per event',
        `${ratio(hundred, results.ratio('100', '1', 'cpuMs'))}: ${micros(perEvent('100'))} to ${micros(one)} cpu`,
      ),
      remark('1,000 subscribers instead of one', `${ratio(thousand, results.ratio('1000', '1', 'cpuMs'))} per event`),
      remark(
        'one more subscriber, per event',
        `${short(extra * 1000)} ns, ${short(extra / call)} x the ${short(call * 1000)} ns of a call out of a list of functions`,
      ),
    ];
  },
};
