import { atMost, type Benchmark, remark } from './benchmark.js';
import { micros, short } from './format.js';
import { type Contender, interleaved } from './rounds.js';
import { graphRows } from './viewGraphs.js';

const pods = 10_000;
const services = 500;

const contender = (way: string, changes: number): Contender => ({ side: 'views', options: { way, pods, services, changes } });

/** Maintains the ready pods of each service: the cost of one changed pod, from the cache to the subscriber. */
export const views: Benchmark = {
  name: 'views',
  run: async () => {
    const contenders = {
      derive: contender('derive', 20_000),
      fill: contender('fill', 0),
      'the cache alone': contender('cacheAlone', 20_000),
      'by hand': contender('byHand', 20_000),
      'alien-signals': contender('signals', 20_000),
      'db-ivm': contender('dbIvm', 20_000),
      combineLatest: contender('combineLatest', 3),
    };
    const results = await interleaved(contenders, {
      rounds: 3,
      show: ['us', 'p99', 'firstUs', 'fillMs', 'readMs', 'firstFillMs', 'fillRatio', 'scatteredRatio'],
    });
    const of = (name: keyof typeof contenders, figure: string): number => results.of(name, figure);
    const beginning = (name: keyof typeof contenders): string => `; the first changes ${micros(of(name, 'firstUs'))}`;
    const us = of('derive', 'us');
    const fill = of('fill', 'fillRatio');
    return [
      atMost(
        `view of ${pods} pods x ${services} services, one pod changes`,
        us,
        15,
        '<= 15 us',
        `${micros(us)}, p99 ${micros(of('derive', 'p99'))}${beginning('derive')}`,
      ),
      atMost(
        'view, first fill against reading all inputs once',
        fill,
        5,
        '<= 5 x',
        `${short(fill)} x: ${short(of('fill', 'fillMs'))} ms against ${short(of('fill', 'readMs'))} ms; the very first ${short(of('fill', 'firstFillMs'))} ms`,
      ),
      remark('the same join once, by hand', `${short(of('fill', 'handRatio'))} x`),
      remark(
        'the same, pods of a service scattered over the list',
        `${short(of('fill', 'scatteredRatio'))} x, by hand ${short(of('fill', 'scatteredHandRatio'))} x`,
      ),
      ...(['the cache alone', 'by hand', 'alien-signals', 'db-ivm', 'combineLatest'] as const).map((name) =>
        remark(`the same join, ${name}`, `${micros(of(name, 'us'))}, p99 ${micros(of(name, 'p99'))}${beginning(name)}`),
      ),
      ...(await graphRows()),
    ];
  },
};
