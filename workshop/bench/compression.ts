/**
 * `npm run bench -- compression [pods] [events] [rounds]`: what gzip costs a client: the processor time of a list and of a busy watch, compressed and plain, over TLS, in
 * interleaved rounds on loopback, where the bytes themselves take no time. Needs openssl.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median } from './rounds.js';

interface Figures {
  readonly list: { readonly wallMs: number; readonly cpuMs: number };
  readonly watch: { readonly wallMs: number; readonly cpuMs: number };
}
interface Said {
  readonly port: number;
  /** The bytes of plain answers, and of compressed ones. */
  readonly sizes: readonly { readonly list: number; readonly watch: number }[];
}

const [pods = 20_000, events = 20_000, rounds = 5] = process.argv.slice(2).map(Number);
async function started(name: string, ...args: readonly (string | number)[]) {
  const child = fork(fileURLToPath(new URL(`compression/${name}.ts`, import.meta.url)), args.map(String), {
    execArgv: ['--import', './workshop/tools/register-ts-node.mjs'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const [said] = (await once(child, 'message')) as [unknown];
  return { child, said };
}

const { child: server, said: served } = await started('server', pods, events);
const said = served as Said;
const paths = ['/plain', '/gzip'];
const measured: Figures[][] = paths.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [at, path] of paths.entries()) {
    const one = await started('informer', `https://127.0.0.1:${said.port}${path}`, pods + events);
    measured[at]?.push(one.said as Figures);
  }
}
server.disconnect();

console.log(`| ${pods} pods, ${events} events | MB | processor time, list | wall time | processor time, an event | wall time |`);
console.log('|---|---|---|---|---|---|');
for (const [at, path] of paths.entries()) {
  const of = (figure: (figures: Figures) => number): number => median((measured[at] ?? []).map(figure));
  const size = said.sizes[at];
  const perEvent = (ms: number): string => `${((ms * 1000) / events).toFixed(1)} us`;
  const cells = [
    path.slice(1),
    `${((size?.list ?? 0) / 1e6).toFixed(1)} + ${((size?.watch ?? 0) / 1e6).toFixed(1)}`,
    `${of(({ list }) => list.cpuMs).toFixed(0)} ms`,
    `${of(({ list }) => list.wallMs).toFixed(0)} ms`,
    perEvent(of(({ watch }) => watch.cpuMs)),
    perEvent(of(({ watch }) => watch.wallMs)),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
