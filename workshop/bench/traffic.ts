import { atMost, type Benchmark, type BenchmarkOptions, type Row } from './benchmark.js';
import { kilobytes, micros, short } from './format.js';
import { interleaved, type Results } from './rounds.js';
import type { PodServer } from './startPodServer.js';
import { kinds, trafficOf } from './traffic/kinds.js';
import { readers, type Reader } from './traffic/readers.js';
import type { Traffic } from './traffic/traffic.js';
import type { TrafficSideOptions } from './traffic/trafficSide.js';

const defaultRounds = 3;
/** A cold event may cost 1.3 times as much as a warm one. */
const coldAllowance = 1.3;

type Side = 'floor' | 'client-node' | 'informer';

/** The rows of the table for one kind and one reader. */
function rowsOf(name: string, { listTarget, target }: Traffic, results: Results<Side>): readonly Row[] {
  const objects = results.of('floor', 'count');
  const ratios = (figure: string): [number, number] => [
    results.ratio('informer', 'floor', figure),
    results.ratio('informer', 'client-node', figure),
  ];
  const all = (value: (side: Side) => string): string => `${value('floor')}, ${value('client-node')}, ${value('informer')}`;
  const event = (figure: 'eventUs' | 'coldUs' | 'runUs', what: string, most: number): Row => {
    const [floor, theirs] = ratios(figure);
    const measured = `${short(floor)} x the floor, ${short(theirs)} x client-node: ${all((side) => micros(results.of(side, figure)))}`;
    // The worse of the two ratios counts.
    return atMost(what, Math.max(floor / most, theirs), 1, `<= ${short(most)} x the floor, 1 x client-node`, measured);
  };
  const [list, theirList] = ratios('listMs');
  const memory = (side: Side): string =>
    `${kilobytes(results.of(side, 'heap') / objects)} + ${kilobytes(results.of(side, 'external') / objects)}`;
  return [
    event('coldUs', `${name}, a cold event`, target * coldAllowance),
    event('runUs', `${name}, an event of a whole run`, target * coldAllowance),
    event('eventUs', `${name}, an event of ${kilobytes(results.of('floor', 'bytes'))}`, target),
    atMost(
      `${name}, first list of ${short(objects)}`,
      Math.max(list / (listTarget ?? Infinity), theirList),
      1,
      `<= ${listTarget === undefined ? '' : `${listTarget} x fetch + JSON.parse, `}1 x client-node`,
      `${short(list)} x, ${short(theirList)} x: ${all((side) => `${short(results.of(side, 'listMs'))} ms`)}; retained at the end, in the heap + outside, per object: ${all(memory)}`,
    ),
  ];
}

/** The rows of the table for one kind. */
async function measure(
  server: PodServer,
  name: string,
  reader: Reader,
  { rounds = defaultRounds, sideFlags }: BenchmarkOptions,
): Promise<readonly Row[]> {
  const traffic = trafficOf(name);
  await server.prepareTraffic(name);
  const { apiVersion, events, kind, path, warmUp } = traffic;
  const options: TrafficSideOptions = { url: server.trafficUrl(name), path, apiVersion, kind, warmUp, events, reader };
  console.log(` ${name}, ${reader} read`);
  const results = await interleaved<Side>(
    {
      floor: { side: 'trafficFloor', options },
      'client-node': { side: 'trafficClientNode', options },
      informer: { side: 'trafficInformer', options, ...(sideFlags !== undefined && { flags: sideFlags }) },
    },
    { rounds, show: ['coldUs', 'runUs', 'eventUs', 'listMs', 'heap', 'external', 'count'] },
  );
  await server.forget();
  const objects = results.of('floor', 'count');
  if (objects !== results.of('informer', 'count')) throw new Error(`Expected ${objects} ${name} in the cache, got another number`);
  return rowsOf(reader === 'metadata' ? name : `${name}, ${reader} read`, traffic, results);
}

function readerOf(name: string): Reader {
  if (!Object.hasOwn(readers, name)) throw new TypeError(`Expected readers of ${Object.keys(readers).join(', ')}, got ${name}`);
  return name as Reader;
}

/**
 * Traffic as in real clusters: CPU time per event, cold and warm, first list and memory, compared with the floor and client-node, for
 * readers of the metadata, of a pod's or node's place and readiness, and of everything.
 */
export const traffic: Benchmark = {
  name: 'traffic',
  run: async (server, options) => {
    const rows: Row[] = [];
    const names = options.kinds ?? Object.keys(kinds);
    const chosen = (options.readers ?? Object.keys(readers)).map(readerOf);
    names.forEach(trafficOf);
    for (const name of names) for (const reader of chosen) rows.push(...(await measure(server, name, reader, options)));
    return rows;
  },
};
