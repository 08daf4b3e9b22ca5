import { atMost, type Benchmark, type BenchmarkOptions, remark, type Row } from './benchmark.js';
import { kilobytes, micros, short } from './format.js';
import { buildClientGo, buildKubeRs, serveProtobuf } from './peers/programs.js';
import { type Contender, interleaved, type Results } from './rounds.js';
import type { PodServer } from './startPodServer.js';
import { trafficOf } from './traffic/kinds.js';

const defaultRounds = 3;
const defaultKinds = ['rollouts', 'heartbeats', 'leases'];

interface Programs {
  readonly clientGo: string | undefined;
  readonly kubeRs: string | undefined;
}

const memoryOf = (results: Results<string>, side: string): number =>
  (results.of(side, 'heap') + results.of(side, 'external')) / results.of(side, 'count');

function rowsOf(name: string, sides: readonly string[], results: Results<string>): readonly Row[] {
  const all = (value: (side: string) => string): string => sides.map((side) => `${side} ${value(side)}`).join(', ');
  const events = all((side) => micros(results.of(side, 'eventUs')));
  const memory = all((side) => kilobytes(memoryOf(results, side)));
  const lists = all((side) => `${short(results.of(side, 'listMs'))} ms`);
  const list = remark(`${name}, first list`, `processor time: ${lists}`);
  if (!sides.includes('client-go')) return [remark(`${name}, an event`, events), remark(`${name}, memory per object`, memory), list];
  const ratio = results.ratio('informer', 'client-go', 'eventUs');
  const share = memoryOf(results, 'informer') / memoryOf(results, 'client-go');
  return [
    atMost(`${name}, an event`, ratio, 1, '<= 1 x client-go with JSON', `${short(ratio)} x: ${events}`),
    atMost(`${name}, memory per object`, share, 1, '<= 1 x client-go with JSON', `${short(share)} x: ${memory}`),
    list,
  ];
}

async function measure(
  server: PodServer,
  name: string,
  { clientGo, kubeRs }: Programs,
  { rounds = defaultRounds }: BenchmarkOptions,
): Promise<readonly Row[]> {
  const { apiVersion, events, kind, path, warmUp } = trafficOf(name);
  await server.prepareTraffic(name);
  const options = { url: server.trafficUrl(name), path, apiVersion, kind, warmUp, events };
  const program = (file: string, args: readonly string[]): Contender => ({ side: 'program', options: { path: file, args } });
  const contenders: Record<string, Contender> = {
    informer: { side: 'trafficInformer', options },
    'client-node': { side: 'trafficClientNode', options },
  };
  const protobuf = clientGo === undefined ? undefined : await serveProtobuf(clientGo, options);
  try {
    if (clientGo !== undefined && protobuf !== undefined) {
      contenders['client-go'] = program(clientGo, ['measure', JSON.stringify(options)]);
      contenders['client-go protobuf'] = program(clientGo, ['measure', JSON.stringify({ ...options, url: protobuf.url, protobuf: true })]);
    }
    if (kubeRs !== undefined) contenders['kube-rs'] = program(kubeRs, [JSON.stringify(options)]);
    console.log(` ${name}${protobuf === undefined ? '' : `, an event of ${protobuf.eventBytes} bytes as protobuf`}`);
    const results = await interleaved(contenders, { rounds, show: ['eventUs', 'listMs', 'heap', 'count'] });
    const counts = new Set(Object.keys(contenders).map((side) => results.of(side, 'count')));
    if (counts.size !== 1) throw new Error(`Expected all sides to hold the same number of ${name}, got ${[...counts].join(', ')}`);
    return rowsOf(name, Object.keys(contenders), results);
  } finally {
    protobuf?.close();
    await server.forget();
  }
}

/** Informers of other projects with the same bytes: client-go with JSON and with protobuf, kube-rs with JSON, client-node. */
export const peers: Benchmark = {
  name: 'peers',
  run: async (server, options) => {
    const programs = { clientGo: buildClientGo(), kubeRs: buildKubeRs() };
    const rows: Row[] = [];
    for (const name of options.kinds ?? defaultKinds) rows.push(...(await measure(server, name, programs, options)));
    return rows;
  },
};
