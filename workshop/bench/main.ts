/**
 * `npm run bench` measures the targets of the project for speed and memory. Ends with a table of targets, measured figures and verdicts.
 *
 *   npm run bench                       all benchmarks; takes about ten minutes
 *   npm run bench -- sync watch         two benchmarks
 *   npm run bench -- traffic --kinds=leases,events --readers=metadata --rounds=5 [--flags=--cpu-prof]
 *                                       some kinds of traffic and readers, the number of rounds, Node flags for the processes of rx-informer
 *   npm run bench -- peers [--kinds=... --rounds=...]
 *                                       client-go and kube-rs on the same bytes, if Go and Rust are installed; not part of `npm run bench`
 *   npm run bench -- apiServer          the embedded API server, with a separate report
 *   npm run bench -- longLists [objects] [rounds]
 *                                       lists of the embedded API server beside a real one, if there is one
 *   npm run bench -- hugeList [MB]      a list of 2 GB in one answer
 *   npm run bench -- compression [pods] [events] [rounds]
 *                                       what gzip costs a client
 *   npm run bench -- recovery [--times=20] [--faults=cut,500] [--atOnce=10]
 *                                       how long a cache takes to be right after a fault, beside client-go if Go is installed
 *   npm run bench -- relay [pages] [pods]
 *                                       a relay and its pages: figures of docs/numbers.md
 *   npm run bench -- inspector [pods] [events per second]
 *                                       the cost of the registry, and of the inspector with an open page
 *   npm run bench -- operator [parents] [changes] [rounds]
 *                                       an operator of ours beside one of controller-runtime, if Go is installed
 *   npm run bench -- podBytes [pods]    the memory of a cached pod, byte by byte
 *
 * The sides of a comparison are measured in the same run, in interleaved rounds, each in a process of its own; the median counts.
 * The server is another process and sends answers that it has serialized before the measurement.
 */
import { spawnSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Benchmark, BenchmarkOptions, Row } from './benchmark.js';
import { blocking } from './blocking.js';
import { compile } from './compile.js';
import { connections } from './connections.js';
import { fanOut } from './fanOut.js';
import { growth } from './growth.js';
import { peers } from './peers.js';
import { printTable } from './printTable.js';
import { queue } from './queue.js';
import { reads } from './reads.js';
import { shards } from './shards.js';
import { snapshots } from './snapshots.js';
import { startPodServer } from './startPodServer.js';
import { startUp } from './startUp.js';
import { sync } from './sync.js';
import { traffic } from './traffic.js';
import { views } from './views.js';
import { warmStart } from './warmStart.js';
import { watch } from './watch.js';

const benchmarks: readonly Benchmark[] = [
  ...[sync, watch, traffic, blocking, fanOut, growth, snapshots, reads, queue, startUp, views, shards],
  ...[warmStart, connections],
];
/** Benchmarks that need tools other than Node. */
const onRequest: readonly Benchmark[] = [peers];
/** Separate programs that print their own reports. */
const programs: readonly string[] = [
  'apiServer',
  'compression',
  'hugeList',
  'inspector',
  'longLists',
  'operator',
  'podBytes',
  'recovery',
  'relay',
];

const load = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ');

function selected(names: readonly string[]): readonly Benchmark[] {
  const all = [...benchmarks, ...onRequest];
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`Expected names of ${[...known, ...programs].join(', ')}, got ${unknown}`);
  return names.length === 0 ? benchmarks : all.filter(({ name }) => names.includes(name));
}

async function runAll(chosen: readonly Benchmark[], options: BenchmarkOptions): Promise<void> {
  const begun = performance.now();
  compile();
  const machine = cpus();
  console.log(`node ${process.version}, ${machine.length} x ${machine[0]?.model ?? 'unknown'}, load ${load()}`);
  const server = await startPodServer();
  const rows: Row[] = [];
  try {
    for (const { name, run } of chosen) {
      console.log(`\n${name}`);
      await server.forget();
      rows.push(...(await run(server, options)));
    }
  } finally {
    server.close();
  }
  console.log(`\nin ${((performance.now() - begun) / 60_000).toFixed(1)} minutes, load ${load()} at the end\n`);
  printTable(rows);
}

const names = process.argv.slice(2);
const [program] = names;
if (program !== undefined && programs.includes(program)) {
  const args = [...process.execArgv, fileURLToPath(new URL(`${program}.ts`, import.meta.url)), ...names.slice(1)];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else {
  const { values, positionals } = parseArgs({
    args: names,
    options: { kinds: { type: 'string' }, readers: { type: 'string' }, rounds: { type: 'string' }, flags: { type: 'string' } },
    allowPositionals: true,
  });
  await runAll(selected(positionals), {
    ...(values.kinds !== undefined && { kinds: values.kinds.split(',') }),
    ...(values.readers !== undefined && { readers: values.readers.split(',') }),
    ...(values.rounds !== undefined && { rounds: Number(values.rounds) }),
    ...(values.flags !== undefined && { sideFlags: values.flags.split(' ') }),
  });
}
