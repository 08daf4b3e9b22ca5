/**
 * The same operator with rx-informer and with controller-runtime: parents with a deployment and a service each, and a status, while users and others change them.
 * Both have one embedded server, in a process of its own, and 4 calls at once. Prints the figures of each round, and the medians.
 *
 * `npm run bench -- operator [parents] [changes] [rounds]`
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { buildControllerRuntime } from './peers/programs.js';
import { median } from './rounds.js';
import type { Figures } from './runSide.js';

const [parents = 2_000, changes = 2_000, rounds = 3] = process.argv.slice(2).map(Number);
const concurrent = '4';

function start(file: string, ...args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`operator/${file}.ts`, import.meta.url));
  return fork(path, args, { execArgv: ['--import', fileURLToPath(new URL('../tools/register-ts-node.mjs', import.meta.url))] });
}

async function message<T>(child: ChildProcess): Promise<T> {
  const ended = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`Expected figures, but a process ended with ${String(code)}`)),
  );
  const [received] = (await Promise.race([once(child, 'message'), ended])) as [T];
  return received;
}

/** Starts an operator; the result ends it, and has its figures. */
type Start = (url: string) => () => Promise<Figures>;

const ours =
  (how: string): Start =>
  (url) => {
    const child = start('ours', url, concurrent, how);
    return () => {
      child.send('end');
      return message<Figures>(child);
    };
  };

const theirs =
  (program: string): Start =>
  (url) => {
    const child = spawn(program, ['-url', url, '-concurrent', concurrent], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
    return async () => {
      child.kill('SIGTERM');
      await once(child, 'close');
      return JSON.parse(output) as Figures;
    };
  };

async function measure(begin: Start): Promise<Figures> {
  const server = start('server', String(parents), String(changes));
  try {
    const end = begin(await message<string>(server));
    server.send('begin');
    const served = await message<Figures>(server);
    return { ...served, ...(await end()) };
  } finally {
    server.disconnect();
  }
}

const program = buildControllerRuntime();
const contenders: Readonly<Record<string, Start>> = {
  children: ours('children'),
  applyObject: ours('applyObject'),
  ...(program !== undefined && { 'controller-runtime': theirs(program) }),
};
const all = new Map<string, Figures[]>();
for (let round = 0; round < rounds; round += 1) {
  for (const [name, begin] of Object.entries(contenders)) {
    const figures = await measure(begin);
    all.set(name, [...(all.get(name) ?? []), figures]);
    const shown = Object.entries(figures).map(([figure, value]) => `${figure} ${value.toFixed(0)}`);
    console.log(`  round ${round + 1}  ${name.padEnd(20)} ${shown.join('  ')}`);
  }
}
const load = loadavg().map((value) => value.toFixed(1));
console.log(`\n${parents} parents, ${changes} changes, ${concurrent} calls at once, medians of ${rounds} rounds, load ${load.join(' ')}`);
for (const [name, figures] of all) {
  const shown = ['reconciles', 'failures', 'requests', 'convergeMs', 'serverCpuMs', 'cpuMs', 'maxRssMb'].map(
    (figure) => `${figure} ${median(figures.map((each) => each[figure] ?? NaN)).toFixed(0)}`,
  );
  console.log(`${name.padEnd(20)} ${shown.join('  ')}`);
}
