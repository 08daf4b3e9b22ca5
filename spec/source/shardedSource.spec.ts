import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  BehaviorSubject,
  concat,
  defer,
  filter,
  firstValueFrom,
  NEVER,
  Observable,
  of,
  Subject,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import type { ResourceChange, SourceEvent } from '../../src/api/events.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { ListChunk, ListRequest, WatchEvent } from '../../src/api/listerWatcher.js';
import { resources } from '../../src/api/resources.js';
import { hashSlot, type ShardField, slotCount, slotOfObject } from '../../src/api/shardFilter.js';
import { expiredStatus } from '../../src/testing/fakes/serverErrors.js';
import { createInformer } from '../../src/informer/createInformer.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { shardedSource } from '../../src/source/shardedSource.js';
import { startApiServer, type TestApiServer } from '../../src/testing/startApiServer.js';

const configMaps = resources.core.v1.configmaps;
const allSlots = Array.from({ length: slotCount }, (_, slot) => slot);
const lower = new Set(allSlots.filter((slot) => slot < 64));
const quarter = new Set(allSlots.filter((slot) => slot < 32));

describe.each([
  ['a server that selects shards', true],
  ['a server that ignores shardSelector', false],
])('an informer of a shard, over %s', (_, shardedListAndWatch) => {
  let server: TestApiServer;
  let objects: V1ConfigMap[];
  let informer: SharedInformer<V1ConfigMap>;
  const changes: ResourceChange<V1ConfigMap>[] = [];

  const shardOf = (by: ShardField, slots: ReadonlySet<number>) => ({ by, shard$: new BehaviorSubject({ slots }) });
  const follow = (by: ShardField, slots: ReadonlySet<number>, listStrategy: 'auto' | 'list' = 'auto') => {
    const shard = shardOf(by, slots);
    informer = createInformer(server.client, configMaps, { shard, listStrategy });
    informer.change$.subscribe((change) => changes.push(change));
    return shard;
  };
  const nameOf = ({ metadata }: V1ConfigMap): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  const keysIn = (by: ShardField, slots: ReadonlySet<number>): string[] =>
    objects
      .filter((object) => slots.has(slotOfObject(object, by)))
      .map(nameOf)
      .sort();
  const cached = (): string[] => informer.indexer.listKeys().sort();
  const until = (holds: () => boolean): Promise<unknown> =>
    firstValueFrom(informer.index$.pipe(filter(holds)), { defaultValue: undefined });
  const lists = () => server.activity.requests.filter(({ method, path }) => method === 'GET' && path.includes('configmaps'));

  beforeEach(async () => {
    server = await startApiServer({ shardedListAndWatch, seed: 1 });
    for (const namespace of ['web', 'db', 'mail', 'kube-public']) {
      if (namespace !== 'kube-public') await server.client.create(resources.core.v1.namespaces, { metadata: { name: namespace } });
      for (let number = 0; number < 20; number += 1) {
        await server.client.create(configMaps, { metadata: { namespace, name: `map-${number}` }, data: { number: String(number) } });
      }
    }
    objects = (await server.client.list(configMaps)).items as V1ConfigMap[];
    changes.length = 0;
  });

  afterEach(async () => {
    await informer.stop();
    await server.close();
  });

  it.each<ShardField>(['uid', 'namespace'])('holds the objects whose %s has its hash in the shard, and follows them alone', async (by) => {
    follow(by, lower);
    await informer.whenSynced();
    const own = keysIn(by, lower);
    expect(cached()).toEqual(own);
    expect(own.length).toBeGreaterThan(0);
    expect(own.length).toBeLessThan(objects.length);

    for (const object of objects) await server.client.replace(configMaps, { ...object, data: { changed: 'yes' } });
    await until(() => informer.indexer.list().every(({ data }) => data?.['changed'] === 'yes'));
    expect(cached()).toEqual(own);
    // The last object may be another shard's: what is still on its way has passed when one's own has come.
    expect(changes.flatMap(({ events }) => events).filter(({ type }) => type === 'updated')).toHaveLength(own.length);
  });

  it('deletes what leaves the shard, with the reason, and lists what comes to it', async () => {
    const shard = follow('uid', lower);
    await informer.whenSynced();
    const before = keysIn('uid', lower);
    const requests = lists().length;
    changes.length = 0;

    shard.shard$.next({ slots: quarter });
    expect(cached()).toEqual(keysIn('uid', quarter));
    const gone = changes.flatMap(({ events }) => events);
    expect(gone.map(({ key }) => key).sort()).toEqual(before.filter((key) => !cached().includes(key)));
    expect(gone.every((event) => event.type === 'deleted' && event.reason === 'moved')).toBe(true);
    expect(lists()).toHaveLength(requests);

    // What happens meanwhile is not missed.
    const comes = objects.find((object) => !lower.has(slotOfObject(object, 'uid'))) as V1ConfigMap;
    await server.client.replace(configMaps, { ...comes, data: { changed: 'yes' } });
    const all = new Set(allSlots);
    shard.shard$.next({ slots: all });
    await until(() => informer.indexer.listKeys().length === keysIn('uid', all).length);
    expect(informer.indexer.getByKey(nameOf(comes))?.data).toEqual({ changed: 'yes' });
  });

  it('forgets what leaves while a list is under way', async () => {
    const shard = follow('uid', lower);
    shard.shard$.next({ slots: quarter });
    await informer.whenSynced();
    expect(cached()).toEqual(keysIn('uid', quarter));
  });

  it('is complete and empty without any slot', async () => {
    follow('uid', new Set());
    await informer.whenSynced();
    expect(cached()).toEqual([]);
  });

  it('asks the server to select where that says it does', async () => {
    // Of a watch, the server has a record when it is over.
    follow('uid', lower, 'list');
    await informer.whenSynced();
    const selecting = lists().filter(({ query }) => query.includes('shardSelector'));
    // The first list asks whether it does.
    expect(selecting.length > 1).toBe(shardedListAndWatch);
  });
});

describe('shardedSource', () => {
  const uids = ['red', 'green', 'blue', 'white'];
  const slotOf = (uid: string): number => hashSlot(uid);

  interface Asked {
    readonly namespace?: string;
    readonly shardInfo?: boolean;
    readonly by?: ShardField;
    /** Answers lists of everything; by default with an empty one, at once. */
    readonly answer$?: Observable<ListChunk<KubernetesObject>>;
    /** What a watch brings; by default nothing. */
    readonly line$?: Observable<WatchEvent<KubernetesObject>>;
    readonly onError?: () => 'stop' | 'retry';
  }

  /** A session whose cache has these keys, with uids; everything is synchronous. */
  function session(
    keys: Readonly<Record<string, string>>,
    { namespace = '', shardInfo = false, by = 'uid', answer$, line$ = NEVER, onError }: Asked = {},
  ) {
    const shard$ = new Subject<{ slots: ReadonlySet<number> }>();
    const requests: string[] = [];
    const errors: unknown[] = [];
    const open = new Set<number>();
    let watches = 0;
    const events: SourceEvent<KubernetesObject>[] = [];
    const list = ({ limit, shardSelector }: ListRequest): Observable<ListChunk<KubernetesObject>> => {
      requests.push(`list${limit === 1 ? ' one' : ''}${shardSelector === undefined ? '' : ' of the shard'}`);
      if (answer$ !== undefined && limit !== 1) return answer$;
      const metadata = { resourceVersion: '5', ...(shardInfo && { shardInfo: { selector: shardSelector } }) };
      return of({ metadata, items: [] }, { items: [] });
    };
    const watch = (): Observable<WatchEvent<KubernetesObject>> =>
      new Observable((subscriber) => {
        const number = (watches += 1);
        open.add(number);
        subscriber.add(() => open.delete(number));
        subscriber.add(line$.subscribe(subscriber));
      });
    const scheduler = new VirtualTimeScheduler();
    shardedSource<KubernetesObject>({
      shard: { by, shard$ },
      namespace,
      settings: { scheduler, listStrategy: 'list', ...(onError !== undefined && { onError }) },
      listerOf: () => ({ list, watch, watchList: false }),
      cached: () => ({ listKeys: () => Object.keys(keys), getByKey: (key) => ({ metadata: { uid: keys[key] } }) }),
    }).subscribe({ next: (event) => events.push(event), error: (error: unknown) => errors.push(error) });
    const send = (...slots: readonly number[]): SourceEvent<KubernetesObject>[] => {
      requests.splice(0);
      events.splice(0);
      shard$.next({ slots: new Set(slots) });
      return events.filter(({ type }) => type !== 'status');
    };
    return { send, requests, errors, open, events, scheduler };
  }

  const all = uids.map(slotOf);
  const moved = (metadata: object, scope = '') => ({ type: 'deleted', scope, object: { metadata }, resourceVersion: '', reason: 'moved' });

  it('tells what leaves, and lists nothing for that', () => {
    const { send, requests } = session({ 'web/a': 'red', 'node-b': 'green', 'web/c': 'blue' });
    send(...all);
    expect(requests).toEqual(['list one of the shard', 'list']);
    expect(send(slotOf('blue'), slotOf('white'))).toEqual([moved({ namespace: 'web', name: 'a' }), moved({ name: 'node-b' })]);
    expect(requests).toEqual([]);
    expect(send(slotOf('blue'), slotOf('white'))).toEqual([]);
    expect(requests).toEqual([]);
    send(...all);
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('tells what leaves of its own namespace alone', () => {
    const { send } = session({ 'web/a': 'red', 'db/a': 'red' }, { namespace: 'web' });
    send(...all);
    expect(send(slotOf('green'))).toEqual([moved({ namespace: 'web', name: 'a' }, 'web')]);
  });

  it('goes by the namespace where that is what counts', () => {
    const { send } = session({ 'web/a': '', 'db/a': '', 'node-b': '' }, { by: 'namespace' });
    send(hashSlot('web'), hashSlot('db'), hashSlot(''));
    expect(send(hashSlot('db'))).toEqual([moved({ namespace: 'web', name: 'a' }), moved({ name: 'node-b' })]);
  });

  it('lists anew where it cannot tell whether an object has left', () => {
    const { send, requests } = session({ 'web/a': '', 'web/b': 'red' });
    send(...all);
    send(slotOf('green'));
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('lists anew what leaves in the middle of a list', () => {
    const begun$ = concat(of({ metadata: { resourceVersion: '5' }, items: [{ metadata: { name: 'a', uid: 'red' } }] }), NEVER);
    const { send, requests } = session({ a: 'red' }, { answer$: begun$ });
    send(...all);
    expect(send(slotOf('green')).map(({ type }) => type)).toEqual(['init', 'page']);
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('lists anew what leaves in the middle of a later list', () => {
    const begun$ = concat(of({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a', uid: 'red' } }] }), NEVER);
    const answers = [of({ metadata: { resourceVersion: '5' }, items: [] }), begun$];
    const expired = { type: 'ERROR', object: expiredStatus('5', '7') } as const;
    const { send, requests, scheduler } = session({ a: 'red' }, { answer$: defer(() => answers.shift() ?? NEVER), line$: of(expired) });
    send(...all);
    expect(requests).toEqual(['list one of the shard', 'list']);
    scheduler.maxFrames = 10_000;
    scheduler.flush();
    expect(requests).toEqual(['list one of the shard', 'list', 'list']);
    expect(send(slotOf('green'))).toEqual([expect.objectContaining({ type: 'init' })]);
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('goes on with the watch while what comes is listed, and does not begin that list anew when more comes', () => {
    const answers = [new Subject<ListChunk<KubernetesObject>>(), new Subject<ListChunk<KubernetesObject>>()];
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const of5 = of({ metadata: { resourceVersion: '5' }, items: [] });
    const waiting = [of5, ...answers];
    const { send, requests, open, events } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER), line$ });
    send(slotOf('red'));
    expect(send(slotOf('red'), slotOf('green'))).toEqual([]);
    expect(requests).toEqual(['list one of the shard', 'list']);
    expect([...open]).toEqual([1]);
    const object = { metadata: { name: 'a', uid: 'red', resourceVersion: '9' } };
    line$.next({ type: 'ADDED', object });
    expect(events.at(-1)).toEqual({ type: 'added', object, resourceVersion: '9' });
    expect(send(...all)).toEqual([]);
    expect(requests).toEqual([]);
    // The list is older than what the watch has brought.
    answers[0]?.next({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'b', uid: 'green', resourceVersion: '6' } }] });
    answers[0]?.complete();
    expect(events.filter(({ type }) => type !== 'status')).toEqual([
      expect.objectContaining({ type: 'init' }),
      expect.objectContaining({ type: 'page', items: [{ metadata: { name: 'b', uid: 'green', resourceVersion: '6' } }] }),
      { type: 'page', scope: '', items: [object] },
      { type: 'ready', scope: '', resourceVersion: '9' },
    ]);
    expect([...open]).toEqual([2]);
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('forgets what the watch has brought, and begins the list of what comes anew, when the server was restored from a backup', () => {
    const old = new Subject<ListChunk<KubernetesObject>>();
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const version = (name: string, uid: string, resourceVersion: string) => ({ metadata: { name, uid, resourceVersion } });
    const listOf = (...items: KubernetesObject[]) => of({ metadata: { resourceVersion: '4' }, items });
    const restored = [version('a', 'red', '3'), version('b', 'green', '2')] as const;
    const waiting = [of({ metadata: { resourceVersion: '5' }, items: [] }), old, listOf(restored[0]), listOf(...restored)];
    const { send, requests, events, scheduler } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER), line$ });
    send(slotOf('red'));
    send(slotOf('red'), slotOf('green'));
    line$.next({ type: 'ADDED', object: version('a', 'red', '12') });
    line$.next({ type: 'ERROR', object: expiredStatus('12', '4') });
    scheduler.maxFrames = 10_000;
    scheduler.flush();
    expect(old.observed).toBe(false);
    expect(requests).toEqual(['list one of the shard', 'list', 'list', 'list one of the shard', 'list']);
    expect(events.filter(({ type }) => type === 'page' || type === 'ready')).toEqual([
      expect.objectContaining({ type: 'page', items: [restored[0]] }),
      { type: 'ready', scope: '', resourceVersion: '4' },
      expect.objectContaining({ type: 'page', items: restored }),
      { type: 'ready', scope: '', resourceVersion: '4' },
    ]);
  });

  it('ends the watch of what it follows no longer', () => {
    const { send, open } = session({});
    send(slotOf('red'));
    expect([...open]).toEqual([1]);
    send(...all);
    expect([...open]).toEqual([2]);
  });

  it('fails when it is told to stop at a failure', () => {
    const failure = new Error('no');
    const { send, errors } = session({}, { answer$: throwError(() => failure), onError: () => 'stop' });
    send(...all);
    expect(errors).toEqual([expect.objectContaining({ code: 'ERR_LIST', cause: failure })]);
  });

  it('is complete at once without any slot', () => {
    const { send, requests } = session({});
    expect(send()).toEqual([
      { type: 'init', scope: '', reason: 'first', previousResourceVersion: '' },
      { type: 'ready', scope: '', resourceVersion: '' },
    ]);
    expect(requests).toEqual([]);
    expect(send()).toEqual([]);
  });

  it('asks for the shard where the server selects by it, in whichever part of the answer that says so', () => {
    const { send, requests } = session({}, { shardInfo: true });
    send(...all);
    expect(requests).toEqual(['list one of the shard', 'list of the shard']);
  });
});
