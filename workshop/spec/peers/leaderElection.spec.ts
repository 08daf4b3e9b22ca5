import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, Subject } from 'rxjs';
import { createClient, createInformer, resources } from 'rx-informer';
import { serverControl, type ServerControl } from '../../../spec/e2e/serverControl.js';
import { type ServerProcess, startServerProcess } from '../../../spec/e2e/serverProcess.js';
import { buildClientGo, type ClientGo, hasGo } from './clientGo.js';
import { Elector, type ElectorKind, type ToldByElector } from './electors.js';

/** Changes of leadership: 12 in each run, or until each kind of candidate has led; more by a flag. */
const changes = Number(process.env['ELECTION_CHANGES'] ?? 12);
const namespace = 'default';
const name = 'mixed';
/**
 * client-go stores the duration of the lease in whole seconds, so the deadline must be more than one second before the end of the lease.
 */
const times = { leaseDurationMs: 4_000, renewDeadlineMs: 2_500, retryPeriodMs: 400 };

(hasGo ? describe : describe.skip)('candidates of client-go, controller-runtime and ours for one lease, in processes of their own', () => {
  let server: ServerProcess;
  let control: ServerControl;
  let clientGo: ClientGo;
  const electors = new Map<string, Elector>();
  const told: ToldByElector[] = [];
  const told$ = new Subject<ToldByElector>();
  const records: { readonly holder: string; readonly transitions: number }[] = [];
  let stopFollowing = (): Promise<void> => Promise.resolve();
  let started = 0;
  let isOver = false;

  const kinds: readonly ElectorKind[] = ['go', 'manager', 'ours', 'ours'];
  const start = (kind: ElectorKind): void => {
    const identity = `${kind}-${String((started += 1))}`;
    const note = (what: ToldByElector): void => {
      told.push(what);
      told$.next(what);
    };
    const elector = new Elector(kind, clientGo.program, { url: server.url, namespace, name, identity, ...times }, note);
    electors.set(identity, elector);
    // Another candidate succeeds the one that has ended.
    void elector.gone.then(() => {
      if (electors.delete(identity) && !isOver) start(kind);
    });
  };
  const elected = (other?: string): Promise<ToldByElector> =>
    firstValueFrom(told$.pipe(filter(({ type, identity }) => type === 'elected' && identity !== other)), {
      defaultValue: undefined as never,
    });
  const end = async (identity: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => electors.get(identity)?.end(signal);

  /** What ends a leadership. */
  const deeds: readonly { readonly isPause: boolean; readonly doTo: (identity: string) => Promise<() => Promise<unknown>> }[] = [
    { isPause: false, doTo: async (identity) => (await end(identity, 'SIGKILL'), () => Promise.resolve()) },
    {
      isPause: true,
      doTo: (identity) => {
        electors.get(identity)?.signal('SIGSTOP');
        return Promise.resolve(() => Promise.resolve(electors.get(identity)?.signal('SIGCONT')));
      },
    },
    {
      isPause: false,
      doTo: async (identity) => {
        const fault = await control.inject({ type: 'cut', at: 'headers', userAgentPattern: `^${identity}(/|$)` });
        return () => fault.remove();
      },
    },
    { isPause: false, doTo: async (identity) => (await end(identity, 'SIGTERM'), () => Promise.resolve()) },
  ];

  beforeAll(async () => {
    clientGo = buildClientGo();
    server = await startServerProcess('--control');
    control = serverControl(server.url);
    const truth = createClient({ server: server.url });
    const informer = createInformer(truth, resources.coordination.v1.leases, { namespace });
    informer.resource$.subscribe((event) => {
      if (event.type !== 'added' && event.type !== 'updated') return;
      const { holderIdentity = '', leaseTransitions = 0 } = event.object.spec ?? {};
      records.push({ holder: holderIdentity, transitions: leaseTransitions });
    });
    stopFollowing = async () => {
      await informer.stop();
      truth.close();
    };
    await informer.whenSynced();
  }, 600_000);

  afterAll(async () => {
    isOver = true;
    await Promise.all([...electors.values()].map((elector) => elector.end('SIGKILL')));
    await stopFollowing();
    await server.end();
    clientGo.remove();
  });

  it(
    'never lead two at once, and agree on the record, while leaders are killed, stopped, cut off and ended',
    async () => {
      let next = elected();
      kinds.forEach(start);
      let leader = await next;
      const paused = new Set<string>();
      const led = new Set<string>();
      for (let change = 0; change < changes || led.size < new Set(kinds).size; change += 1) {
        const { doTo, isPause } = deeds[change % deeds.length] as (typeof deeds)[number];
        const { identity } = leader;
        led.add(identity.replace(/-\d+$/, ''));
        if (isPause) paused.add(identity);
        next = elected(identity);
        const undo = await doTo(identity);
        leader = await next;
        await undo();
      }
      // On a busy machine, a leader may lose its lease by itself, too.
      const begins = told.filter(({ type }) => type === 'elected').sort((one, other) => one.at - other.at);
      begins.forEach(({ identity, at }, turn) => {
        const after = begins.slice(turn + 1).find((begin) => begin.identity !== identity)?.at ?? Infinity;
        const again = begins.slice(turn + 1).find((begin) => begin.identity === identity && begin.at > after)?.at ?? Infinity;
        const isLate = (one: ToldByElector): boolean => one.identity === identity && one.at > Math.max(at, after) && one.at < again;
        // None of our requests starts after another candidate has begun to lead.
        expect([identity, told.filter((one) => one.type === 'request' && isLate(one))]).toEqual([identity, []]);
        // Who does not stand still knows that it is over before another one begins.
        const lateEnds = paused.has(identity) ? [] : told.filter((one) => one.type === 'over' && isLate(one));
        expect([identity, lateEnds]).toEqual([identity, []]);
      });
      // Each new holder has a higher count of transitions than all before it.
      const holders = records.filter(({ holder }, at) => holder !== '' && holder !== records[at - 1]?.holder);
      const counts = holders.map(({ transitions }) => transitions);
      expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
      console.log(begins.map(({ identity }) => identity).join(' '));
    },
    600_000 + changes * 30_000,
  );
});
