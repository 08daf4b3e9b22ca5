import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { first, firstValueFrom, lastValueFrom, ReplaySubject, Subject, timeout } from 'rxjs';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { fenceAnnotation } from '../../packages/controller/src/leader/fence.js';
import { type CandidateReport, electionTimes } from './electionTimes.js';
import { serverControl, type ServerControl } from './serverControl.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

/** 40 in each run of the tests; more by a flag. */
const changes = Number(process.env['ELECTION_CHANGES'] ?? 40);
const root = fileURLToPath(new URL('../..', import.meta.url));
const configMaps = resources.core.v1.configmaps;
const namespace = 'default';
const { leaseDurationMs, renewDeadlineMs } = electionTimes;

type Request = Extract<CandidateReport, { type: 'request' }>;

describe('three candidates in processes of their own, and a server in a fourth', () => {
  let server: ServerProcess;
  let control: ServerControl;
  let truth: KubeClient;
  const candidates = new Map<string, ChildProcess>();
  const reports: CandidateReport[] = [];
  const elected$ = new Subject<Extract<CandidateReport, { type: 'elected' }>>();
  /** The tokens of all versions of the object that the leaders write, in the order of the server. */
  const written: number[] = [];
  const wrote$ = new ReplaySubject<number>(1);
  const stale$ = new Subject<Extract<CandidateReport, { type: 'stale' }>>();
  let started = 0;
  let stopFollowing = (): Promise<void> => Promise.resolve();

  const start = async (identity: string): Promise<void> => {
    const args = ['--import', `${root}workshop/tools/register-ts-node.mjs`, `${root}spec/e2e/electionCandidate.ts`, server.url, identity];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    candidates.set(identity, child);
    const ready$ = new ReplaySubject<void>(1);
    child.on('message', (message) => {
      const report = message as CandidateReport;
      reports.push(report);
      if (report.type === 'ready') ready$.next();
      if (report.type === 'elected') elected$.next(report);
      if (report.type === 'stale') stale$.next(report);
    });
    await firstValueFrom(ready$, { defaultValue: undefined });
  };
  type Elected = Extract<CandidateReport, { type: 'elected' }>;
  /** The first leader with a higher token. */
  const nextLeader = (token: number): Promise<Elected> =>
    lastValueFrom(
      elected$.pipe(
        first((report) => report.token > token),
        timeout(30_000),
      ),
      { defaultValue: { type: 'elected', identity: '', token, at: 0 } },
    );
  const startNew = (): Promise<void> => start(`candidate-${(started += 1)}`);
  const of = (identity: string): ChildProcess => candidates.get(identity) as ChildProcess;

  /** What is done to a leader; each ends its leadership. The result undoes it. */
  const deeds: readonly ((identity: string) => Promise<() => Promise<unknown>>)[] = [
    // It dies, and another one comes in its place.
    (identity) => {
      of(identity).kill('SIGKILL');
      candidates.delete(identity);
      const starting = startNew();
      return Promise.resolve(() => starting);
    },
    // It stands still for longer than the lease, and then goes on where it was.
    (identity) => {
      of(identity).kill('SIGSTOP');
      return Promise.resolve(() => Promise.resolve(of(identity).kill('SIGCONT')));
    },
    // Its connections are cut, and no new ones come about.
    async (identity) => {
      const fault = await control.inject({ type: 'cut', at: 'headers', userAgent: identity });
      return () => fault.remove();
    },
    // Its requests are not answered, and its wall clock is set back by an hour.
    async (identity) => {
      of(identity).send('setBack');
      const fault = await control.inject({ type: 'freeze', at: 'headers', userAgent: identity });
      return () => fault.remove();
    },
    // It is stopped, and gives the lease back.
    async (identity) => {
      const gone = once(of(identity), 'exit');
      of(identity).send('stop');
      await gone;
      candidates.delete(identity);
      const starting = startNew();
      return () => starting;
    },
  ];

  beforeAll(async () => {
    server = await startServerProcess('--control');
    control = serverControl(server.url);
    truth = createClient({ server: server.url });
    await truth.create(configMaps, { metadata: { name: 'work', namespace }, data: { count: '0' } });
    const informer = createInformer(truth, configMaps, { namespace });
    informer.resource$.subscribe((event) => {
      if (event.type !== 'updated') return;
      const token = Number(event.object.metadata?.annotations?.[fenceAnnotation]);
      written.push(token);
      wrote$.next(token);
    });
    stopFollowing = () => informer.stop();
    await informer.whenSynced();
  });

  afterAll(async () => {
    for (const child of candidates.values()) child.kill('SIGKILL');
    await stopFollowing();
    truth.close();
    await server.end();
  });

  it(
    `starts no request after its deadline, and none beside a later leader, over ${String(changes)} changes of leadership (LE-04) (LE-14)`,
    async () => {
      const handOvers: number[] = [];
      let next = nextLeader(-1);
      await Promise.all([startNew(), startNew(), startNew()]);
      let leader = await next;
      for (let change = 0; change < changes; change += 1) {
        const deed = deeds[change % deeds.length] as (typeof deeds)[number];
        const { token } = leader;
        next = nextLeader(token);
        const from = performance.now();
        const undo = await deed(leader.identity);
        leader = await next;
        handOvers.push(performance.now() - from);
        await undo();
      }
      // A leader that has written stands still until the next one has, and then comes to the fence: in the changes above, by chance alone.
      const late = leader;
      await firstValueFrom(
        wrote$.pipe(
          first((token) => token >= late.token),
          timeout(30_000),
        ),
        { defaultValue: undefined },
      );
      next = nextLeader(late.token);
      of(late.identity).kill('SIGSTOP');
      await next;
      const fenced = firstValueFrom(
        stale$.pipe(
          first(({ identity, refusedBy }) => identity === late.identity && refusedBy === 'fence'),
          timeout(30_000),
        ),
        { defaultValue: undefined },
      );
      of(late.identity).kill('SIGCONT');
      await fenced;

      for (const child of candidates.values()) child.send('stop');
      await Promise.all([...candidates.values()].map((child) => once(child, 'exit')));
      candidates.clear();

      const requests = reports.filter((report): report is Request => report.type === 'request').sort((one, other) => one.at - other.at);
      expect(requests.length).toBeGreaterThan(changes);
      // No request of a leader starts after the first one of a later leader, by the clock that all share.
      let highest = -1;
      for (const { token, at, identity } of requests) {
        if (token < highest) throw new Error(`${identity} with token ${token} starts a request at ${at}, after one with token ${highest}`);
        highest = token;
      }
      // Each starts before the deadline after the last renewal of its leadership that was sent well.
      const renewals = reports.filter((report) => report.type === 'renewed');
      const latest = (request: Request): number =>
        Math.max(...renewals.filter(({ token, sentAt }) => token === request.token && sentAt <= request.at).map(({ sentAt }) => sentAt));
      for (const request of requests) expect(request.at - latest(request)).toBeLessThanOrEqual(renewDeadlineMs);

      // Stale writers, who ask nobody, are refused: what the server has taken was written in the order of the tokens.
      expect(written.length).toBeGreaterThan(changes);
      expect(written).toEqual([...written].sort((one, other) => one - other));
      const stale = reports.filter((report) => report.type === 'stale').map(({ refusedBy }) => refusedBy);
      expect(stale).not.toContain('nobody');
      expect(stale.filter((by) => by === 'fence').length).toBeGreaterThan(0);
      expect(stale.filter((by) => by === 'server').length).toBeGreaterThan(0);

      // How long a leader that stood still believed itself one beside its successor: it sends nothing meanwhile, as was seen above.
      const begun = new Map(reports.flatMap((report) => (report.type === 'elected' ? [[report.token, report.at] as const] : [])));
      const beside = reports.flatMap((report) => (report.type === 'over' ? [report.at - (begun.get(report.token + 1) ?? Infinity)] : []));
      console.log(`longest time between a successor's begin and a stale leader's end: ${String(Math.round(Math.max(0, ...beside)))} ms`);

      const sorted = [...handOvers].sort((one, other) => one - other);
      console.log(
        `${String(changes)} changes, ${String(requests.length)} requests, ${String(stale.length)} stale writes; hand-over in ms: median`,
        Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
        `longest ${String(Math.round(sorted.at(-1) ?? 0))}, lease ${String(leaseDurationMs)}`,
      );
    },
    60_000 + changes * 10_000,
  );
});
