import { beforeEach, describe, expect, it } from '@jest/globals';
import { NEVER, Subject, VirtualTimeScheduler } from 'rxjs';
import { ApiError, createInformer, InformerError, permittedNamespaces, resources, type SharedInformer } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { registry } from 'rx-informer/internal';
import { type ControllerFacts, factsOf, type ViewFacts } from '../src/facts.js';
import { diagnose, Doctor } from '../src/warnings/diagnose.js';
import type { Warning } from '../src/warnings/warning.js';
import { electLeader, reconcile } from '@rx-informer/controller';
import { derive } from '@rx-informer/views';
import { LeaseServer } from '../../controller/spec/leader/leaseServer.js';
import { added, init, list, modified, pod, type Pod, ready } from '../../../spec/delta/pods.js';
import { fakeClient } from '../../../spec/informer/fakeClient.js';

const { pods, secrets } = resources.core.v1;

/** Virtual time, and objects that are stopped at the end of the test. */
function setUp() {
  const scheduler = new VirtualTimeScheduler();
  const pass = (ms: number): void => {
    scheduler.maxFrames = scheduler.frame + ms;
    scheduler.schedule(() => undefined, ms);
    scheduler.flush();
  };
  const source = new Subject<SourceEvent<Pod>>();
  const informer: SharedInformer<Pod> = createInformer<Pod>(source, {
    name: 'pods',
    resource: 'pods',
    scheduler,
    logger: { warn: () => undefined },
  });
  const send = (...events: readonly SourceEvent<Pod>[]): void => {
    for (const event of events) source.next(event);
  };
  return { scheduler, pass, informer, send };
}

const manyPods = (count: number): Pod[] => Array.from({ length: count }, (_, at) => pod(`p${at}`, String(at + 1)));

function codes(warnings: readonly Warning[] = diagnose()): string[] {
  return warnings.map(({ code }) => code);
}

/** The only warning. */
function only(): Warning {
  const warnings = diagnose();
  expect(codes(warnings)).toHaveLength(1);
  const [warning] = warnings as [Warning];
  expect(warning.link).toBe(`docs/troubleshooting.md#${warning.code}`);
  return warning;
}

const failing = (error: InformerError, attempt: number, scope = ''): SourceEvent<Pod> => ({
  type: 'status',
  ...{ scope, state: 'retrying', error, attempt, nextAttemptAt: 0 },
});

const refusal = (): InformerError =>
  new InformerError({
    code: 'ERR_LIST',
    message: 'Cannot list pods: pods is forbidden',
    cause: new ApiError({ code: 403, message: 'no' }),
  });

describe('diagnose', () => {
  beforeEach(() => {
    // Removes what a failed test has left.
    Reflect.deleteProperty(globalThis, Symbol.for('rx-informer.registry'));
  });

  it('has nothing to say of a program without informers', () => {
    expect(diagnose()).toEqual([]);
    expect(registry().all()).toEqual([]);
  });

  it('has nothing to say of an informer that is read, and forgets one that has stopped', async () => {
    const { informer, send, pass } = setUp();
    informer.start();
    informer.resource$.subscribe();
    send(...list('9', manyPods(3)), added(pod('q', '10')));
    pass(600_000);
    send(modified(pod('q', '11')));
    expect(codes()).toEqual([]);
    expect(registry().all()).toHaveLength(1);

    await informer.stop();
    expect(registry().all()).toEqual([]);
  });

  it('has nothing to say during ten minutes of a healthy program', async () => {
    const { informer, send, pass, scheduler } = setUp();
    const view = derive(informer, ({ metadata, value }) => `${metadata.name} ${value ?? ''}`, { name: 'values', scheduler });
    view.change$.subscribe();
    informer.addEventHandler({ onUpdate: () => Promise.resolve() });
    informer.process(() => Promise.resolve()).subscribe();
    const loop = reconcile({
      name: 'pods',
      sources: { pods: informer.resource$ },
      caches: [informer],
      reconcile: () => [{ requeueAfterMs: 30_000 }],
      scheduler,
    }).subscribe();
    send(...list('9', manyPods(50)));
    const seen: Warning[] = [];
    let version = 100;
    for (let second = 0; second < 600; second += 1) {
      // A rollout changes each pod a few times; a heartbeat now and then changes nothing that anybody uses.
      for (let at = 0; at < 5; at += 1) {
        version += 1;
        send(modified(pod(`p${(second * 5 + at) % 50}`, String(version), at === 0 ? {} : { value: String(version) })));
      }
      pass(1_000);
      await new Promise(setImmediate);
      if (second % 30 === 0) seen.push(...diagnose());
      informer.lister.namespace('default').list();
    }
    expect(seen).toEqual([]);
    loop.unsubscribe();
    await view.stop();
    await informer.stop();
  });

  it('names a subscriber that is behind and falls further behind', async () => {
    const { informer, send, pass } = setUp();
    informer.process(() => NEVER).subscribe();
    send(...list('9', manyPods(150)));
    pass(1_000);
    expect(codes()).toEqual([]);
    pass(10_000);
    expect(codes()).toEqual([]);
    send(...Array.from({ length: 50 }, (_, at) => added(pod(`q${at}`, String(200 + at)))));
    pass(10_000);

    const { message, remedy } = only();
    expect(message).toContain(
      'A subscriber of process() of the informer pods is 200 events behind and falls further behind: 150 were queued',
    );
    expect(message).toContain('It waits for the promises or observables that its calls return');
    expect(remedy).toContain("buffer: 'conflate'");
    await informer.stop();
  });

  it('is silent about one that catches up', async () => {
    const { informer, send, pass } = setUp();
    const done: (() => void)[] = [];
    informer.addEventHandler({ onAdd: () => new Promise<void>((resolve) => done.push(resolve)) });
    informer.start();
    send(...list('9', manyPods(150)));
    pass(1_000);
    diagnose();
    for (let at = 0; at < 40; at += 1) {
      done.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    }
    pass(10_000);
    expect(codes()).toEqual([]);
    await informer.stop();
  });

  it('names a handler that holds the program up', async () => {
    const { informer, send, scheduler } = setUp();
    informer.addEventHandler({ onAdd: () => void (scheduler.frame += 60) }, { name: 'slow one' });
    informer.addEventHandler({ onAdd: () => undefined }, { name: 'quick one' });
    informer.start();
    send(...list('9', manyPods(2)));
    expect(codes()).toEqual([]);
    send(added(pod('q', '10')));
    expect(only().message).toContain(
      'The handler slow one of the informer pods has taken more than 50 ms for one event 3 times, 60 ms at most',
    );
    await informer.stop();
  });

  it('says that a subscriber of resource$ holds the program up', async () => {
    const { informer, send, scheduler } = setUp();
    informer.resource$.subscribe(() => (scheduler.frame += 60));
    send(...list('9', []), added(pod('a', '10')));
    expect(codes()).toEqual([]);
    send(added(pod('c', '12')));
    expect(only()).toMatchObject({
      code: 'slow-handler',
      message: expect.stringContaining('The subscribers of the informer pods blocked the program'),
    });
    await informer.stop();
  });

  it('notices lists that come again and again', async () => {
    const { informer, send, pass } = setUp();
    informer.resource$.subscribe();
    const again: SourceEvent<Pod> = { type: 'init', scope: '', reason: 'expired', previousResourceVersion: '1' };
    for (let round = 1; round <= 4; round += 1) {
      send(...(round === 1 ? [] : [again]), ...list(String(round), manyPods(2)).slice(round === 1 ? 0 : 1));
      pass(60_000);
    }
    expect(codes()).toEqual([]);
    send(again, ...list('5', manyPods(2)).slice(1));
    expect(only().message).toContain('The informer pods has listed everything 5 times in 4 min, 2 objects each time');
    pass(700_000);
    expect(codes()).toEqual([]);
    await informer.stop();
  });

  it('notices watches that end at once', async () => {
    const { informer, send, pass } = setUp();
    informer.resource$.subscribe();
    send(...list('9', []));
    const closed = new InformerError({ code: 'ERR_WATCH', message: 'The watch of pods failed: the server closed it after 3 ms' });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(codes()).toEqual([]);
      send(failing(closed, attempt));
      pass(1_000);
    }
    expect(only().message).toContain('5 watches of the informer pods ended at once, without any event');
    await informer.stop();
  });

  it('says that a 403 is retried for ever', async () => {
    const { informer, send } = setUp();
    informer.resource$.subscribe();
    send(init(), failing(refusal(), 1), failing(refusal(), 2));
    expect(codes()).toEqual([]);
    send(failing(refusal(), 3));
    const { message, remedy } = only();
    expect(message).toContain('The informer pods is refused by the API server (403); 3 attempts in a row have failed');
    expect(message).toContain('Its cache is empty');
    expect(remedy).toContain('Grant this program the verbs list and watch of pods');
    await informer.stop();
  });

  it('says which namespaces are missing', async () => {
    const { scheduler } = setUp();
    const source = new Subject<SourceEvent<Pod>>();
    const informer = createInformer<Pod>(source, { name: 'pods', scopes: ['a', 'b'], scheduler, logger: { warn: () => undefined } });
    informer.resource$.subscribe();
    for (const event of [...list('9', [], 'a'), init('b'), failing(refusal(), 1, 'b')]) source.next(event);
    expect(only()).toMatchObject({
      code: 'rights',
      message: expect.stringContaining('may read 1 of its 2 namespaces; it is refused (403) in b'),
    });
    await informer.stop();
  });

  it('says which of the candidates of permittedNamespaces are refused', async () => {
    const { scheduler } = setUp();
    const client = {
      create: (_: unknown, { spec }: { spec: { resourceAttributes: { namespace?: string } } }) =>
        Promise.resolve({ status: { allowed: spec.resourceAttributes.namespace === 'a' } }),
    } as never;
    const seen: (readonly string[])[] = [];
    const following = permittedNamespaces(client, pods, { candidates: ['a', 'b'], scheduler }).subscribe((names) => seen.push(names));
    while (seen.length === 0) await Promise.resolve();
    expect(only().message).toContain('This program may list and watch pods in 1 namespaces, and not in 1: b');
    following.unsubscribe();
    expect(diagnose()).toEqual([]);
  });

  it('says that all Secrets are in memory, unless they are chosen', async () => {
    const { scheduler, pass } = setUp();
    const client = fakeClient(scheduler);
    const all = createInformer(client, secrets, { scheduler });
    const some = createInformer(client, secrets, { scheduler, fieldSelector: 'type=kubernetes.io/tls' });
    all.resource$.subscribe();
    some.resource$.subscribe();
    pass(1_000);
    expect(only().message).toContain('The informer secrets keeps all Secrets of the cluster in memory');
    await Promise.all([all.stop(), some.stop()]);
  });

  it('names an informer that nobody reads', async () => {
    const { informer, send, pass } = setUp();
    informer.start();
    send(...list('9', manyPods(2)));
    pass(59_000);
    expect(codes()).toEqual([]);
    pass(1_000);
    expect(only().message).toContain('The informer pods has had no subscriber and no reader of its cache since it started 60 s ago');
    informer.lister.get('default/p0');
    expect(codes()).toEqual([]);
    await informer.stop();
  });

  it.each([
    [{ namespace: 'a' }, { namespace: ['a'] }, 'namespace a'],
    [
      { labelSelector: 'app = web, tier' },
      { labelSelector: { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] } },
      'all namespaces, labels app=web,tier',
    ],
  ] as const)('finds two informers that ask for the same: %j, %j', async (first, second, selection) => {
    const { scheduler } = setUp();
    const client = fakeClient(scheduler);
    const informers = [first, second, { namespace: 'b' }].map((options) => createInformer(client, pods, { ...options, scheduler }));
    for (const informer of informers) informer.resource$.subscribe();
    expect(only().message).toContain(`2 informers (pods) watch the same: pods, ${selection}.`);
    await informers[0]?.stop();
    expect(codes()).toEqual([]);
    await Promise.all(informers.map((informer) => informer.stop()));
  });

  it('counts what selectors look through', async () => {
    const { informer, send } = setUp();
    informer.resource$.subscribe();
    const labelled = { ...pod('web', '1'), metadata: { ...pod('web', '1').metadata, labels: { app: 'web' } } };
    send(...list('9', [...manyPods(999), labelled]));
    for (let at = 0; at < 99; at += 1) informer.lister.list('app=web');
    expect(codes()).toEqual([]);
    expect(informer.lister.list('app=web')).toHaveLength(1);
    expect(only().message).toContain('100 reads of the lister of pods with a selector have examined 100000 objects and returned 100 (0 %)');
    await informer.stop();
  });

  it('names a key that is called again and again', () => {
    const { scheduler, pass } = setUp();
    const running = reconcile({
      name: 'sites',
      sources: { keys: [['a/hot', 'a/calm'], NEVER].flat() as never },
      reconcile: ({ key }) => [{ requeueAfterMs: key === 'a/hot' ? 100 : 10_000 }],
      scheduler,
    }).subscribe();
    pass(25_000);
    expect(codes()).toEqual([]);
    pass(10_000);
    expect(only().message).toMatch(
      /^The controller sites was called for a\/hot \d\d\d times within a minute, without a pause for 3\d s, the last time because of reconcile \(requeue\)/,
    );
    running.unsubscribe();
    expect(registry().all()).toEqual([]);
  });

  it.each([
    ['in bursts', 5_000, 10_000],
    ['for a while', 25_000, 60_000],
  ])('does not name a key that is called often %s', (_, burstMs, everyMs) => {
    const { scheduler, pass } = setUp();
    const running = reconcile({
      name: 'rollouts',
      sources: { keys: [['a/web'], NEVER].flat() as never },
      reconcile: () => [{ requeueAfterMs: scheduler.now() % everyMs < burstMs ? 20 : everyMs - burstMs }],
      scheduler,
    }).subscribe();
    for (let at = 0; at < 24; at += 1) {
      pass(5_000);
      expect(codes()).toEqual([]);
    }
    const loop = registry()
      .all()
      .map(factsOf)
      .find(({ kind }) => kind === 'controller') as ControllerFacts;
    expect(loop.busiest?.calls).toBeGreaterThan(1_000);
    running.unsubscribe();
  });

  it('names a view that computes for nothing', async () => {
    const { informer, send } = setUp();
    const names = derive(informer, ({ metadata }) => metadata.name, { name: 'names' });
    names.change$.subscribe();
    send(...list('9', [pod('a', '1')]));
    for (let at = 0; at < 998; at += 1) send(modified(pod('a', String(10 + at))));
    expect(codes()).toEqual([]);
    send(modified(pod('a', '2000')));
    expect(only().message).toContain('The view names has computed 1000 values, and 999 of them (100 %) were equal to the previous one');
    await names.stop();
    await informer.stop();
  });

  it('says how far a cache without a connection may be behind', async () => {
    const { informer, send, pass } = setUp();
    informer.resource$.subscribe();
    send(...list('9', []));
    send(failing(new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods: connection refused' }), 1));
    pass(60_000);
    expect(codes()).toEqual([]);
    pass(1_000);
    expect(only().message).toContain(
      'The cache of the informer pods may be 61 s behind the cluster: it is retrying after: Cannot list pods: connection refused.',
    );
    expect(codes(diagnose({ staleAfterMs: 120_000 }))).toEqual([]);
    await informer.stop();
  });

  it('says that a lease was renewed late', async () => {
    const server = new LeaseServer();
    const { scheduler } = server;
    const election = electLeader(server.client(), {
      lease: { namespace: 'ns', name: 'lease' },
      identity: 'me',
      scheduler,
      random: () => 0,
    });
    election.start();
    await server.advance(10_000);
    expect(election.isLeader()).toBe(true);
    expect(codes()).toEqual([]);
    server.hang('replace', 5_000);
    await server.advance(12_000);
    expect(election.isLeader()).toBe(true);
    expect(only()).toMatchObject({ code: 'late-renewal', message: expect.stringContaining('The lease ns/lease was renewed late once: ') });
    const stopped = election.stop();
    await server.advance(1_000);
    await stopped;
    expect(registry().all()).toEqual([]);
  });

  it('notices memory that grows while the caches do not', () => {
    let heap = 100;
    let at = 0;
    const figures = (): ViewFacts => ({
      ...{
        kind: 'view',
        name: 'v',
        at,
        state: 'watching',
        forMs: 0,
        synced: true,
        objects: 10,
        changes: 0,
        subscribers: 1,
        slow: 0,
        slowestMs: 0,
        degraded: [],
      },
      ...{ inputs: [], computed: 0, unchanged: 0, failed: 0, durationMs: 0 },
    });
    const doctor = new Doctor(() => heap * 1024 * 1024);
    const look = (): Warning[] => doctor.look([{ figures }], 60_000);
    for (let round = 0; round < 20; round += 1) {
      // A collector that takes everything back now and then is no leak.
      heap = 100 + (round % 3) * 40;
      at += 30_000;
      expect(look()).toEqual([]);
    }
    for (let round = 0; round < 60; round += 1) {
      heap += 3;
      at += 30_000;
      look();
    }
    expect(look()).toMatchObject([{ code: 'memory', subject: { kind: 'process' } }]);
  });

  it('ignores a list that is under way', async () => {
    const { informer, send, pass } = setUp();
    informer.start();
    send(init());
    pass(120_000);
    expect(codes()).toEqual([]);
    send(ready('3'));
    await informer.stop();
  });
});
