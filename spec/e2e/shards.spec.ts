import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, ReplaySubject, Subject } from 'rxjs';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { fenceAnnotation } from '../../packages/controller/src/leader/fence.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';
import { defaultTimings, timeBounds } from '../../workshop/tools/proofs/bounds.js';
import { type ShardReport, shardTimes } from './shardTimes.js';

/** Rounds of everything that is done to members: one in each run of the tests; more by a flag. */
const rounds = Number(process.env['SHARD_ROUNDS'] ?? 1);
const root = fileURLToPath(new URL('../..', import.meta.url));
const configMaps = resources.core.v1.configmaps;
const namespace = 'default';
const names = Array.from({ length: 40 }, (_, number) => `object-${number}`);
const keys = names.map((name) => `${namespace}/${name}`);

type Call = Extract<ShardReport, { type: 'call' }>;

const { leaseDurationMs, renewDeadlineMs, drainMs, retryPeriodMs } = shardTimes;
const bounds = timeBounds({ ...defaultTimings, leaseDurationMs, renewDeadlineMs, drainMs, memberLookMs: 1.2 * retryPeriodMs });

const clock = (): number => Number(process.hrtime.bigint()) / 1e6;

describe('five members in processes of their own, and a server in a sixth', () => {
  let server: ServerProcess;
  let truth: KubeClient;
  let stopFollowing = (): Promise<void> => Promise.resolve();
  const members = new Map<string, ChildProcess>();
  const reports: ShardReport[] = [];
  const called$ = new Subject<Call>();
  const stale$ = new ReplaySubject<string>(1000);
  /** By key: the last call. */
  const lastCalls = new Map<string, Call>();
  /** By object: the tokens of all its versions, in the order of the server. */
  const written = new Map<string, number[]>();
  let started = 0;

  const join = async (): Promise<string> => {
    const identity = `member-${(started += 1)}`;
    const args = ['--import', `${root}workshop/tools/register-ts-node.mjs`, `${root}spec/e2e/shardProcess.ts`, server.url, identity];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    members.set(identity, child);
    const ready$ = new ReplaySubject<void>(1);
    child.on('message', (message) => {
      const report = message as ShardReport;
      reports.push(report);
      if (report.type === 'ready') ready$.next();
      if (report.type === 'stale') stale$.next(report.refusedBy);
      if (report.type !== 'call') return;
      lastCalls.set(report.key, report);
      called$.next(report);
    });
    await firstValueFrom(ready$, { defaultValue: undefined });
    return identity;
  };
  const of = (identity: string): ChildProcess => members.get(identity) as ChildProcess;
  /** Every key is worked on again, by others than this one. */
  const allCalled = async (without?: string): Promise<void> => {
    const since = clock();
    const isDone = (): boolean =>
      keys.every((key) => {
        const call = lastCalls.get(key);
        return call !== undefined && call.start > since && call.identity !== without && call.isValid;
      });
    await firstValueFrom(called$.pipe(filter(isDone)), { defaultValue: undefined });
  };
  const busiest = (): string => {
    const counts = new Map([...members.keys()].map((identity) => [identity, 0]));
    for (const { identity } of lastCalls.values()) if (counts.has(identity)) counts.set(identity, (counts.get(identity) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
  };
  const kill = async (identity: string): Promise<void> => {
    const gone = once(of(identity), 'exit');
    of(identity).kill('SIGKILL');
    await gone;
    members.delete(identity);
    await allCalled(identity);
  };

  /** What is done to a group of five; each leaves it at five. */
  const deeds: readonly (() => Promise<void>)[] = [
    // One dies, and another one comes in its place.
    async () => {
      await kill(busiest());
      await join();
      await allCalled();
    },
    // One stands still for longer than the lease, until others do its work, and then goes on where it was.
    async () => {
      const identity = busiest();
      of(identity).kill('SIGSTOP');
      await allCalled(identity);
      const refused = firstValueFrom(stale$.pipe(filter((by) => by === 'fence')), { defaultValue: '' });
      of(identity).kill('SIGCONT');
      await refused;
      await allCalled();
    },
    // One leaves, while another one joins.
    async () => {
      const identity = busiest();
      const gone = once(of(identity), 'exit');
      of(identity).send('stop');
      await Promise.all([gone, join()]);
      members.delete(identity);
      await allCalled(identity);
    },
    // Two die at once.
    async () => {
      const [one = '', other = ''] = members.keys();
      await Promise.all([kill(one), kill(other)]);
      await Promise.all([join(), join()]);
      await allCalled();
    },
  ];

  beforeAll(async () => {
    server = await startServerProcess();
    truth = createClient({ server: server.url });
    for (const name of names) await truth.create(configMaps, { metadata: { name, namespace }, data: { count: '0' } });
    const informer = createInformer(truth, configMaps, { namespace });
    informer.resource$.subscribe((event) => {
      if (event.type !== 'updated') return;
      const token = Number(event.object.metadata?.annotations?.[fenceAnnotation]);
      written.set(event.key, [...(written.get(event.key) ?? []), token]);
    });
    stopFollowing = () => informer.stop();
    await informer.whenSynced();
  });

  afterAll(async () => {
    for (const child of members.values()) child.kill('SIGKILL');
    await stopFollowing();
    truth.close();
    await server.end();
  });

  it(
    'works on no key in two of them at once, leaves none out, and refuses the stale one, while members are killed, stopped and added',
    async () => {
      await Promise.all([join(), join()]);
      await allCalled();
      await Promise.all([join(), join(), join()]);
      await allCalled();
      for (let round = 0; round < rounds; round += 1) for (const deed of deeds) await deed();

      const calls = reports.filter((report): report is Call => report.type === 'call');
      const requests = reports.filter((report) => report.type === 'request');
      const gaps: number[] = [];
      for (const key of keys) {
        const own = calls.filter((call) => call.key === key).sort((one, other) => one.start - other.start);
        // The time of a token ends with the last thing that was done while it was valid, and the next one begins with its first call.
        const ends = new Map<number, number>();
        const note = (token: number, at: number): unknown => ends.set(token, Math.max(ends.get(token) ?? 0, at));
        for (const { token, end, isValid } of own) if (isValid) note(token, end);
        for (const { token, at } of requests.filter((request) => request.key === key)) note(token, at);
        for (const { token, start, identity } of own) {
          for (const [earlier, end] of ends) {
            if (earlier < token && end >= start)
              throw new Error(`${identity} begins on ${key} at ${start}, and an earlier owner works until ${end}`);
          }
        }
        own.forEach(({ start }, at) => gaps.push(start - (own[at - 1]?.start ?? start)));
        // Stale writers, who ask nobody, are refused: what the server has taken was written in the order of the tokens.
        const tokens = written.get(key) ?? [];
        expect(tokens.length).toBeGreaterThan(0);
        expect(tokens).toEqual([...tokens].sort((one, other) => one - other));
      }
      expect(new Set(calls.map(({ identity }) => identity)).size).toBeGreaterThanOrEqual(5);
      console.log(
        `${calls.length} calls by ${started} members; a key was left alone for at most ${Math.round(Math.max(...gaps))} ms, lease`,
        `${shardTimes.leaseDurationMs} ms, drain ${shardTimes.drainMs} ms; in theory ${bounds.slotDeath} ms, and the time to list`,
      );
    },
    120_000 + rounds * 120_000,
  );
});
