import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, concat, NEVER, of, throwError, VirtualTimeScheduler } from 'rxjs';
import { customResource } from '../../src/api/resource.js';
import { InformerError } from '../../src/api/errors/informerError.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { resources } from '../../src/api/resources.js';
import { RequestError } from '../../src/client/requests/requestError.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { InformerOptions } from '../../src/informer/informerOptions.js';
import { verification } from '../../src/informer/verify/verifier.js';
import { FakeListerWatcher } from '../../src/testing/fakes/fakeListerWatcher.js';
import { statusError } from '../../src/testing/fakes/serverErrors.js';
import { sourceInit, sourcePage, sourceReady, sourceStatus } from '../source/sourceEvents.js';
import { createStrictFollower } from '../delta/pods.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { fakeClient } from './fakeClient.js';
import { runs } from '../tier.js';

const pod = (name: string, namespace = 'default', value?: string): KubernetesObject & { value?: string } => ({
  metadata: { namespace, name },
  ...(value !== undefined && { value }),
});

function timed() {
  const scheduler = new VirtualTimeScheduler();
  /** Runs until this time: a watch never ends, so running until idle would not return. */
  const runTo = (ms: number): void => {
    scheduler.maxFrames = ms;
    scheduler.flush();
  };
  return { scheduler, runTo, settings: { scheduler, random: () => 0.5 } };
}

function followed(options: InformerOptions<KubernetesObject> = {}, server?: FakeListerWatcher) {
  const clock = timed();
  const source = server ?? new FakeListerWatcher({ scheduler: clock.scheduler });
  const informer = createInformer<KubernetesObject>(source, { ...clock.settings, ...options });
  const follower = createStrictFollower<KubernetesObject>();
  const errors: InformerError[] = [];
  informer.error$.subscribe((error) => errors.push(error));
  const contents = () =>
    new Map(source.objects().map((object) => [`${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`, object]));
  const cached = () => new Map(informer.indexer.listKeys().map((key) => [key, informer.indexer.getByKey(key)]));
  return { ...clock, source, informer, follower, errors, contents, cached };
}

describe('createInformer', () => {
  it.each(['auto', 'list', 'watchList'] as const)('copies a server and follows it: %s', (listStrategy) => {
    const { source, informer, follower, runTo, contents, cached } = followed({ listStrategy });
    source.add(pod('a'));
    informer.resource$.subscribe(follower.follow);
    runTo(100);
    source.add(pod('b'));
    source.modify(pod('a', 'default', 'new'));
    source.delete('default/b');
    runTo(200);
    expect(informer.hasSynced()).toBe(true);
    expect(cached()).toEqual(contents());
    expect(follower.known).toEqual(contents());
    expect(informer.health()).toMatchObject({ state: 'watching', resourceVersion: source.resourceVersion });
  });

  it('repairs what was missed, and tells it as found out by a list', () => {
    const { source, informer, runTo } = followed();
    source.add(pod('a'));
    source.add(pod('b'));
    const seen: string[] = [];
    informer.resource$.subscribe((event) =>
      seen.push(event.type === 'synced' ? 'synced' : `${event.type} ${event.key}${event.inferred ? ' inferred' : ''}`),
    );
    runTo(100);
    seen.length = 0;
    source.loseEvents(() => {
      source.delete('default/a');
      source.modify(pod('b', 'default', 'new'));
    });
    source.expire();
    runTo(100_000);
    expect(seen).toEqual(['deleted default/a inferred', 'updated default/b inferred', 'synced']);
  });

  it('stays alive while the server is away, and says so', () => {
    const { source, informer, follower, runTo, errors, contents } = followed();
    const states: string[] = [];
    informer.health$.subscribe(({ state }) => states.push(state));
    informer.resource$.subscribe(follower.follow);
    runTo(100);
    source.stop();
    runTo(5000);
    expect(informer.health()).toMatchObject({ state: 'retrying', synced: true });
    source.start();
    source.add(pod('a'));
    runTo(100_000);
    expect(states[0]).toBe('idle');
    expect([informer.health().state, errors.length > 0, informer.health().error]).toEqual(['watching', true, undefined]);
    expect(follower.known).toEqual(contents());
  });

  it.each(['list', 'watchList'] as const)('replaces a watch that has fallen silent within 90 s, without an error: %s', (listStrategy) => {
    const { source, informer, follower, runTo, errors, contents } = followed({ listStrategy });
    const states: string[] = [];
    informer.resource$.subscribe(follower.follow);
    runTo(100);
    informer.health$.subscribe(({ state }) => states.push(state));
    source.stall();
    source.add(pod('a'));
    runTo(60_000);
    expect(follower.known.size).toBe(0);
    runTo(90_000);
    expect(follower.known).toEqual(contents());
    expect([errors, states]).toEqual([[], ['watching']]);
  });

  it('waits for a kind that is not served yet, and survives one that goes away and comes back', () => {
    const { source, informer, follower, runTo, errors, contents } = followed({ listStrategy: 'list' });
    const notServed = statusError(404, 'NotFound', 'the server could not find the requested resource');
    source.add(pod('a'));
    for (let time = 0; time < 3; time += 1) source.failNext('list', notServed);
    informer.resource$.subscribe(follower.follow);
    runTo(1_000);
    expect([informer.hasSynced(), informer.health().state, informer.health().error?.code]).toEqual([false, 'retrying', 'ERR_NOT_SERVED']);
    expect(errors[0]?.cause).toMatchObject({ code: 404 });
    runTo(60_000);
    expect([informer.hasSynced(), follower.known]).toEqual([true, contents()]);
    for (let time = 0; time < 3; time += 1) source.failNext('watch', notServed);
    for (let time = 0; time < 2; time += 1) source.failNext('list', notServed);
    source.reset();
    runTo(63_000);
    expect([informer.hasSynced(), informer.health().state, follower.known]).toEqual([true, 'retrying', contents()]);
    source.delete('default/a');
    source.add(pod('b'));
    runTo(300_000);
    expect([informer.health().state, follower.known, follower.misfits]).toEqual(['watching', contents(), []]);
  });

  it.each(['returns `stop`', 'calls stop()', 'throws'])('emits a failure at once at which onError %s', (what) => {
    const seen: string[] = [];
    const source = { list: () => throwError(() => new Error('refused')), watch: () => NEVER };
    const informer: SharedInformer<KubernetesObject> = createInformer<KubernetesObject>(source, {
      listStrategy: 'list',
      scheduler: new VirtualTimeScheduler(),
      onError: (error) => {
        seen.push(`asked ${error.code}`);
        if (what === 'calls stop()') void informer.stop();
        if (what === 'throws') throw error;
        return 'stop';
      },
    });
    informer.error$.subscribe({ next: ({ code }) => seen.push(code), complete: () => seen.push('complete') });
    informer.start();
    expect(seen).toEqual(['ERR_LIST', 'asked ERR_LIST', 'complete']);
  });

  it('ends when onError says stop, and asks nobody twice', () => {
    const asked: string[] = [];
    const { source, informer, runTo } = followed({
      onError: ({ code }) => {
        asked.push(code);
        return asked.length === 2 ? 'stop' : undefined;
      },
    });
    source.stop();
    const ends: unknown[] = [];
    informer.resource$.subscribe({ error: (error: unknown) => ends.push(error) });
    runTo(100_000);
    expect(asked).toHaveLength(2);
    expect(ends).toEqual([expect.objectContaining({ code: asked[1] })]);
    expect(informer.isStopped()).toBe(true);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const { source, informer, runTo, scheduler } = followed({ resyncPeriodMs: 1000, relistPeriodMs: 5000 });
    informer.start();
    runTo(3000);
    expect(source.openWatches).toBe(1);
    await informer.stop();
    expect([source.openWatches, scheduler.actions.filter((action) => !action.closed)]).toEqual([0, []]);
  });

  it('equals the server at rest, and so does every fold, whatever goes wrong on the way', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), name, lost: fc.boolean() }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constantFrom('expire' as const, 'reset' as const, 'close' as const, 'stall' as const, 'compact' as const),
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stop' as const, 'start' as const, 'join' as const) }) },
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom('auto' as const, 'list' as const), (steps, listStrategy) => {
        const { source, informer, scheduler, runTo, contents, cached } = followed({ listStrategy });
        const followers = [createStrictFollower<KubernetesObject>()];
        informer.resource$.subscribe(followers[0]?.follow);
        const toggle = (key: string): void => {
          const count = Number(source.resourceVersion);
          if (source.get(`default/${key}`) === undefined) source.add(pod(key));
          else if (count % 3 === 0) source.delete(`default/${key}`);
          else source.modify(pod(key, 'default', String(count)));
        };
        for (const todo of steps) {
          if (todo.kind === 'wait') runTo(scheduler.now() + todo.ms);
          else if (todo.kind === 'change') {
            if (todo.lost) {
              source.loseEvents(() => toggle(todo.name));
              source.expire();
            } else toggle(todo.name);
          } else if (todo.kind === 'join') {
            const follower = createStrictFollower<KubernetesObject>();
            followers.push(follower);
            informer.resource$.subscribe(follower.follow);
          } else source[todo.kind]();
        }
        source.start();
        runTo(scheduler.now() + 400_000);
        expect(cached()).toEqual(contents());
        for (const { known, misfits } of followers) expect({ known, misfits }).toEqual({ known: contents(), misfits: [] });
        void informer.stop();
      }),
      { numRuns: runs(60) },
    );
  });

  describe('on a resource of a client', () => {
    const { pods, nodes } = resources.core.v1;

    it('asks for what it is told to select, once', () => {
      const { scheduler, settings, runTo } = timed();
      const client = fakeClient(scheduler);
      const informer = createInformer(client, pods, {
        ...settings,
        listStrategy: 'list',
        namespace: 'shop',
        labelSelector: { matchLabels: { app: 'web' } },
        fieldSelector: 'status.phase=Running',
      });
      informer.start();
      runTo(10);
      expect(client.requests).toEqual(['list pods shop app=web status.phase=Running', 'watch pods shop app=web status.phase=Running']);
      expect([informer.name, informer.lastSyncResourceVersion('shop')]).toEqual(['pods', '1']);
    });

    it('merges several namespaces into one cache', () => {
      const { scheduler, settings, runTo } = timed();
      const client = fakeClient(scheduler);
      client.serverOf('pods').add(pod('a', 'n'));
      client.serverOf('pods').add(pod('b', 'm'));
      client.serverOf('pods').add(pod('c', 'elsewhere'));
      const informer = createInformer(client, pods, { ...settings, namespace: ['n', 'm', 'n'] });
      informer.start();
      runTo(10);
      expect(informer.indexer.listKeys().sort()).toEqual(['m/b', 'n/a']);
      client.serverOf('pods').delete('n/a');
      client.serverOf('pods').add(pod('d', 'm'));
      runTo(20);
      expect(informer.indexer.listKeys().sort()).toEqual(['m/b', 'm/d']);
    });

    it('follows namespaces that change', () => {
      const { scheduler, settings, runTo } = timed();
      const client = fakeClient(scheduler);
      client.serverOf('pods').add(pod('a', 'n'));
      client.serverOf('pods').add(pod('b', 'm'));
      const namespace = new BehaviorSubject(['n']);
      const informer = createInformer(client, pods, { ...settings, namespace });
      informer.start();
      runTo(10);
      expect(informer.indexer.listKeys()).toEqual(['n/a']);
      namespace.next(['m']);
      runTo(20);
      expect(informer.indexer.listKeys()).toEqual(['m/b']);
    });

    it('takes any resource, of any kind (DY-01)', () => {
      const { scheduler, settings, runTo } = timed();
      const client = fakeClient(scheduler);
      const websites = customResource<KubernetesObject>({
        group: 'example.com',
        version: 'v1',
        plural: 'websites',
        kind: 'WebSite',
        namespaced: true,
      });
      client.serverOf('websites').add({ apiVersion: 'example.com/v1', kind: 'WebSite', ...pod('w') });
      const informer = createInformer(client, websites, settings);
      informer.start();
      runTo(10);
      expect(informer.lister.namespace('default').get('w')).toMatchObject({ kind: 'WebSite' });
    });

    it.each<[string, () => unknown, string]>([
      ['no resource', () => createInformer(fakeClient(timed().scheduler) as never), 'Expected `resource` to be a resource, got undefined'],
      [
        'no client',
        () => createInformer(undefined as never, pods),
        'Expected a client with the methods listChunks and watch, got undefined without listChunks and watch',
      ],
      [
        'neither client nor source',
        () => createInformer({} as never),
        'Expected a lister-watcher, or a client and a resource, with the methods list and watch, got an object without list and watch',
      ],
      [
        'no namespaces',
        () => createInformer(fakeClient(timed().scheduler), pods, { namespace: [] }),
        "Expected `namespace` of `createInformer` to be a namespace, a list of at least one and none of them '' beside others, or an Observable of lists, got an empty list",
      ],
      [
        'a selector of a lister-watcher',
        () => createInformer(new FakeListerWatcher(), { labelSelector: 'app=web' } as never),
        'Expected `labelSelector` to be an option of the lister-watcher, got it as one of its informer',
      ],
      [
        'a name that is none',
        () => createInformer(new FakeListerWatcher(), { name: '' }),
        'Expected `name` of `createInformer` to be a non-empty string, got ""',
      ],
      [
        'a negative grace',
        () => createInformer(new FakeListerWatcher(), { idleGraceMs: -1 }),
        'Expected `idleGraceMs` of `createInformer` to be a number of milliseconds >= 0 or Infinity, got -1',
      ],
      [
        'a transform that is none',
        () => createInformer(new FakeListerWatcher(), { transform: 'x' as never }),
        'Expected `transform` of `createInformer` to be a function, got "x"',
      ],
      [
        'a freeze that is none',
        () => createInformer(new FakeListerWatcher(), { freeze: 1 as never }),
        'Expected `freeze` of `createInformer` to be a boolean, got 1',
      ],
      [
        'a logger that is none',
        () => createInformer(new FakeListerWatcher(), { logger: {} as never }),
        'Expected `logger` of `createInformer` to be an object with the method warn, got an object',
      ],
    ])('refuses %s', (_, make, message) => {
      expect(make).toThrow(new TypeError(message));
    });

    it.each<[string, () => unknown]>([
      ['a wrong label selector', () => createInformer(fakeClient(timed().scheduler), pods, { labelSelector: 'a in b' })],
      ['a wrong field selector', () => createInformer(fakeClient(timed().scheduler), pods, { fieldSelector: 'metadata.name' })],
      ['a namespace for a cluster-scoped resource', () => createInformer(fakeClient(timed().scheduler), nodes, { namespace: 'n' })],
      ['an index that is none', () => createInformer(new FakeListerWatcher(), { indexers: { x: 1 as never } })],
      ['a page size that is none', () => createInformer(new FakeListerWatcher(), { pageSize: -1 })],
    ])('refuses %s where it is made', (_, make) => {
      expect(make).toThrow(TypeError);
    });
  });

  describe.each(['production', 'test'])('in %s', (environment) => {
    const before = process.env['NODE_ENV'];
    beforeEach(() => {
      process.env['NODE_ENV'] = environment;
    });
    afterEach(() => {
      process.env['NODE_ENV'] = before;
    });

    describe.each<[string, object]>([
      ['as sent', {}],
      ['transformed', { transform: ({ metadata }: KubernetesObject) => ({ metadata: { ...metadata } }) }],
    ])('%s', (_, options) => {
      it('freezes cached objects, in production too, so that a mutation throws (MD-01)', () => {
        const { source, informer, runTo } = followed(options);
        source.add(pod('a'));
        informer.start();
        runTo(10);
        const cached = informer.indexer.getByKey('default/a') as { metadata: { name: string } };
        expect(() => {
          cached.metadata.name = 'changed';
        }).toThrow(TypeError);
      });
    });
  });

  it('runs on source events, and asks `onError` about the failures among them', () => {
    const scheduler = new VirtualTimeScheduler();
    const asked: string[] = [];
    const failure = (message: string) =>
      sourceStatus('retrying', { error: new InformerError({ code: 'ERR_LIST', message }), nextAttemptAt: 1 });
    const source = concat(of(failure('first'), sourceInit(), sourcePage([pod('a')]), sourceReady('5'), failure('last')), NEVER);
    const informer = createInformer(source, {
      scheduler,
      resource: 'pods',
      onError: ({ message }) => {
        asked.push(message);
        return message === 'last' ? 'stop' : 'retry';
      },
    });
    const told: unknown[] = [];
    informer.resource$.subscribe({ next: ({ type }) => told.push(type), error: (error: unknown) => told.push((error as Error).message) });
    expect(asked).toEqual(['first', 'last']);
    expect(told).toEqual(['added', 'synced', 'last']);
    expect([informer.name, informer.isStopped()]).toEqual(['pods', true]);
  });

  it('waits for the scopes that it is told of', () => {
    const source = concat(of(sourceInit('', 'first', 'a'), sourceReady('1', 'a')), NEVER);
    const waiting = createInformer(source, { scopes: ['a', 'b'] });
    const through = createInformer(source, { scopes: ['a'] });
    for (const informer of [waiting, through]) informer.start();
    expect([waiting.hasSynced(), through.hasSynced()]).toEqual([false, true]);
  });

  it('fails at once, and for good, when there is no usable kubeconfig', async () => {
    const failure = new RequestError({ code: 'ERR_KUBECONFIG', message: 'Found no cluster to talk to' });
    const client = { listChunks: () => throwError(() => failure), watch: () => throwError(() => failure) };
    const informer = createInformer(client, resources.core.v1.pods, {
      scheduler: new VirtualTimeScheduler(),
    });
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    const error: unknown = await informer.whenSynced().catch((caught: unknown) => caught);
    // Whoever prints it prints the sentence once.
    const { code, message, cause } = error as InformerError;
    expect([code, message, cause]).toEqual(['ERR_KUBECONFIG', failure.message, undefined]);
    expect([informer.isStopped(), warn.mock.calls]).toEqual([true, []]);
    warn.mockRestore();
  });

  it('says in its health, on error$ and in its log that its source has failed', async () => {
    const failure = new Error('odd');
    const lines: string[] = [];
    const informer = createInformer(
      throwError(() => failure),
      { resource: 'votes', logger: { warn: (line) => lines.push(line) } },
    );
    const errors: InformerError[] = [];
    const told: unknown[] = [];
    informer.error$.subscribe((error) => errors.push(error));
    informer.resource$.subscribe({ error: (error: unknown) => told.push(error) });
    await expect(informer.whenSynced()).rejects.toThrow('stopped');
    expect(told).toEqual([failure]);
    expect(errors).toMatchObject([{ code: 'ERR_WATCH', message: 'The source of votes failed: odd', cause: failure }]);
    expect(informer.health()).toMatchObject({ state: 'stopped', error: errors[0] });
    expect(lines).toEqual(['rx-informer: votes: ERR_WATCH: The source of votes failed: odd']);
  });

  it('gives its logger the line of an unusable kubeconfig', async () => {
    const failure = new RequestError({ code: 'ERR_KUBECONFIG', message: 'Found no cluster to talk to' });
    const client = { listChunks: () => throwError(() => failure), watch: () => throwError(() => failure) };
    const lines: string[] = [];
    const informer = createInformer(client, resources.core.v1.pods, { logger: { warn: (line) => lines.push(line) } });
    await expect(informer.whenSynced()).rejects.toThrow(failure.message);
    expect(lines).toEqual(['rx-informer: pods: ERR_KUBECONFIG: Found no cluster to talk to']);
  });

  it.each<[object, string]>([
    [{ namepsace: 'web' }, 'Unknown option `namepsace` of `createInformer`; did you mean `namespace`?'],
    [{ resyncPeriod: 5 }, 'Unknown option `resyncPeriod` of `createInformer`; did you mean `resyncPeriodMs`?'],
    [{ parts: ['warmStart'] }, 'Expected `parts` of `createInformer` to be a list of parts, as `warmStart()` returns one, got a list of 1'],
    [{ parts: [verification(), verification()] }, 'Expected each of `parts` once, got `verification` twice'],
    [
      { labelSelector: { app: 5 } },
      'Expected a label selector to have matchLabels and matchExpressions, or labels and their values, got "app"',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => createInformer({ listChunks: () => NEVER, watch: () => NEVER }, resources.core.v1.pods, options)).toThrow(
      new TypeError(message),
    );
  });

  it('takes labels and their values for a selector', () => {
    const asked: unknown[] = [];
    const client = {
      listChunks: (_: unknown, { labelSelector }: { readonly labelSelector?: unknown }) => {
        asked.push(labelSelector);
        return NEVER;
      },
      watch: () => NEVER,
    };
    const informer = createInformer(client, resources.core.v1.pods, { labelSelector: { app: 'web', tier: 'front' }, listStrategy: 'list' });
    informer.start();
    expect(asked).toEqual(['app=web,tier=front']);
    void informer.stop();
  });
});
