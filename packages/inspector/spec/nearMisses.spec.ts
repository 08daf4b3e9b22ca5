import { beforeEach, describe, expect, it } from '@jest/globals';
import { concat, NEVER, of, Subject, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, InformerError, resources, type SharedInformer } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { electLeader, reconcile } from '@rx-informer/controller';
import { derive } from '@rx-informer/views';
import { diagnose, Doctor } from '../src/warnings/diagnose.js';
import { added, init, list, modified, pod, type Pod } from '../../../spec/delta/pods.js';
import { fakeClient } from '../../../spec/informer/fakeClient.js';

const { pods, secrets } = resources.core.v1;

/** A program in virtual time: a source of pods, and a client. */
class Program {
  readonly scheduler = new VirtualTimeScheduler();
  private readonly source$ = new Subject<SourceEvent<Pod>>();
  readonly client = fakeClient(this.scheduler);
  readonly ends: (() => unknown)[] = [];
  /** What was said before the end. */
  readonly earlier: string[] = [];

  look(): void {
    this.earlier.push(...found());
  }

  pass(ms: number): void {
    this.scheduler.maxFrames = this.scheduler.frame + ms;
    this.scheduler.schedule(() => undefined, ms);
    this.scheduler.flush();
  }

  send(...events: readonly SourceEvent<Pod>[]): void {
    for (const event of events) this.source$.next(event);
  }

  /** A list that follows another one. */
  relist(reason: 'first' | 'expired', scope = ''): void {
    this.send({ type: 'init', scope, reason, previousResourceVersion: '1' }, ...list('9', manyPods(2, scope), scope).slice(1));
  }

  refuse(attempts: number): void {
    const cause = new ApiError({ code: 403, message: 'no' });
    const error = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods: no', cause });
    for (let attempt = 1; attempt <= attempts; attempt += 1)
      this.send(init(), { type: 'status', scope: '', state: 'retrying', error, attempt, nextAttemptAt: 0 });
  }

  informer(scopes?: readonly string[]): SharedInformer<Pod> {
    const { scheduler } = this;
    return this.ending(
      createInformer<Pod>(this.source$, { name: 'pods', scheduler, logger: { warn: () => undefined }, ...(scopes && { scopes }) }),
    );
  }

  /** A control loop that waits for a cache. */
  waitFor(cache: { whenSynced(): Promise<void> }): void {
    const { scheduler } = this;
    const running = reconcile({ name: 'loop', sources: [NEVER], caches: [cache], reconcile: () => [], scheduler }).subscribe();
    this.ends.push(() => running.unsubscribe());
  }

  ending<C extends { stop(): unknown }>(collection: C): C {
    this.ends.push(() => collection.stop());
    return collection;
  }
}

const manyPods = (count: number, prefix = ''): Pod[] => Array.from({ length: count }, (_, at) => pod(`${prefix}p${at}`, String(at + 1)));
const found = (): string[] => diagnose().map(({ code, message }) => `${code}: ${message}`);

/** What happens in a program, and the beginnings and parts of what `diagnose` says afterwards. */
type Case = readonly [title: string, run: (program: Program) => unknown, ...says: readonly string[]];

const namespaces = ['a', 'b', 'c', 'd', 'e', 'f'];

const cases: readonly Case[] = [
  [
    'relists: six namespaces that begin',
    (program) => {
      const informer = createInformer(program.client, pods, { namespace: namespaces, scheduler: program.scheduler });
      program.ending(informer).resource$.subscribe();
      program.pass(1_000);
    },
  ],
  [
    'relists: six namespaces whose versions expire together',
    (program) => {
      program.informer(namespaces).resource$.subscribe();
      for (const scope of namespaces) program.send(...list('9', [], scope));
      for (const scope of namespaces) program.relist('expired', scope);
    },
  ],
  [
    'relists: one of six namespaces whose version expires again and again',
    (program) => {
      program.informer(namespaces).resource$.subscribe();
      for (const scope of namespaces) program.send(...list('9', [], scope));
      for (let round = 0; round < 5; round += 1) program.relist('expired', 'b');
    },
    'relists: The informer pods has listed everything in b 6 times in 0 s. Its watch could not be resumed',
  ],
  [
    'relists: a shard that changes',
    (program) => {
      program.informer().resource$.subscribe();
      for (let round = 0; round < 6; round += 1) program.relist('first');
    },
  ],
  [
    'relists: subscribers that come and go, one of whom is there',
    (program) => {
      const informer = program.informer();
      let last: Subscription | undefined;
      for (let round = 0; round < 5; round += 1) {
        last?.unsubscribe();
        last = informer.resource$.subscribe();
        program.relist('first');
        program.pass(1_000);
      }
    },
    'relists: The informer pods has listed everything 5 times in 5 s, 2 objects each time. Its subscribers come and go',
  ],
  [
    'relists: a watch that cannot be resumed, of an informer that is only read',
    (program) => {
      const informer = program.informer();
      informer.start();
      program.relist('first');
      for (let round = 0; round < 4; round += 1) program.relist('expired');
      informer.lister.list();
    },
    'relists: The informer pods has listed everything 5 times in 0 s, 2 objects each time. Its watch could not be resumed',
  ],
  [
    'brief-watches: one in each of six namespaces',
    (program) => {
      program.informer(namespaces).resource$.subscribe();
      const error = new InformerError({ code: 'ERR_WATCH', message: 'The watch of pods failed: the server closed it after 3 ms' });
      for (const scope of namespaces) {
        program.send(...list('9', [], scope), { type: 'status', scope, state: 'retrying', error, attempt: 1, nextAttemptAt: 0 });
        program.send({ type: 'status', scope, state: 'watching' });
      }
    },
  ],
  [
    'behind: of two of a name, the one that has more to do, and gets nothing more',
    (program) => {
      const informer = program.informer();
      informer.process(() => NEVER, { buffer: 'conflate' }).subscribe();
      program.send(...list('9', manyPods(2)));
      informer.process(() => NEVER).subscribe();
      program.send(...[...Array(150).keys()].map((at) => modified(pod('p1', String(10 + at)))));
      program.pass(1_000);
      program.look();
      program.pass(10_000);
    },
  ],
  [
    'behind: of two of a name, the second one',
    async (program) => {
      const informer = program.informer();
      let done = (): void => undefined;
      informer.process(() => new Promise<void>((resolve) => (done = resolve)), { buffer: 'conflate' }).subscribe();
      program.send(...list('9', []));
      informer.process(() => NEVER).subscribe();
      program.send(...manyPods(120).map((each) => added(each)));
      program.pass(1_000);
      program.look();
      done();
      await new Promise(setImmediate);
      program.pass(10_000);
      program.send(...manyPods(1, 'q').map((each) => added(each)));
    },
    'behind: A subscriber of process() of the informer pods is 121 events behind and falls further behind: 120 were queued',
  ],
  [
    'waiting: for an informer whose warning says nothing of its sync',
    (program) => {
      const silent = { ...program.client, listChunks: () => NEVER, watch: () => NEVER } as never;
      const informer = program.ending(createInformer(silent, secrets, { scheduler: program.scheduler }));
      informer.start();
      program.waitFor(informer);
      program.pass(70_000);
    },
    'secrets: ',
    'waiting: The controller loop has waited for its caches for 70 s: secrets has not synced',
  ],
  [
    'waiting: for a view of an informer that is refused',
    (program) => {
      const { scheduler } = program;
      const view = program.ending(derive(program.informer(), ({ metadata }) => metadata.name, { name: 'names', scheduler }));
      program.waitFor(view);
      program.refuse(3);
      program.pass(70_000);
    },
    'forbidden: ',
  ],
  [
    'unread: a cache of a control loop that has had nothing to do',
    async (program) => {
      const informer = program.informer();
      program.waitFor(informer);
      program.send(...list('9', manyPods(3)));
      await new Promise(setImmediate);
      program.pass(70_000);
    },
  ],
  [
    'unread: a cache that a standby keeps for the day when it leads',
    (program) => {
      const { scheduler } = program;
      program.informer().start();
      program.send(...list('9', manyPods(3)));
      const refuse = () => Promise.reject(new ApiError({ code: 503, message: 'no' }));
      const client = { get: refuse, create: refuse, replace: refuse } as never;
      program.ending(electLeader(client, { lease: { namespace: 'ns', name: 'lease' }, identity: 'me', scheduler })).start();
      program.pass(70_000);
    },
  ],
  [
    'forbidden: an informer that still has what it had before it was idle',
    (program) => {
      const informer = program.informer();
      const first = informer.resource$.subscribe();
      program.send(...list('9', manyPods(3)));
      first.unsubscribe();
      informer.resource$.subscribe();
      program.refuse(3);
    },
    'forbidden: The informer pods is refused by the API server (403); 3 attempts in a row have failed, and it retries for ever: Cannot list pods: no. Its cache is out of date.',
  ],
  [
    'failing-controller: a key whose next attempt is minutes away',
    (program) => {
      const { scheduler } = program;
      const fails = (): never => {
        throw new Error('boom');
      };
      const running = reconcile({ name: 'loop', sources: [concat(of('a/b'), NEVER)], reconcile: fails, scheduler }).subscribe();
      program.ends.push(() => running.unsubscribe());
      program.look();
      for (let minute = 0; minute < 10; minute += 1) {
        program.pass(60_000);
        program.look();
      }
    },
    ...Array<string>(11).fill(
      'failing-controller: The controller loop fails for one key (a/b), 5 times in a row or more, for a/b with: boom. No call has succeeded since the last look.',
    ),
  ],
];

describe('diagnose, of what looks like something else', () => {
  beforeEach(() => {
    Reflect.deleteProperty(globalThis, Symbol.for('rx-informer.registry'));
  });

  it.each(cases)('%s', async (...[, run, ...says]) => {
    const program = new Program();
    await run(program);
    expect([...program.earlier, ...found()]).toEqual(says.map((text) => expect.stringContaining(text)));
    for (const end of program.ends.reverse()) await end();
    expect(found()).toEqual([]);
  });

  it.each([
    ['every second, as a page does', 1_005],
    ['every five seconds', 5_000],
    ['every thirty seconds, as a manager does', 30_000],
  ])('memory: found by whoever looks %s, until nothing runs any more', (_, everyMs) => {
    let at = 0;
    const figures = () => ({ kind: 'queue', name: 'q', at, waiting: 0, processing: [], next: [] });
    const doctor = new Doctor(() => 100 * 1024 * 1024 + at * 200);
    while (at < 600_000 && doctor.look([{ figures }], 60_000).length === 0) at += everyMs;
    expect(doctor.look([{ figures }], 60_000)).toMatchObject([{ code: 'memory' }]);
    expect(doctor.look([], 60_000)).toEqual([]);
  });
});
