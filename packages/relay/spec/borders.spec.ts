import { describe, expect, it } from '@jest/globals';
import { of, ReplaySubject, type SchedulerAction, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubernetesObject } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { Pace } from '../src/log/pace.js';
import { createRelay } from '../src/serve/createRelay.js';
import { Feeds } from '../src/serve/feeds.js';
import type { RelayAnswer, RelayCore } from '../src/serve/relayCore.js';
import { type Frame, frameReader, protocolVersion, type Scope } from '../src/wire/frames.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy, FakeListerWatcher, pod } from 'rx-informer/testing';
import { derive, mergeViews } from '@rx-informer/views';
import { type CoreOptions, Link, objects, pageSource, relayCore, requestOf } from './link.js';

const asking = (scopes: readonly object[]): string => JSON.stringify({ version: protocolVersion, scopes });

function answerOf(core: RelayCore, scopes: readonly object[], headers: Readonly<Record<string, string>> = {}): RelayAnswer | undefined {
  let answered: RelayAnswer | undefined;
  core.answer(requestOf(headers), asking(scopes)).subscribe((answer) => (answered = answer));
  return answered;
}

/** A page that reads everything that it is sent. */
function open(core: RelayCore, scopes: readonly object[], headers: Readonly<Record<string, string>> = {}) {
  const frames: Frame[] = [];
  const read = frameReader();
  const closes: (() => void)[] = [];
  core.answer(requestOf(headers), asking(scopes)).subscribe((answer) => {
    if ('reason' in answer) throw new Error(`refused: ${JSON.stringify(answer)}`);
    const connection = answer.open({ write: ({ text }) => (frames.push(...read(text)), true), end: () => undefined });
    closes.push(() => connection.close());
  });
  return { frames, close: () => closes.forEach((close) => close()) };
}

function worldOf(count: number, options: Partial<CoreOptions> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const cache = fakeCollection<KubernetesObject>(
    Array.from({ length: count }, (_, at) => pod(`a/p${at}`)),
    { name: 'objects', scheduler },
  );
  const core = relayCore({ scheduler, sources: { objects: { collection: cache, resource: objects } }, ...options });
  return { scheduler, cache, core };
}

const fieldsOf = (at: number): Scope => ({ kind: 'objects', fields: [`status.part${at}`] });

describe('the borders of a relay', () => {
  it('a relay that has been stopped refuses what comes late, and pages keep what they have', () => {
    const { scheduler, core } = worldOf(2);
    const link = new Link(core);
    const page = createInformer(pageSource(link, scheduler, { kind: 'objects' }), { scheduler, logger: { warn: () => undefined } });
    page.start();
    advanceBy(scheduler, 1_000);
    core.stop();
    expect(answerOf(core, [{ kind: 'objects' }])).toMatchObject({ status: 503, reason: 'Stopped', retryAfterSeconds: 1 });
    advanceBy(scheduler, 30_000);
    expect([page.indexer.listKeys().length, page.health().state, core.figures().streams]).toEqual([2, 'retrying', 0]);
  });

  it('a request that waits when the relay is stopped is refused', () => {
    const scheduler = new VirtualTimeScheduler();
    const collection = fakeCollection<KubernetesObject>([], { name: 'objects', scheduler, synced: false });
    const core = relayCore({ scheduler, sources: { objects: { collection, resource: objects } } });
    const token = { log: 'other', at: 1, version: '99', rights: 'none', count: 0, sum: 0 };
    let answered: RelayAnswer | undefined;
    core.answer(requestOf(), asking([{ kind: 'objects', token }])).subscribe((answer) => (answered = answer));
    core.stop();
    advanceBy(scheduler, 5_000);
    expect(answered).toMatchObject({ status: 503, reason: 'Stopped' });
  });

  it('a replica that has the same content is not behind, however late the version of a list is', () => {
    const scheduler = new VirtualTimeScheduler();
    const replica = (version: number, names: readonly string[]): RelayCore => {
      const server = new FakeListerWatcher({ scheduler });
      for (const name of names) server.add({ metadata: { namespace: 'a', name, uid: name } });
      const quiet = createInformer(server, { scheduler, logger: { warn: () => undefined } });
      return relayCore({ scheduler, seed: version, sources: { objects: { collection: quiet, resource: objects } } });
    };
    const old = replica(1, ['x']);
    const other = replica(2, []);
    const link = new Link(old);
    const events: string[] = [];
    pageSource(link, scheduler, { kind: 'objects', fields: ['metadata.uid'] }).subscribe(({ type }) => events.push(type));
    advanceBy(scheduler, 2_000);
    const body = JSON.parse(link.requests.at(-1) ?? '') as { scopes: object[] };
    expect(body.scopes).toHaveLength(1);
    link.cut();
    advanceBy(scheduler, 1_500);
    const { token } = (JSON.parse(link.requests.at(-1) ?? '') as { scopes: { token: { version: string } }[] }).scopes[0] ?? {};
    const late = { kind: 'objects', fields: ['metadata.uid'], token: { ...token, log: 'of another replica', version: '1000' } };
    expect(answerOf(old, [late])).toMatchObject({ status: 200 });
    let answered: RelayAnswer | undefined;
    open(other, [{ kind: 'objects', fields: ['metadata.uid'] }]);
    other.answer(requestOf(), asking([late])).subscribe((answer) => (answered = answer));
    advanceBy(scheduler, 5_000);
    expect(answered).toMatchObject({ status: 503, reason: 'Behind' });
    old.stop();
    other.stop();
  });

  it('a replica is behind a view only where a kind lacks something: a quiet kind reaches the version of a list late', () => {
    const scheduler = new VirtualTimeScheduler();
    const objectAt = (name: string, resourceVersion: string): KubernetesObject => ({
      metadata: { namespace: 'a', name, uid: name, resourceVersion },
    });
    const replica = (seed: number, listedAt: string, quiet: readonly KubernetesObject[]) => {
      const kind = (resource: string, items: readonly KubernetesObject[]) => {
        const events$ = new ReplaySubject<SourceEvent<KubernetesObject>>(Infinity);
        events$.next({ type: 'init', scope: '', reason: 'first', previousResourceVersion: '' });
        events$.next({ type: 'page', items });
        events$.next({ type: 'ready', scope: '', resourceVersion: listedAt });
        return { events$, collection: createInformer<KubernetesObject>(events$, { resource, scheduler }) };
      };
      const [busy, other] = [kind('busy', [objectAt('b', '7')]), kind('quiet', quiet)];
      const view = derive(busy.collection, ({ metadata }, read) => [metadata?.resourceVersion, read(other.collection, {}).length], {
        scheduler,
      });
      const sources = {
        busy: { collection: busy.collection, resource: objects },
        quiet: { collection: other.collection, resource: objects },
        view: { collection: view, inputs: ['busy', 'quiet'] },
      };
      const core = relayCore({ scheduler, seed, sources });
      open(core, [{ view: 'view' }]);
      advanceBy(scheduler, 1_000);
      busy.events$.next({
        type: 'modified',
        object: objectAt('b', seed === 1 ? '1001' : '1100'),
        resourceVersion: seed === 1 ? '1001' : '1100',
      });
      advanceBy(scheduler, 1_000);
      return core;
    };
    const link = new Link(replica(1, '1000', [objectAt('q', '5')]));
    const shown: unknown[] = [];
    pageSource(link, scheduler, { view: 'view' }).subscribe((event) => {
      if (event.type === 'page') shown.push(...event.items);
      else if ('object' in event) shown.push(event.object);
    });
    advanceBy(scheduler, 2_000);
    expect(shown).toEqual([['1001', 1]]);
    // It has not heard yet that an object of the quiet kind is gone.
    link.core = replica(2, '900', [objectAt('q', '5'), objectAt('r', '6')]);
    link.cut();
    advanceBy(scheduler, 10_000);
    expect(shown).toEqual([['1001', 1]]);
    link.core = replica(3, '900', [objectAt('q', '5')]);
    advanceBy(scheduler, 10_000);
    expect(shown.at(-1)).toEqual(['1100', 1]);
  });

  it('what the scopes of a user hold is known without a look at the streams of all others', () => {
    const scheduler = new VirtualTimeScheduler();
    const nothing = (): void => undefined;
    const feeds = new Feeds({
      ...{ sources: {}, scheduler, pace: new Pace(scheduler), random: () => 0, batchMs: 100, readersAtOnce: 1, sliceLength: 1 },
      ...{ bytesPerUser: 1, overfull: nothing, dropped: nothing },
    });
    const users = Array.from({ length: 5_000 }, (_, at) => `user ${at}`);
    const before = process.cpuUsage();
    const leave = users.map((user) => feeds.ask(user, new Set(['shared', user])));
    expect(users.every((user) => feeds.countFor(user, new Set(['shared', 'other'])) === 3 && feeds.bytesFor(user) === 0)).toBe(true);
    for (const end of leave) end();
    expect(users.every((user) => feeds.countFor(user, new Set()) === 0)).toBe(true);
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('a scope that is named twice in a request is one: its content is sent once', () => {
    const { scheduler, core } = worldOf(3);
    const { frames, close } = open(
      core,
      Array.from({ length: 20 }, () => ({ kind: 'objects' })),
    );
    advanceBy(scheduler, 1_000);
    const channels = frames.flatMap((frame) => ('open' in frame ? frame.open : []));
    expect([channels.length, new Set(channels).size, frames.filter((frame) => 'g' in frame).length]).toEqual([20, 1, 1]);
    expect(core.figures()).toMatchObject({ streams: 1, scopes: 1 });
    close();
    core.stop();
  });

  it('what the scopes of one user hold is bounded in bytes; others are served, and a scope of many counts for each with a share', () => {
    const bytesPerUser = 1_000_000;
    const { scheduler, core } = worldOf(1_000, { limits: { bytesPerUser } });
    const greedy = open(
      core,
      Array.from({ length: 5 }, (_, at) => fieldsOf(at)),
      { authorization: 'eve' },
    );
    const modest = open(core, [fieldsOf(0)], { authorization: 'ada' });
    advanceBy(scheduler, 1_000);
    expect(greedy.frames).toContainEqual({ bye: 'stopped' });
    expect(modest.frames.some((frame) => 'g' in frame)).toBe(true);
    expect(core.figures().bytes).toBeLessThan(bytesPerUser);
    const again = answerOf(
      core,
      Array.from({ length: 5 }, (_, at) => fieldsOf(at)),
      { authorization: 'eve' },
    );
    expect(again).toMatchObject({ status: 429, message: expect.stringContaining('hold more than 1 MB') });
    expect(answerOf(core, [fieldsOf(0)], { authorization: 'eve' })).toMatchObject({ status: 200 });
    core.stop();
  });

  it('a scope that is given up and asked for again is counted as long as it is followed', () => {
    const { core, scheduler } = worldOf(1, { limits: { scopes: 2 }, authorizer: { review: ({ name }) => of(name === 'ada') } });
    const follow = (user: string, at: number): Subscription =>
      pageSource(new Link(core, { authorization: user }), scheduler, fieldsOf(at)).subscribe();
    follow('eve', 0);
    follow('eve', 1);
    advanceBy(scheduler, 1_000);
    // Makes room for whoever sees something, and has it again when that one has left.
    const ada = follow('ada', 2);
    advanceBy(scheduler, 1_000);
    ada.unsubscribe();
    advanceBy(scheduler, 120_000);
    const { streams, scopes } = core.figures();
    expect([streams, scopes]).toEqual([2, 2]);
    core.stop();
  });

  it('scopes that one user asks for one after the other take no more', () => {
    const bytesPerUser = 1_000_000;
    const { scheduler, core } = worldOf(1_000, { limits: { bytesPerUser } });
    for (let at = 0; at < 20; at += 1) {
      const { close } = open(core, [fieldsOf(at)], { authorization: 'eve' });
      advanceBy(scheduler, 500);
      close();
      advanceBy(scheduler, 500);
    }
    expect(core.figures().bytes).toBeLessThan(bytesPerUser);
    core.stop();
  });

  it.each([
    'http://evil@relay.example',
    'http://relay.example/',
    'http://relay.example?x',
    'HTTP://relay.example',
    'http://relay.example#x',
  ])('an origin that is none is refused: %s', (origin) => {
    const { core } = worldOf(1);
    expect(answerOf(core, [{ kind: 'objects' }], { origin })).toMatchObject({ status: 403, reason: 'CrossOrigin' });
    expect(answerOf(core, [{ kind: 'objects' }], { origin: 'http://relay.example' })).toMatchObject({ status: 200 });
    core.stop();
  });

  it('a page that can be written to again is, in a later turn of the event loop', () => {
    const { scheduler, core } = worldOf(50, { sliceLength: 100 });
    const link = new Link(core);
    link.window = 1;
    pageSource(link, scheduler, { kind: 'objects' }).subscribe();
    advanceBy(scheduler, 1_000);
    const before = link.texts.length;
    link.drain();
    expect(link.texts).toHaveLength(before);
    advanceBy(scheduler, 1);
    expect(link.texts.length).toBeGreaterThan(before);
    core.stop();
  });

  it('reads few of many objects in one turn of the event loop, whatever is done with them, and sends no state in between', () => {
    let [at, turn] = [0, 0];
    const begin = (): void => {
      turn += 1;
      if (hasNewcomers) newcomer();
    };
    class Turns extends VirtualTimeScheduler {
      // Each look at the clock takes four milliseconds.
      override now = (): number => (at += 4);

      override schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
        const counted = function (this: SchedulerAction<T>, given?: T): void {
          begin();
          work.call(this, given);
        };
        return super.schedule(counted, delay, state);
      }
    }
    const scheduler = new Turns();
    let hasNewcomers = false;
    const seen = new Set<string>();
    const newcomer = (): void => {
      if (turn % 10 > 0) return;
      const following = pageSource(new Link(core, { authorization: `user${turn}` }), scheduler, { kind: 'objects', fields: 'all' });
      const waves = ({ items }: { readonly items: readonly object[] }) =>
        new Set(items.map((item) => (item as { spec: { wave: string } }).spec.wave));
      following.subscribe((event) => event.type === 'page' && seen.add([...waves(event)].join()));
    };
    const turns = new Map<number, Set<string>>();
    const whole = (wave: string) =>
      Array.from({ length: 2_000 }, (_, index) => {
        const name = `p${index}`;
        const spec = {
          get wave() {
            const read = turns.get(turn) ?? new Set<string>();
            turns.set(turn, read.add(name));
            return wave;
          },
        };
        return { ...pod(`a/${name}`), spec };
      });
    const cache = fakeCollection<KubernetesObject>(whole('1'), { name: 'objects' });
    const core = relayCore({
      scheduler,
      sources: { objects: { collection: cache, resource: objects, fields: 'all' } },
      sliceLength: 4_000,
    });
    const link = new Link(core);
    link.window = 1;
    const changes: number[] = [];
    const page = createInformer(pageSource(link, scheduler, { kind: 'objects', fields: 'all' }));
    page.change$.subscribe(({ events }) => changes.push(events.length));
    const readInOneTurn = (): number => {
      for (let second = 0; second < 60; second += 1) {
        advanceBy(scheduler, 1_000);
        link.drain();
      }
      const counts = [...turns.values()].map(({ size }) => size);
      turns.clear();
      return Math.max(...counts);
    };
    const few = 300;
    expect(readInOneTurn()).toBeLessThan(few);
    cache.replace(whole('1'));
    expect(readInOneTurn()).toBeLessThan(few);
    expect(changes).toEqual([2_000]);
    cache.replace(whole('2'));
    expect(readInOneTurn()).toBeLessThan(few);
    expect(changes).toEqual([2_000, 2_000]);
    hasNewcomers = true;
    cache.replace(whole('3'));
    advanceBy(scheduler, 1_000);
    expect([...seen].sort()).toEqual(['2', '3']);
    core.stop();
  });

  it('a change of many objects is one step for a page, however it is sent', () => {
    const { scheduler, cache, core } = worldOf(2_000);
    const link = new Link(core);
    const page = createInformer(pageSource(link, scheduler, { kind: 'objects' }), { scheduler });
    const changes: number[] = [];
    page.change$.subscribe(({ events }) => changes.push(events.length));
    advanceBy(scheduler, 2_000);
    cache.replace(Array.from({ length: 1_500 }, (_, at) => pod(`a/p${at + 1_000}`, { metadata: { labels: { wave: '2' } } })));
    advanceBy(scheduler, 2_000);
    expect(changes).toEqual([2_000, 2_500]);
    expect(core.figures().drifts).toBe(0);
    core.stop();
  });
});

describe('the sources of a relay', () => {
  const needs = { authenticate: () => undefined, authorize: { review: () => of(true) } };
  const relayOf = (sources: Parameters<typeof createRelay>[0]['sources']) => () => createRelay({ ...needs, sources });

  it('have names of their own, with what they are made of', () => {
    const [one, other] = [fakeCollection([pod('a')], { name: 'pods' }), fakeCollection([pod('b')], { name: 'pods' })];
    const kind = (collection: typeof one) => ({ collection, resource: objects });
    expect(relayOf({ one: kind(one), other: kind(other) })).toThrow('got "pods" for sources.one and for sources.other');
    const both = mergeViews([one, other], { name: 'both' });
    expect(relayOf({ one: kind(one), both: { collection: both, inputs: ['one'] } })).toThrow(
      'got "pods" for sources.one and for an input of sources.both: give one of them a `name`',
    );
    expect(relayOf({ one: kind(one), again: kind(one) })).not.toThrow();
    const views = [derive(one, () => 1), derive(one, () => 2)];
    expect(views.map(({ name }) => name)).toEqual(['derive(pods)', 'derive(pods) 2']);
    const [first, second] = views as [(typeof views)[0], (typeof views)[0]];
    expect(
      relayOf({ one: kind(one), first: { collection: first, inputs: ['one'] }, second: { collection: second, inputs: ['one'] } }),
    ).not.toThrow();
  });

  it('a view that reads a kind which is none of its inputs needs the rights to it, and so does all of the view', () => {
    const scheduler = new VirtualTimeScheduler();
    const [pods, secrets] = ['pods', 'secrets'].map((name) => fakeCollection([pod('a/x')], { name, scheduler }));
    if (pods === undefined || secrets === undefined) throw new Error('unreachable');
    const view = derive(pods, ({ metadata }, read) => ({ metadata, secret: read.get(secrets, 'a/x')?.metadata?.name }));
    const secretKind = { ...objects, plural: 'secrets' };
    const core = relayCore({
      scheduler,
      authorizer: { review: (_, { resource }) => of(resource !== 'secrets') },
      sources: {
        pods: { collection: pods, resource: objects },
        secrets: { collection: secrets, resource: secretKind },
        view: { collection: view, inputs: ['pods'] },
      },
    });
    const { frames } = open(core, [{ view: 'view', fields: 'all' }]);
    advanceBy(scheduler, 1_000);
    expect(JSON.stringify(frames)).not.toContain('"secret"');
    expect(frames.flatMap((frame) => ('rights' in frame ? frame.rights : [])).at(-1)).toBe('forbidden');
    core.stop();
  });
});

describe('the fields that may be asked for', () => {
  const withEnv = {
    containers: [
      {
        name: 'c',
        env: [
          { name: 'PASSWORD', value: 'HIDDEN' },
          { name: 'from', valueFrom: {} },
        ],
      },
    ],
  };
  const secret = { kind: 'Secret', metadata: { namespace: 'a', name: 's' }, data: { password: 'HIDDEN' }, type: 'Opaque' };
  const untyped = { metadata: { namespace: 'a', name: 'u' }, data: { password: 'HIDDEN' } };
  const world = (fields?: 'all' | readonly string[]) => {
    const scheduler = new VirtualTimeScheduler();
    const pods = fakeCollection<KubernetesObject>([{ ...pod('a/x'), spec: withEnv } as KubernetesObject], { name: 'pods', scheduler });
    const secrets = fakeCollection<KubernetesObject>([secret, untyped], { name: 'secrets', scheduler });
    const view = derive(secrets, (one) => ('kind' in one ? { secret: one, deep: [{ one }] } : undefined), { scheduler });
    const secretKind = { group: '', plural: 'secrets', namespaced: true };
    const core = relayCore({
      scheduler,
      sources: {
        pods: { collection: pods, resource: objects, fields },
        secrets: { collection: secrets, resource: secretKind, fields },
        view: { collection: view, inputs: ['secrets'], fields },
      },
    });
    const sent = (scope: object): string => {
      const { frames } = open(core, [scope]);
      advanceBy(scheduler, 500);
      return JSON.stringify(frames);
    };
    return { core, sent };
  };

  it.each([{ kind: 'pods' }, { kind: 'secrets' }])('are by default all but what is secret as a rule: %j', (scope) => {
    const { core, sent } = world();
    const all = sent({ ...scope, fields: 'all' });
    expect(all).toContain('"name"');
    expect(all + sent({ ...scope, fields: ['data', 'spec.containers.env.value', 'spec.containers'] })).not.toContain('HIDDEN');
    core.stop();
    expect(world('all').sent({ ...scope, fields: 'all' })).toContain('HIDDEN');
  });

  it('are those that the relay names, also by `all` and by the order of a window', () => {
    const { core, sent } = world(['metadata.labels', 'type']);
    expect(sent({ kind: 'secrets', fields: 'all' })).not.toContain('HIDDEN');
    expect(sent({ kind: 'secrets', fields: ['type'] })).toContain('Opaque');
    expect(answerOf(core, [{ kind: 'secrets', fields: ['type', 'data.password'] }])).toMatchObject({
      status: 400,
      message: 'The field "data.password" of "secrets" may not be asked for: those that may are metadata.labels, type',
    });
    expect(answerOf(core, [{ kind: 'secrets', fields: ['type'], window: { orderBy: 'data.password', limit: 1 } }])).toMatchObject({
      status: 400,
    });
    expect(answerOf(world().core, [{ kind: 'secrets', window: { orderBy: 'data.password', limit: 1 } }])).toMatchObject({ status: 400 });
    // It has all of the object, so its order tells of all fields.
    const copy = { orderBy: 'metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]', limit: 1 };
    for (const asked of [core, world().core, world(['metadata']).core])
      expect(answerOf(asked, [{ kind: 'secrets', fields: ['metadata.annotations'], window: copy }])).toMatchObject({ status: 400 });
    core.stop();
  });

  it('of a kind that is a view hide Secrets at any depth, also by the order of a window', () => {
    const scheduler = new VirtualTimeScheduler();
    const secrets = fakeCollection<KubernetesObject>([secret], { name: 'secrets', scheduler });
    const view = derive(secrets, (one) => ({ metadata: one.metadata, spec: { one } }), { scheduler });
    const sources = { views: { collection: view, resource: objects }, secrets: { collection: secrets, resource: objects } };
    const core = relayCore({ scheduler, sources });
    const statusOf = (kind: string, orderBy: string) => answerOf(core, [{ kind, window: { orderBy, limit: 1 } }])?.status;
    expect(statusOf('views', 'spec.one.data.password')).toBe(400);
    expect(statusOf('views', 'spec.one.type')).toBe(200);
    // As an object of a custom resource may have it.
    expect(statusOf('secrets', 'spec.data.size')).toBe(200);
  });

  it('of a view are subject to the same', () => {
    const { core, sent } = world();
    const all = sent({ view: 'view', fields: 'all' });
    expect(all).toContain('Opaque');
    expect(all).not.toContain('HIDDEN');
    const some = world(['secret.type']).sent({ view: 'view' });
    expect(some).toContain('Opaque');
    expect(some).not.toContain('HIDDEN');
    core.stop();
  });
});
