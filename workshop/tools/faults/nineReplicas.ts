import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { filter, firstValueFrom, Subject, timeout } from 'rxjs';
import { serverControl } from '../../../spec/e2e/serverControl.js';
import { startServerProcess } from '../../../spec/e2e/serverProcess.js';
import { createClient, resources } from 'rx-informer';
import { defaultTimings, timeBounds } from '../proofs/bounds.js';

/** A report of a replica; `at` is the machine's monotonic clock. */
export interface ReplicaReport {
  readonly type: 'elected' | 'request' | 'call';
  readonly identity: string;
  readonly key: string;
  readonly at: number;
}

export const namespace = 'default';
const keys = Array.from({ length: 60 }, (_, number) => `${namespace}/object-${number}`);
const bounds = timeBounds(defaultTimings);
/** The time of requests, which the bounds exclude: two for the lease, those for the group, and the list of the new slots. */
const requestsMs = 3_000;
/** The longest wait for a promised recovery. */
const patienceMs = 120_000;
const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

/** An action against the leader, which is also a member of the group, and the promise for it. */
interface Deed {
  readonly words: string;
  readonly leaderMs: number;
  readonly slotMs: number;
  readonly doTo: (replica: Replica, nine: NineReplicas) => Promise<() => Promise<unknown>>;
}

const nothing = (): Promise<void> => Promise.resolve();
const deeds: readonly Deed[] = [
  {
    words: 'SIGTERM',
    leaderMs: bounds.release,
    slotMs: bounds.slotMove,
    doTo: ({ child }) => Promise.resolve((child.kill('SIGTERM'), nothing)),
  },
  {
    words: 'SIGKILL',
    leaderMs: bounds.death,
    slotMs: bounds.slotDeath,
    doTo: ({ child }) => Promise.resolve((child.kill('SIGKILL'), nothing)),
  },
  {
    words: 'SIGSTOP, until all its work is done by others',
    leaderMs: bounds.death,
    slotMs: bounds.slotDeath,
    doTo: ({ child }) => {
      child.kill('SIGSTOP');
      return Promise.resolve(() => Promise.resolve(child.kill('SIGCONT')));
    },
  },
  {
    words: 'its connections are cut, until all its work is done by others',
    leaderMs: bounds.death,
    slotMs: bounds.slotDeath,
    doTo: async ({ identity }, { control }) => {
      const fault = await control.inject({ type: 'cut', at: 'headers', userAgent: identity });
      return () => fault.remove();
    },
  },
];

interface Replica {
  readonly identity: string;
  readonly child: ChildProcess;
}

/** Nine processes with default timing: candidates for one lease, and members of one group. */
class NineReplicas {
  readonly control;
  private readonly url: string;
  private readonly replicas = new Map<string, Replica>();
  private readonly reports$ = new Subject<ReplicaReport>();
  private readonly lastCalls = new Map<string, ReplicaReport>();
  private leader: ReplicaReport | undefined;
  private started = 0;

  constructor(url: string) {
    this.url = url;
    this.control = serverControl(url);
    const takeNote = (report: ReplicaReport): void => {
      if (report.type === 'call') this.lastCalls.set(report.key, report);
      if (report.type === 'elected') this.leader = report;
    };
    this.reports$.subscribe({ next: takeNote, error: () => undefined });
  }

  private join(): void {
    const identity = `replica-${String((this.started += 1))}`;
    const program = fileURLToPath(new URL('./oneOfNine.ts', import.meta.url));
    const child = spawn(process.execPath, [...process.execArgv, program, this.url, identity], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.on('message', (report) => this.reports$.next(report as ReplicaReport));
    this.replicas.set(identity, { identity, child });
    child.once('exit', () => this.replicas.delete(identity));
  }

  /** Resolves when there are nine replicas, one leads, and all of them process keys. */
  async settled(): Promise<void> {
    while (this.replicas.size < 9) this.join();
    const since = clock();
    await this.reaches(
      () => this.leader !== undefined && this.keysSince(since).length === keys.length && new Set(this.workers()).size === 9,
    );
  }

  /** Carries out the action, and measures how long recovery takes. Returns a row of the table, and the broken bounds. */
  async measure({ words, leaderMs, slotMs, doTo }: Deed): Promise<{ readonly row: string; readonly broken: readonly string[] }> {
    const replica = this.replicas.get(this.leader?.identity ?? '');
    if (replica === undefined) throw new Error('Nobody leads');
    const { identity } = replica;
    const own = keys.filter((key) => this.lastCalls.get(key)?.identity === identity);
    const calls = new Map<string, number>();
    const requests: number[] = [];
    let elected = Infinity;
    const takeNote = (report: ReplicaReport): void => {
      if (report.identity === identity && report.type === 'request') requests.push(report.at);
      if (report.identity === identity) return;
      if (report.type === 'elected') elected = Math.min(elected, report.at);
      if (report.type === 'call' && own.includes(report.key) && !calls.has(report.key)) calls.set(report.key, report.at);
    };
    const watched = this.reports$.subscribe({ next: takeNote, error: () => undefined });
    const begun = clock();
    const undo = await doTo(replica, this);
    await this.reaches(() => elected < Infinity && calls.size === own.length);
    await undo();
    // Wait for pending requests of the replica.
    await sleep(2_000);
    watched.unsubscribe();
    const seen = { leader: elected - begun, slot: Math.max(...calls.values()) - begun, sending: Math.max(begun, ...requests) - begun };
    const late = requests.filter((at) => at >= elected).length;
    const broken = [
      ...(seen.leader <= leaderMs + requestsMs ? [] : [`another one led after ${String(seen.leader)} ms`]),
      ...(seen.slot <= slotMs + requestsMs ? [] : [`its keys were worked on after ${String(seen.slot)} ms`]),
      ...(seen.sending <= bounds.lastSending ? [] : [`it sent a request after ${String(seen.sending)} ms`]),
      ...(late === 0 ? [] : [`it sent ${String(late)} requests beside its successor`]),
    ];
    const within = (ms: number, most: number): string => `${(ms / 1_000).toFixed(1)} s (${(most / 1_000).toFixed(1)} s)`;
    const row = `| ${words} | ${within(seen.leader, leaderMs)} | ${within(seen.slot, slotMs)} | ${within(seen.sending, bounds.lastSending)} |`;
    return { row, broken: broken.map((what) => `${words}: ${what}`) };
  }

  close(): void {
    const all = [...this.replicas.values()];
    this.replicas.clear();
    for (const { child } of all) child.kill('SIGKILL');
  }

  private keysSince(since: number): readonly string[] {
    return keys.filter((key) => (this.lastCalls.get(key)?.at ?? 0) > since);
  }

  private workers(): readonly string[] {
    return [...this.lastCalls.values()].map(({ identity }) => identity);
  }

  private async reaches(condition: () => boolean): Promise<void> {
    const reached$ = this.reports$.pipe(filter(condition), timeout({ first: patienceMs }));
    await firstValueFrom(reached$, { defaultValue: undefined });
  }
}

/** Kills, stops and cuts off one of nine replicas after the other. Returns the table of workshop/reports/replicas.md, and the broken bounds. */
export async function measureReplicas(): Promise<{ readonly table: string; readonly broken: readonly string[] }> {
  const server = await startServerProcess('--control');
  const truth = createClient({ server: server.url });
  const nine = new NineReplicas(server.url);
  try {
    for (const key of keys)
      await truth.create(resources.core.v1.configmaps, { metadata: { namespace, name: key.slice(namespace.length + 1) } });
    const measured = [];
    for (const deed of deeds) {
      await nine.settled();
      measured.push(await nine.measure(deed));
    }
    const head = [
      '| what is done to the leader | another one leads after | all its keys have another one after | it sends until |',
      '|---|---|---|---|',
    ];
    return { table: [...head, ...measured.map(({ row }) => row)].join('\n'), broken: measured.flatMap(({ broken }) => broken) };
  } finally {
    nine.close();
    truth.close();
    await server.end('SIGKILL');
  }
}
