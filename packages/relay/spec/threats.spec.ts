import { describe, expect, it, jest } from '@jest/globals';
import { inflateRawSync } from 'node:zlib';
import { concat, delay, firstValueFrom, from, NEVER, of, Subject, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type KubeClient, type KubernetesObject, resources } from 'rx-informer';
import type { SourceEvent } from 'rx-informer/pipeline';
import { Chunk } from '../src/log/chunk.js';
import { projectionOf } from '../src/log/projection.js';
import { accessReviews } from '../src/rights/accessReviews.js';
import { type Authorizer, type RelayUser, userKey } from '../src/rights/authorizer.js';
import { encodingOf } from '../src/serve/encoding.js';
import type { RelayAnswer, RelayAuditEvent, RelayCore } from '../src/serve/relayCore.js';
import { type RelayRequest, streamHeaders } from '../src/serve/requestChecks.js';
import { protocolVersion, relayHeader, type Scope, scopeId } from '../src/wire/frames.js';
import { fakeCollection, type FakeCollection } from '@rx-informer/views/testing';
import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';
import { derive, mergeClusters, reduceObjects } from '@rx-informer/views';
import { type CoreOptions, Link, pageSource, relayCore, requestOf } from './link.js';

const { pods, secrets } = resources.core.v1;

function objectIn(namespace: string, name: string, more: object = {}): KubernetesObject {
  return { metadata: { namespace, name, uid: `${namespace}-${name}`, resourceVersion: '1' }, ...more };
}

interface World {
  readonly scheduler: VirtualTimeScheduler;
  readonly core: RelayCore;
  readonly cache: FakeCollection<KubernetesObject>;
  readonly secret: FakeCollection<KubernetesObject>;
  /** What is allowed: `user resource namespace`. */
  readonly grants: Set<string>;
  readonly hint: () => void;
  readonly audited: RelayAuditEvent[];
  readonly questions: string[];
  readonly follow: (
    user: string,
    scope: Scope,
  ) => { readonly link: Link; readonly events: SourceEvent<KubernetesObject>[]; readonly keys: Set<string> };
}

function worldOf(options: Partial<CoreOptions> = {}): World {
  const scheduler = new VirtualTimeScheduler();
  const cache = fakeCollection([objectIn('a', 'x'), objectIn('b', 'y')], { name: 'pods', scheduler });
  const secret = fakeCollection([objectIn('a', 's'), objectIn('b', 't')], { name: 'secrets', scheduler });
  const joined = derive(cache, (object, read) => ({
    metadata: object.metadata,
    secrets: read(secret, { namespace: object.metadata?.namespace ?? '' }).length,
  }));
  const total = reduceObjects(secret, {
    initial: 0,
    add: (sum: number) => sum + 1,
    remove: (sum: number) => sum - 1,
  });
  const grants = new Set<string>();
  const hints$ = new Subject<(user: RelayUser) => boolean>();
  const audited: RelayAuditEvent[] = [];
  const questions: string[] = [];
  const core = relayCore({
    scheduler,
    sources: {
      pods: { collection: cache, resource: pods },
      secrets: { collection: secret, resource: secrets },
      joined: { collection: joined, inputs: ['pods', 'secrets'] },
      total: { collection: total, inputs: ['secrets'] },
    },
    authorizer: {
      changed$: hints$,
      review: ({ name }, { resource, namespace }) => {
        questions.push(`${name} ${resource} ${namespace}`);
        return of([namespace, ''].some((place) => grants.has(`${name} ${resource} ${place}`))).pipe(delay(5, scheduler));
      },
    },
    audit: (event) => audited.push(event),
    ...options,
  });
  const follow: World['follow'] = (user, scope) => {
    const link = new Link(core, { authorization: user });
    const events: SourceEvent<KubernetesObject>[] = [];
    const keys = new Set<string>();
    pageSource(link, scheduler, scope).subscribe((event) => {
      events.push(event);
      if (event.type === 'page') for (const key of event.keys ?? []) keys.add(key);
      if (event.type === 'added') keys.add(event.key ?? '');
      if (event.type === 'deleted') keys.delete(event.key ?? '');
    });
    return { link, events, keys };
  };
  return { scheduler, core, cache, secret, grants, audited, questions, follow, hint: () => hints$.next(() => true) };
}

function refusalOf(
  { core }: Pick<World, 'core'>,
  request: RelayRequest,
  body: object,
): { readonly status: number; readonly reason?: string } {
  let answered: RelayAnswer | undefined;
  core.answer(request, JSON.stringify(body)).subscribe((answer) => (answered = answer));
  return answered as RelayAnswer;
}

const asking = (...scopes: readonly object[]): object => ({ version: protocolVersion, scopes });
const sent = ({ link }: { readonly link: Link }): string => link.texts.join('');

describe('threats to a relay', () => {
  it('any user watches any kind: only what is declared can be asked for, and only with the right to it', () => {
    const world = worldOf();
    world.grants.add('ada pods ');
    for (const kind of ['configmaps', 'constructor', '__proto__', 'joined']) {
      expect([kind, refusalOf(world, requestOf(), asking({ kind })).status]).toEqual([kind, 400]);
    }
    const page = world.follow('ada', { kind: 'secrets', fields: 'all' });
    advanceBy(world.scheduler, 1_000);
    expect(sent(page)).not.toContain('"set"');
    expect(page.events.at(-1)).toMatchObject({ type: 'status', state: 'retrying', error: { cause: { code: 403, reason: 'Forbidden' } } });
  });

  it('the namespace filter is ignored: a page of one namespace gets that one, and one without the right to it nothing', () => {
    const world = worldOf();
    world.grants.add('ada pods a');
    const [mine, other, all] = [
      world.follow('ada', { kind: 'pods', namespace: 'a' }),
      world.follow('ada', { kind: 'pods', namespace: 'b' }),
      world.follow('ada', { kind: 'pods' }),
    ];
    advanceBy(world.scheduler, 1_000);
    expect([[...mine.keys], [...other.keys], [...all.keys]]).toEqual([['a/x'], [], ['a/x']]);
    expect(sent(other) + sent(all)).not.toContain('b/y');
  });

  it('a value and its rights are of different moments: a large view changes while its first content is taken in slices', () => {
    const scheduler = new VirtualTimeScheduler();
    const cache = fakeCollection<KubernetesObject>(
      Array.from({ length: 600 }, (_, at) => objectIn('a', `n${at}`)),
      {
        ...{ name: 'pods', scheduler },
      },
    );
    const secret = fakeCollection([objectIn('a', 'mine', { kind: 'of a' }), objectIn('b', 'theirs', { kind: 'of b' })], {
      ...{ name: 'secrets', scheduler },
    });
    const view = derive(cache, ({ kind, metadata }, read) => ({
      ...{ metadata, text: read.get(secret, kind === undefined ? 'b/theirs' : 'a/mine')?.kind },
    }));
    const grants = ['pods a', 'secrets a'];
    const core = relayCore({
      scheduler,
      sources: {
        pods: { collection: cache, resource: pods },
        secrets: { collection: secret, resource: secrets },
        view: { collection: view, inputs: ['pods', 'secrets'] },
      },
      authorizer: { review: (_, { resource, namespace }) => of(grants.includes(`${resource} ${namespace}`)) },
    });
    const link = new Link(core);
    pageSource(link, scheduler, { view: 'view', fields: 'all' }).subscribe();
    // The last slice, which contains this object as it was, is still to come.
    scheduler.schedule(() => cache.put(objectIn('a', 'n599', { kind: 'changed' })), 0);
    advanceBy(scheduler, 1_000);
    expect([sent({ link }).includes('of a'), sent({ link }).includes('of b')]).toEqual([true, false]);
  });

  it('a stream outlives its token: it ends when the credentials do', () => {
    const scheduler = new VirtualTimeScheduler();
    const cache = fakeCollection([objectIn('a', 'x')], { name: 'pods', scheduler });
    let until = 10_000;
    const core = relayCore({
      scheduler,
      sources: { pods: { collection: cache, resource: pods } },
      authenticate: () => of(scheduler.now() < until ? { name: 'ada', expiresAt: until } : undefined),
    });
    const link = new Link(core);
    const events: SourceEvent<KubernetesObject>[] = [];
    pageSource(link, scheduler, { kind: 'pods' }).subscribe((event) => events.push(event));
    advanceBy(scheduler, 12_000);
    const before = sent({ link });
    cache.put(objectIn('a', 'secret-after-the-end'));
    advanceBy(scheduler, 1_000);
    expect(before).toContain('"bye":"expired"');
    expect(sent({ link })).not.toContain('secret-after-the-end');
    expect(events.at(-1)).toMatchObject({ type: 'status', state: 'retrying', error: { code: 'ERR_AUTH' } });
    // With new credentials it continues without a list.
    until = 1_000_000;
    advanceBy(scheduler, 60_000);
    expect(events.filter(({ type }) => type === 'init')).toHaveLength(1);
    expect(events.some((event) => event.type === 'added' && event.key === 'a/secret-after-the-end')).toBe(true);
  });

  it('a stream outlives its token: one with an end that is no time is no token', () => {
    const authenticate = () => of({ name: 'ada', expiresAt: Date.parse('soon') });
    expect(refusalOf(worldOf({ authenticate }), requestOf(), asking({ kind: 'pods' }))).toMatchObject({ status: 401 });
  });

  it('a stream outlives its right: what is revoked is taken away in the same stream, and nothing of it follows', () => {
    const world = worldOf();
    world.grants.add('ada pods a').add('ada pods b');
    const page = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    world.grants.delete('ada pods b');
    world.hint();
    advanceBy(world.scheduler, 100);
    world.cache.put(objectIn('b', 'after'));
    advanceBy(world.scheduler, 1_000);
    expect([...page.keys]).toEqual(['a/x']);
    expect(page.events.filter(({ type }) => type === 'deleted')).toMatchObject([{ key: 'b/y', reason: 'revoked' }]);
    expect(sent(page)).not.toContain('after');
    expect([page.link.requests.length, world.audited.filter(({ type }) => type === 'revoked')]).toEqual([
      1,
      [{ type: 'revoked', user: 'ada', scopes: [{ kind: 'pods' }] }],
    ]);
    // What is granted later appears in it.
    world.grants.add('ada pods b');
    world.hint();
    advanceBy(world.scheduler, 1_000);
    expect([...page.keys].sort()).toEqual(['a/x', 'b/after', 'b/y']);
  });

  it('an authorizer that has not seen yet what was hinted at is asked once more: neither a revocation nor a grant waits for a lifetime', () => {
    const lag = 700;
    let [seen, reviews] = [true, 0];
    const hints$ = new Subject<(user: RelayUser) => boolean>();
    const world = worldOf({
      authorizer: {
        changed$: hints$,
        review: () => {
          reviews += 1;
          return of(seen);
        },
      },
    });
    const page = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    for (const [allowed, count] of [
      [false, 0],
      [true, 2],
    ] as const) {
      hints$.next(() => true);
      world.scheduler.schedule(() => (seen = allowed), lag);
      advanceBy(world.scheduler, 5_000);
      expect(page.keys.size).toBe(count);
    }
    const before = reviews;
    advanceBy(world.scheduler, 40_000);
    expect(reviews).toBe(before);
  });

  it('a stream outlives its right: it is noticed also where the right was about to be forgotten while the replica was behind', () => {
    const textAfter = (waitFrom: number): string => {
      const scheduler = new VirtualTimeScheduler();
      const hints$ = new Subject<(user: RelayUser) => boolean>();
      const grants = new Set(['ada']);
      const server = new FakeListerWatcher({ scheduler });
      server.add(objectIn('a', 'x'));
      const cache = createInformer(server, { scheduler, logger: { warn: () => undefined } });
      cache.start();
      const core = relayCore({
        scheduler,
        sources: { pods: { collection: cache, resource: pods } },
        authorizer: { changed$: hints$, review: ({ name }) => of(grants.has(name)) },
      });
      const link = new Link(core);
      const page = link.connect(JSON.stringify(asking({ kind: 'pods' }))).subscribe();
      advanceBy(scheduler, waitFrom);
      page.unsubscribe();
      const version = String(Number(cache.health().resourceVersion) + 1);
      const token = { log: 'of another replica', at: 1, version, rights: 'none', count: 0, sum: 0 };
      link.connect(JSON.stringify(asking({ kind: 'pods', token }))).subscribe();
      advanceBy(scheduler, 1_500);
      server.add(objectIn('a', 'y'));
      advanceBy(scheduler, 1_000);
      link.texts.length = 0;
      grants.clear();
      hints$.next(() => true);
      advanceBy(scheduler, 1_000);
      return sent({ link });
    };
    for (let at = 53_000; at < 62_000; at += 500) expect([at, textAfter(at)]).toEqual([at, expect.stringContaining('"drop"')]);
  });

  it('a right in doubt that is not decided within 5 s is withheld, and comes back with the decision', () => {
    let answer = 5;
    const hints$ = new Subject<(user: RelayUser) => boolean>();
    const world = worldOf({ authorizer: { changed$: hints$, review: () => of(true).pipe(delay(answer, world.scheduler)) } });
    const page = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    answer = 9_000;
    hints$.next(() => true);
    advanceBy(world.scheduler, 4_900);
    expect(page.keys.size).toBe(2);
    advanceBy(world.scheduler, 200);
    expect([page.keys.size, page.events.at(-1)]).toMatchObject([0, { state: 'retrying', error: { cause: { reason: 'Checking' } } }]);
    advanceBy(world.scheduler, 5_000);
    expect([page.keys.size, page.events.filter(({ type }) => type === 'status').at(-1)]).toMatchObject([2, { state: 'watching' }]);
  });

  it('a hint that fails to say whom it concerns concerns everybody, and ends nothing', () => {
    const hints$ = new Subject<(user: RelayUser) => boolean>();
    const review = jest.fn(() => of(true));
    const world = worldOf({ authorizer: { changed$: hints$, review } });
    world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    const before = review.mock.calls.length;
    for (const wrong of [undefined, () => JSON.parse('') as boolean]) hints$.next(wrong as never);
    advanceBy(world.scheduler, 1_000);
    expect([before, review.mock.calls.length > before]).toEqual([1, true]);
  });

  it('an authorizer that fails keeps the last decision for 60 s, and then denies', () => {
    let fails = false;
    const world = worldOf({
      authorizer: {
        review: () => {
          if (fails) throw new Error('no answer');
          return of(true);
        },
      },
    });
    const page = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    fails = true;
    advanceBy(world.scheduler, 100_000);
    expect(page.keys.size).toBe(2);
    advanceBy(world.scheduler, 30_000);
    expect(page.keys.size).toBe(0);
  });

  it('cached credentials are reused: each request is authenticated, and nobody gets the rights of another', () => {
    const asked: (string | null)[] = [];
    const world = worldOf({
      authenticate: ({ headers }) => {
        asked.push(headers.get('authorization'));
        return of({ name: headers.get('authorization') ?? '' });
      },
    });
    world.grants.add('ada pods ');
    const [ada, bob] = [world.follow('ada', { kind: 'pods' }), world.follow('bob', { kind: 'pods' })];
    advanceBy(world.scheduler, 1_000);
    ada.link.headers = { authorization: 'bob' };
    ada.link.cut();
    advanceBy(world.scheduler, 10_000);
    expect(asked).toEqual(['ada', 'bob', 'bob']);
    expect([ada.keys.size, bob.keys.size]).toEqual([0, 0]);
  });

  it('cache keys collide: scopes, users and rights are told apart by all of their parts', () => {
    const scopes: Scope[] = [
      { kind: 'pods' },
      { view: 'pods' },
      { kind: 'pods', namespace: 'a' },
      { kind: 'pods","","a' },
      { kind: 'pods', fields: 'all' },
      { kind: 'pods', fields: ['all'] },
      { kind: 'pods', fields: ['a,b'] },
      { kind: 'pods', fields: ['a', 'b'] },
      { kind: 'pods', window: { orderBy: 'a', limit: 1 } },
    ];
    expect(new Set(scopes.map(scopeId)).size).toBe(scopes.length);
    expect(scopeId({ kind: 'pods', fields: ['b', 'a'] })).toBe(scopeId({ kind: 'pods', fields: ['a', 'b', 'a'] }));
  });

  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['a form, which cannot send the header', { [relayHeader]: undefined as never }, 403],
    ['a page of its own origin', { origin: 'https://relay.example' }, 200],
  ])('cross-site requests: %s is answered %o', (_, headers, status) => {
    expect(refusalOf(worldOf(), requestOf(headers), asking({ kind: 'pods' })).status).toBe(status);
  });

  it('DNS rebinding: a foreign name in Host is refused before anybody is asked who it is', () => {
    const world = worldOf({ authenticate: () => of({ name: 'ada' }) });
    const hosts = ['evil.example', 'relay.example.evil.example', '', 'RELAY.example:8080'];
    expect(hosts.map((host) => refusalOf(world, requestOf({ host }), asking({ kind: 'pods' })).status)).toEqual([421, 421, 421, 200]);
  });

  it('shared HTTP caches: nothing may be kept, and a GET is not answered', () => {
    expect(streamHeaders['cache-control']).toContain('private, no-store');
    expect(refusalOf(worldOf(), requestOf({}, 'GET'), asking({ kind: 'pods' })).status).toBe(405);
  });

  it('groups or extra are missing from the identity: they are part of it, and of each review', async () => {
    const user = { name: 'ada', uid: 'u1', groups: ['dev', 'ops'], extra: { scopes: ['read'] } };
    const others = [
      { ...user, groups: ['dev'] },
      { ...user, extra: {} },
      { ...user, uid: 'u2' },
      { ...user, name: 'bob' },
      { name: 'ada' },
    ];
    expect(new Set([user, ...others].map(userKey)).size).toBe(6);
    expect(userKey({ ...user, groups: ['ops', 'dev', 'dev'] })).toBe(userKey(user));
    const specs: unknown[] = [];
    const answers = [{ allowed: true }, { allowed: 'true' }];
    const client = {
      create: (_: unknown, { spec }: { readonly spec: unknown }) => {
        specs.push(spec);
        return Promise.resolve({ status: answers[specs.length - 1] });
      },
    } as unknown as KubeClient;
    const { review } = accessReviews(client, { watchRoles: false });
    const allowed = await firstValueFrom(from(review(user, { group: 'apps', resource: 'deployments', namespace: 'a' })), {
      defaultValue: undefined,
    });
    // Both verbs, and nothing but `true` allows.
    expect([allowed, specs]).toEqual([
      false,
      ['list', 'watch'].map((verb) => ({
        user: 'ada',
        uid: 'u1',
        groups: ['dev', 'ops'],
        extra: { scopes: ['read'] },
        resourceAttributes: { group: 'apps', resource: 'deployments', namespace: 'a', verb },
      })),
    ]);
  });

  it('derived values show what may not be read: a view needs the rights of everything that a value was made from', () => {
    const world = worldOf();
    world.grants.add('ada pods ').add('ada secrets a');
    const [joined, total] = [world.follow('ada', { view: 'joined' }), world.follow('ada', { view: 'total' })];
    advanceBy(world.scheduler, 1_000);
    expect([...joined.keys]).toEqual(['a/x']);
    expect(sent(joined)).not.toContain('b/y');
    expect([total.keys.size, total.events.at(-1)]).toMatchObject([0, { state: 'retrying', error: { cause: { reason: 'Forbidden' } } }]);
    world.grants.add('ada secrets b');
    world.hint();
    advanceBy(world.scheduler, 1_000);
    expect([[...joined.keys].sort(), total.keys.size]).toEqual([['a/x', 'b/y'], 1]);
  });

  it('derived values show Secrets: no fields, and no order, of a value have what is in a Secret', () => {
    const scheduler = new VirtualTimeScheduler();
    const cache = fakeCollection([objectIn('a', 's', { kind: 'Secret', data: { key: 'hunter2' }, stringData: { key: 'hunter3' } })], {
      ...{ name: 'secrets', scheduler },
    });
    const view = derive(cache, (secret) => ({ metadata: secret.metadata, secret, list: { items: [secret] }, data: { size: 1 } }));
    const shown = (fields?: 'all') =>
      relayCore({
        scheduler,
        sources: { secrets: { collection: cache, resource: secrets }, view: { collection: view, inputs: ['secrets'], fields } },
      });
    const textOf = (core: RelayCore, scope: Scope): string => {
      const link = new Link(core);
      pageSource(link, scheduler, scope).subscribe();
      advanceBy(scheduler, 1_000);
      return sent({ link });
    };
    for (const path of ['secret', 'secret.data', 'secret.data.key', 'list.items.stringData', 'list']) {
      expect([path, textOf(shown(), { view: 'view', fields: [path] })]).toEqual([path, expect.not.stringContaining('hunter')]);
      expect([path, textOf(shown('all'), { view: 'view', fields: [path] })]).toEqual([path, expect.stringContaining('hunter')]);
    }
    expect(textOf(shown(), { view: 'view', fields: ['data'] })).toContain('"size":1');
    const window = { orderBy: 'secret.data.key', limit: 1 };
    const statusOf = (core: RelayCore): number => refusalOf({ core }, requestOf(), asking({ view: 'view', window })).status;
    expect([statusOf(shown()), statusOf(shown('all'))]).toEqual([400, 200]);
  });

  it('names collide: the right to a namespace is none to a cluster of that name', () => {
    const scheduler = new VirtualTimeScheduler();
    const [one, other] = ['x', 'y'].map((name) => fakeCollection([objectIn('a', name)], { name: `pods of ${name}`, scheduler }));
    const collection = mergeClusters(
      new Map([
        ['a', one as FakeCollection<KubernetesObject>],
        ['b', other as FakeCollection<KubernetesObject>],
      ]),
    );
    const review: Authorizer['review'] = ({ name }, { namespace }) => of(namespace === (name === 'ada' ? 'a' : ''));
    const core = relayCore({ scheduler, authorizer: { review }, sources: { pods: { collection, resource: pods } } });
    const keysOf = (authorization: string, scope: object): string[] => {
      const source = pageSource(new Link(core, { authorization }), scheduler, { kind: 'pods', ...scope });
      const page = createInformer(source, { scheduler, logger: { warn: () => undefined } });
      page.start();
      advanceBy(scheduler, 1_000);
      return page.indexer.listKeys();
    };
    for (const scope of [{}, { namespace: 'a' }, { namespace: 'a', name: 'a/x' }]) expect(keysOf('ada', scope)).toEqual([]);
    expect(keysOf('bob', {})).toEqual(['a/a/x', 'b/a/y']);
  });

  it('a value of a view that comes to be made from what may not be read is taken away', () => {
    const world = worldOf();
    world.grants.add('ada pods ').add('ada secrets a');
    const page = world.follow('ada', { view: 'total' });
    world.secret.remove('b/t');
    advanceBy(world.scheduler, 1_000);
    expect(page.keys.size).toBe(1);
    world.secret.put(objectIn('b', 'u'));
    advanceBy(world.scheduler, 1_000);
    expect(page.keys.size).toBe(0);
  });

  it('a resume token of another user, scope or projection brings nothing but a fresh start', () => {
    const world = worldOf();
    world.grants.add('ada pods ').add('bob pods a');
    const ada = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    ada.link.cut();
    advanceBy(world.scheduler, 5_000);
    const [, again] = ada.link.requests;
    const { token } = (JSON.parse(again ?? '') as { readonly scopes: readonly { readonly token: object }[] }).scopes[0] ?? {};
    expect(token).toMatchObject({ count: 2 });
    for (const scope of [{ kind: 'pods' }, { kind: 'pods', namespace: 'a' }, { kind: 'pods', fields: 'all' }]) {
      const link = new Link(world.core, { authorization: 'bob' });
      link.connect(JSON.stringify(asking({ ...scope, token }))).subscribe();
      advanceBy(world.scheduler, 6_000);
      expect(sent({ link })).toContain('"reset":true');
      expect(sent({ link })).toContain('a/x');
      expect(sent({ link })).not.toContain('b/y');
    }
  });

  it('a compression context is shared across rights: each part is whole on its own', () => {
    const gzip = encodingOf('gzip', false);
    const parts = ['data: {"g":"a","secret":"aaaaaaaaaaaaaaaa"}\n\n', 'data: {"g":"b","secret":"aaaaaaaaaaaaaaaa"}\n\n'].map(
      (text) => new Chunk(text),
    );
    const inflated = parts.map((part) => inflateRawSync(Buffer.concat([gzip.encode(part), Uint8Array.of(3, 0)])).toString());
    expect(inflated).toEqual(parts.map(({ text }) => text));
    expect(gzip.encode(parts[0] as Chunk)).toBe(gzip.encode(parts[0] as Chunk));
    expect([encodingOf('gzip;q=0', false).name, encodingOf('gzip', true).name, encodingOf(null, false).name]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('what takes different rights stands in different parts', () => {
    const world = worldOf();
    world.grants.add('ada pods a').add('ada pods b');
    const page = world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    page.link.texts.length = 0;
    world.cache.put(objectIn('a', 'n1'), objectIn('b', 'n2'));
    advanceBy(world.scheduler, 1_000);
    expect(page.link.texts.filter((text) => text.includes('n1') && text.includes('n2'))).toEqual([]);
    expect([...page.keys].sort()).toEqual(['a/n1', 'a/x', 'b/n2', 'b/y']);
  });

  it('storms: connections, scopes and reviews are bounded', () => {
    const world = worldOf({ limits: { streamsPerUser: 2, scopesPerStream: 3, reviewsPerSecond: 10 } });
    world.cache.put(...Array.from({ length: 100 }, (_, at) => objectIn(`n${at}`, 'x')));
    for (let at = 0; at < 2; at += 1) world.follow('ada', { kind: 'pods' });
    advanceBy(world.scheduler, 50);
    expect(refusalOf(world, requestOf(), asking({ kind: 'pods' }))).toMatchObject({ status: 429, reason: 'TooManyRequests' });
    expect(
      refusalOf(world, requestOf({ authorization: 'bob' }), asking(...Array.from({ length: 4 }, () => ({ kind: 'pods' })))).status,
    ).toBe(400);
    advanceBy(world.scheduler, 3_000);
    // The burst, and ten a second; each right once.
    expect(world.questions.length).toBeLessThanOrEqual(10 + 31);
    expect(new Set(world.questions).size).toBe(world.questions.length);
    expect(world.questions[0]).toBe('ada pods ');
    advanceBy(world.scheduler, 10_000);
    expect(world.questions).toHaveLength(103);
  });

  it('scopes are taken by users without rights: they make room for others', () => {
    const world = worldOf({ limits: { scopes: 60, scopesPerUser: 40, streamsPerUser: 100 } });
    world.grants.add('ada pods ');
    const scopes = (count: number, from = 0): Scope[] =>
      Array.from({ length: count }, (_, at) => ({ kind: 'pods', labelSelector: `a=${from + at}` }));
    const strangers = ['eve', 'mallory'].map((user, number) => scopes(30, 100 * (number + 1)).map((scope) => world.follow(user, scope)));
    advanceBy(world.scheduler, 1_000);
    expect([strangers.length, world.core.figures().scopes]).toEqual([2, 60]);
    const pages = scopes(40).map((scope) => world.follow('ada', scope));
    advanceBy(world.scheduler, 1_000);
    expect(pages.filter(({ events }) => events.some(({ type }) => type === 'ready'))).toHaveLength(40);
    expect(world.core.figures().scopes).toBeLessThanOrEqual(60);
    // Nobody has more than a share, whatever the rights.
    expect(refusalOf(world, requestOf(), asking(...scopes(1, 50)))).toMatchObject({ status: 429 });
  });

  it('answers that depend on data come before rights: a version is told to nobody who may see nothing of its kind', () => {
    const source = concat(
      of<SourceEvent<KubernetesObject>[]>(
        { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' },
        { type: 'page', items: [objectIn('a', 'x')] },
        { type: 'ready', scope: '', resourceVersion: '5' },
      ),
      NEVER,
    );
    const world = worldOf({ sources: { pods: { collection: createInformer(source, { resource: 'pods' }), resource: pods } } });
    world.grants.add('ada pods ');
    const token = { log: 'other', at: 1, version: '1000000', rights: 'x', count: 0, sum: 0 };
    const answers = ['ada', 'bob'].map((user) => {
      let answered: RelayAnswer | undefined;
      const body = JSON.stringify(asking({ kind: 'pods', token }));
      world.core.answer(requestOf({ authorization: user }), body).subscribe((answer) => (answered = answer));
      advanceBy(world.scheduler, 3_000);
      return answered;
    });
    expect(answers).toMatchObject([{ status: 503, reason: 'Behind' }, { status: 200 }]);
  });

  it('answers that depend on data come before rights: one whose rights are not known is told so', () => {
    const world = worldOf({ authorizer: { review: () => NEVER } });
    const token = { log: 'other', at: 1, version: '1000000', rights: 'x', count: 0, sum: 0 };
    let answered: RelayAnswer | undefined;
    world.core.answer(requestOf(), JSON.stringify(asking({ kind: 'pods', token }))).subscribe((answer) => (answered = answer));
    advanceBy(world.scheduler, 3_000);
    expect(answered).toMatchObject({ status: 503, reason: 'Checking' });
  });

  it('positions tell of changes: a page that may see nothing gets no position, no version and no sign of a change', () => {
    const world = worldOf();
    const page = world.follow('eve', { kind: 'pods' });
    advanceBy(world.scheduler, 1_000);
    const before = page.link.texts.length;
    for (let at = 0; at < 5; at += 1) {
      world.cache.put(objectIn('a', `n${at}`));
      advanceBy(world.scheduler, 1_000);
    }
    expect(page.link.texts.slice(before)).toEqual([]);
    expect(sent(page)).not.toMatch(/"at":[1-9]|"version":"\d/);
    advanceBy(world.scheduler, 20_000);
    expect(sent(page)).toContain('"beat":{}');
    // A right that comes later brings everything.
    world.grants.add('eve pods ');
    world.hint();
    advanceBy(world.scheduler, 1_000);
    expect(page.keys.size).toBe(7);
  });

  it('storms: a page that polls for what its user may not see waits as long as one for which there is nothing new', () => {
    const world = worldOf();
    const link = new Link(world.core, { authorization: 'eve' });
    link.connect(JSON.stringify({ ...asking({ kind: 'pods' }), poll: true })).subscribe();
    advanceBy(world.scheduler, 24_000);
    expect(sent({ link })).not.toContain('bye');
    advanceBy(world.scheduler, 2_000);
    expect(sent({ link })).toContain('"bye":"poll"');
  });

  it('secrets in last-applied annotations, errors and dumps: they are not sent', () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{"password":"hunter2"}', note: 'kept' };
    const object = { kind: 'Secret', metadata: { name: 'x', annotations, managedFields: [{}] }, data: { password: 'aHVudGVyMg==' } };
    expect(projectionOf('all')(object)).toEqual({
      kind: 'Secret',
      metadata: { name: 'x', annotations: { note: 'kept' } },
      data: object.data,
    });
    expect(projectionOf('metadata')(object)).toEqual({ kind: 'Secret', metadata: { name: 'x', annotations: { note: 'kept' } } });
    expect(projectionOf(['metadata.annotations'])(object)).toEqual({
      kind: 'Secret',
      metadata: { name: 'x', annotations: { note: 'kept' } },
    });
    const world = worldOf({
      authenticate: () => {
        throw new Error('token eyJhbGciOi.secret is wrong');
      },
    });
    const refusal = refusalOf(world, requestOf(), asking({ kind: 'pods' }));
    expect([refusal.status, JSON.stringify([refusal, world.audited, world.core.figures()])]).toEqual([
      401,
      expect.not.stringContaining('secret') as unknown,
    ]);
  });
});
