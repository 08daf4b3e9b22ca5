import { atMost, type Benchmark, type BenchmarkOptions, type Row } from './benchmark.js';
import { kilobytes, micros, short } from './format.js';
import { interleaved } from './rounds.js';
import type { PodServer } from './startPodServer.js';
import { kinds, trafficOf } from './traffic/kinds.js';
import type { TrafficSideOptions } from './traffic/trafficSide.js';

const defaultRounds = 3;

/** What all sides of one kind have measured, as lines of the table. */
async function measure(server: PodServer, name: string, { rounds = defaultRounds, sideFlags }: BenchmarkOptions): Promise<readonly Row[]> {
  const traffic = trafficOf(name);
  await server.prepareTraffic(name);
  const { apiVersion, events, kind, listTarget, path, target, warmUp } = traffic;
  const options: TrafficSideOptions = { url: server.trafficUrl(name), path, apiVersion, kind, warmUp, events };
  console.log(` ${name}`);
  const results = await interleaved(
    {
      floor: { side: 'trafficFloor', options },
      'client-node': { side: 'trafficClientNode', options },
      informer: { side: 'trafficInformer', options, ...(sideFlags !== undefined && { flags: sideFlags }) },
    },
    { rounds, show: ['eventUs', 'listMs', 'heap', 'external', 'count'] },
  );
  await server.forget();
  const objects = results.of('floor', 'count');
  if (objects !== results.of('informer', 'count')) throw new Error(`Expected ${objects} ${name} in the cache, got another number`);
  const [event, theirEvent] = (['floor', 'client-node'] as const).map((baseline) => results.ratio('informer', baseline, 'eventUs'));
  const [list, theirList] = (['floor', 'client-node'] as const).map((baseline) => results.ratio('informer', baseline, 'listMs'));
  const us = (side: Parameters<typeof results.of>[0]): string => micros(results.of(side, 'eventUs'));
  const ms = (side: Parameters<typeof results.of>[0]): string => `${short(results.of(side, 'listMs'))} ms`;
  const memory = (side: Parameters<typeof results.of>[0]): string =>
    `${kilobytes(results.of(side, 'heap') / objects)} + ${kilobytes(results.of(side, 'external') / objects)}`;
  const all = (value: (side: Parameters<typeof results.of>[0]) => string): string =>
    `${value('floor')}, ${value('client-node')}, ${value('informer')}`;
  // Whichever of both limits it is farther from.
  const eventMissed = Math.max((event ?? NaN) / target, theirEvent ?? NaN);
  const listMissed = Math.max((list ?? NaN) / (listTarget ?? Infinity), theirList ?? NaN);
  return [
    atMost(
      `${name}, an event of ${kilobytes(results.of('floor', 'bytes'))}`,
      eventMissed,
      1,
      `<= ${target} x the floor, 1 x client-node`,
      `${short(event ?? NaN)} x the floor, ${short(theirEvent ?? NaN)} x client-node: ${all(us)}`,
    ),
    atMost(
      `${name}, first list of ${short(objects)}`,
      listMissed,
      1,
      `<= ${listTarget === undefined ? '' : `${listTarget} x fetch + JSON.parse, `}1 x client-node`,
      `${short(list ?? NaN)} x, ${short(theirList ?? NaN)} x: ${all(ms)}; retained at the end, in the heap + outside, per object: ${all(memory)}`,
    ),
  ];
}

/**
 * Kinds of traffic that clusters have: processor time per event, first list and memory against the floor and client-node.
 */
export const traffic: Benchmark = {
  name: 'traffic',
  run: async (server, options) => {
    const rows: Row[] = [];
    const names = options.kinds ?? Object.keys(kinds);
    names.forEach(trafficOf);
    for (const name of names) rows.push(...(await measure(server, name, options)));
    return rows;
  },
};
