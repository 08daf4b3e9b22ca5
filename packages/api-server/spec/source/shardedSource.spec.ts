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
  map,
  Subject,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs';
import {
  createInformer,
  type KubernetesList,
  type KubernetesObject,
  type ResourceChange,
  resources,
  type SharedInformer,
  type V1ConfigMap,
} from 'rx-informer';
import { type ListerWatcher, type ListRequest, sharding, type SourceEvent } from 'rx-informer/pipeline';
import type { WatchEvent } from 'rx-informer/internal';
import { hashSlot, type ShardField, slotCount, slotOfObject } from '../../../../src/api/shardFilter.js';
import { expiredStatus } from 'rx-informer/testing';
import { shardedSource } from '../../../../src/source/shardedSource.js';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';

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
    informer = createInformer(server.client, configMaps, { parts: [sharding(shard)], listStrategy });
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
    // The last object may belong to another shard: when one of the own shard has arrived, everything before it has arrived as well.
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

    // Events meanwhile are not missed.
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

  it('tells of what leaves during a later list that it has moved', async () => {
    const shard = follow('uid', lower, 'list');
    const reached = (wanted: string): Promise<unknown> =>
      firstValueFrom(informer.health$.pipe(filter(({ state }) => state === wanted)), { defaultValue: undefined });
    await reached('watching');
    const left = keysIn('uid', lower).filter((key) => !keysIn('uid', quarter).includes(key));
    server.faults.inject({ type: 'endWatch', errorCode: 410, atOnce: true, count: 1 });
    await reached('listing');
    changes.length = 0;
    shard.shard$.next({ slots: quarter });
    const events = changes.flatMap((change) => change.events);
    expect(events.map(({ type, key, ...rest }) => [type, key, (rest as { reason?: string }).reason]).sort()).toEqual(
      left.map((key) => ['deleted', key, 'moved']),
    );
  });

  it('is complete and empty without any slot', async () => {
    follow('uid', new Set());
    await informer.whenSynced();
    expect(cached()).toEqual([]);
  });

  it('asks the server to select where that says it does', async () => {
    // The server logs a watch when it ends.
    follow('uid', lower, 'list');
    await informer.whenSynced();
    const selecting = lists().filter(({ query }) => query.includes('shardSelector'));
    // The first list asks whether the server selects shards.
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
    readonly answer$?: Observable<KubernetesList<KubernetesObject>>;
    /** Answers the question whether the server selects; by default at once. */
    readonly one$?: Observable<KubernetesList<KubernetesObject>>;
    /** What a watch brings; by default nothing. */
    readonly line$?: Observable<WatchEvent<KubernetesObject>>;
    readonly onError?: () => 'stop' | 'retry';
    /** Lists are sent over watches: the events of each. */
    readonly streams?: readonly Observable<WatchEvent<KubernetesObject>>[];
  }

  /** A session whose cache has these keys, with uids; everything is synchronous. */
  function session(
    keys: Readonly<Record<string, string>>,
    { namespace = '', shardInfo = false, by = 'uid', answer$, one$, line$ = NEVER, onError, streams }: Asked = {},
  ) {
    const shard$ = new Subject<{ slots: ReadonlySet<number> }>();
    const requests: string[] = [];
    const errors: unknown[] = [];
    const open = new Set<number>();
    let watches = 0;
    const events: SourceEvent<KubernetesObject>[] = [];
    const list = ({ limit, shardSelector }: ListRequest): Observable<KubernetesList<KubernetesObject>> => {
      requests.push(`list${limit === 1 ? ' one' : ''}${shardSelector === undefined ? '' : ' of the shard'}`);
      if (answer$ !== undefined && limit !== 1) return answer$;
      if (one$ !== undefined && limit === 1) return one$;
      const metadata = { resourceVersion: '5', ...(shardInfo && { shardInfo: { selector: shardSelector } }) };
      return of({ metadata, items: [] }, { items: [] });
    };
    const watch: ListerWatcher<KubernetesObject>['watch'] = () =>
      new Observable((subscriber) => {
        const number = (watches += 1);
        open.add(number);
        subscriber.add(() => open.delete(number));
        subscriber.add((streams?.[number - 1] ?? line$).pipe(map((line) => [line])).subscribe(subscriber));
      });
    const scheduler = new VirtualTimeScheduler();
    shardedSource<KubernetesObject>({
      shard: { by, shard$ },
      namespace,
      settings: { scheduler, listStrategy: streams === undefined ? 'list' : 'watchList', ...(onError !== undefined && { onError }) },
      listerOf: () => ({ list, watch, watchList: streams !== undefined }),
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

  const version = (name: string, uid: string, resourceVersion: string): KubernetesObject => ({ metadata: { name, uid, resourceVersion } });
  const listAt = (resourceVersion: string, ...items: KubernetesObject[]) => of({ metadata: { resourceVersion }, items });
  /** The content of each complete list, by name: what has come before its end counts. */
  const listed = (events: readonly SourceEvent<KubernetesObject>[]): (readonly [version: string, objects: KubernetesObject[]])[] => {
    const objects = new Map<unknown, KubernetesObject>();
    return events.flatMap((event) => {
      if (event.type === 'init') objects.clear();
      if (event.type === 'page') for (const object of event.items) objects.set(object.metadata?.name, object);
      if (event.type === 'added' || event.type === 'modified') objects.set(event.object.metadata?.name, event.object);
      if (event.type === 'deleted') objects.delete(event.object.metadata?.name);
      return event.type === 'ready' ? [[event.resourceVersion, [...objects.values()]] as const] : [];
    });
  };
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

  it('passes on what has no metadata: the cache reports it', () => {
    const strange = { metadata: null } as unknown as KubernetesObject;
    const { send } = session({}, { answer$: listAt('5', strange, version('a', 'red', '3')) });
    expect(send(...all, slotOf(''))).toEqual([
      expect.objectContaining({ type: 'init' }),
      expect.objectContaining({ type: 'page', items: [strange, version('a', 'red', '3')] }),
      expect.objectContaining({ type: 'ready' }),
    ]);
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

  it('lets go what leaves in the middle of the first list, which goes on', () => {
    const answer$ = new Subject<KubernetesList<KubernetesObject>>();
    const { send, requests, events } = session({}, { answer$ });
    send(...all);
    const items = [version('a', 'red', '3'), { metadata: { namespace: 'web', name: 'b', uid: 'green', resourceVersion: '4' } }];
    answer$.next({ metadata: { resourceVersion: '5', continue: 'more' }, items });
    expect(send(slotOf('green'), slotOf('blue'))).toEqual([moved({ name: 'a' })]);
    expect(send(slotOf('blue'))).toEqual([moved({ namespace: 'web', name: 'b' })]);
    answer$.next({ metadata: { resourceVersion: '5' }, items: [version('c', 'blue', '2')] });
    answer$.complete();
    expect(requests).toEqual([]);
    expect(events.at(-1)).toEqual({ type: 'ready', scope: '', resourceVersion: '5' });
    expect(send(slotOf('white'))).toEqual([]);
  });

  it('lets go what leaves in the middle of a streamed list, but not what has been deleted in it', () => {
    const stream = new Subject<WatchEvent<KubernetesObject>>();
    const { send, requests } = session({}, { streams: [stream] });
    send(...all);
    for (const name of ['a', 'b']) stream.next({ type: 'ADDED', object: version(name, 'red', '3') });
    stream.next({ type: 'MODIFIED', object: version('a', 'red', '4') });
    stream.next({ type: 'DELETED', object: version('b', 'red', '5') });
    expect(send(slotOf('green'))).toEqual([moved({ name: 'a' })]);
    expect(requests).toEqual([]);
  });

  it('lets go what leaves in the middle of a later list, but not what that list shows to have been created again', () => {
    const answer$ = new Subject<KubernetesList<KubernetesObject>>();
    const answers = [listAt('5'), answer$];
    const expired = { type: 'ERROR', object: expiredStatus('5', '7') } as const;
    const keys = { a: 'red', b: 'red', c: 'green' };
    const { send, requests, scheduler } = session(keys, { answer$: defer(() => answers.shift() ?? NEVER), line$: of(expired) });
    send(...all);
    scheduler.maxFrames = 10_000;
    scheduler.flush();
    answer$.next({ metadata: { resourceVersion: '7' }, items: [version('b', 'green', '6'), version('d', 'red', '7')] });
    expect(send(slotOf('green'))).toEqual([moved({ name: 'a' }), moved({ name: 'd' })]);
    expect(requests).toEqual([]);
  });

  it('goes on with the watch while what comes is listed, and does not begin that list anew when more comes', () => {
    const answers = [new Subject<KubernetesList<KubernetesObject>>(), new Subject<KubernetesList<KubernetesObject>>()];
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
    // The list is older than the events of the watch.
    answers[0]?.next({ metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'b', uid: 'green', resourceVersion: '6' } }] });
    answers[0]?.complete();
    expect(listed(events)).toEqual([['9', [{ metadata: { name: 'b', uid: 'green', resourceVersion: '6' } }, object]]]);
    expect([...open]).toEqual([2]);
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('forgets what the watch has brought, and begins the list of what comes anew, when the server was restored from a backup', () => {
    const old = new Subject<KubernetesList<KubernetesObject>>();
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const listOf = (...items: KubernetesObject[]) => listAt('4', ...items);
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

  it('takes of what comes the newer of both, the list and the watch, and the version of what is newer', () => {
    const coming = [new Subject<KubernetesList<KubernetesObject>>(), new Subject<KubernetesList<KubernetesObject>>()];
    const [older, newer] = coming;
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const waiting = [listAt('5'), ...coming];
    const { send, events } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER), line$ });
    send(slotOf('red'));
    send(slotOf('red'), slotOf('green'));
    line$.next({ type: 'ADDED', object: version('a', 'red', '8') });
    line$.next({ type: 'ADDED', object: version('c', 'red', '9') });
    line$.next({ type: 'DELETED', object: version('d', 'red', '10') });
    events.splice(0);
    older?.next({
      metadata: { resourceVersion: '7' },
      items: [version('a', 'red', '6'), version('b', 'green', '6'), version('d', 'red', '6')],
    });
    older?.complete();
    expect(listed(events)).toEqual([['10', [version('a', 'red', '8'), version('b', 'green', '6'), version('c', 'red', '9')]]]);
    send(slotOf('red'), slotOf('green'), slotOf('blue'));
    newer?.next({ metadata: { resourceVersion: '20' }, items: [] });
    newer?.complete();
    expect(events.filter(({ type }) => type === 'ready').at(-1)).toEqual({ type: 'ready', scope: '', resourceVersion: '20' });
  });

  it('takes the newer of both of what a streamed list brings before its end, too', () => {
    const end = (resourceVersion: string): WatchEvent<KubernetesObject> => ({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    const [first, coming] = [new Subject<WatchEvent<KubernetesObject>>(), new Subject<WatchEvent<KubernetesObject>>()];
    const { send, events } = session({}, { streams: [first, coming] });
    send(slotOf('red'));
    first.next(end('5'));
    send(slotOf('red'), slotOf('green'));
    first.next({ type: 'ADDED', object: version('a', 'red', '9') });
    events.splice(0);
    coming.next({ type: 'ADDED', object: version('b', 'green', '4') });
    coming.next({ type: 'ADDED', object: version('a', 'red', '6') });
    coming.next({ type: 'MODIFIED', object: version('a', 'red', '8') });
    coming.next({ type: 'MODIFIED', object: version('c', 'blue', '8') });
    coming.next(end('8'));
    expect(listed(events)).toEqual([['9', [version('b', 'green', '4'), version('a', 'red', '9')]]]);
  });

  it('tells at once that the list of what comes fails, and nothing else of it; then it begins again', () => {
    const half$ = concat(
      of({ metadata: { resourceVersion: '7', continue: 'more' }, items: [version('gone', 'green', '6')] }),
      throwError(() => new Error('broken')),
    );
    const waiting = [listAt('5'), half$, listAt('8', version('b', 'green', '6'))];
    const { send, events, scheduler } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER) });
    send(slotOf('red'));
    expect(send(slotOf('red'), slotOf('green'))).toEqual([]);
    expect(events).toEqual([expect.objectContaining({ type: 'status', error: expect.objectContaining({ code: 'ERR_LIST' }) })]);
    events.splice(0);
    scheduler.maxFrames = 10_000;
    scheduler.flush();
    expect(events.map(({ type }) => type).filter((type) => type !== 'status')).toEqual(['init', 'page', 'ready']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'page', items: [version('b', 'green', '6')] }));
  });

  it('goes on with the list of what comes when the watch has to list again', () => {
    const coming = new Subject<KubernetesList<KubernetesObject>>();
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const waiting = [listAt('5'), coming, listAt('20'), listAt('21', version('b', 'green', '21'))];
    const { send, requests, events, scheduler } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER), line$ });
    send(slotOf('red'));
    send(slotOf('red'), slotOf('green'));
    line$.next({ type: 'ERROR', object: expiredStatus('5', '20') });
    scheduler.maxFrames = 10_000;
    scheduler.flush();
    expect(coming.observed).toBe(true);
    expect(requests).toEqual(['list one of the shard', 'list', 'list']);
    // It is older than that list by then: both begin anew, as one.
    coming.next({ metadata: { resourceVersion: '7' }, items: [version('b', 'green', '6')] });
    coming.complete();
    expect(requests.slice(3)).toEqual(['list one of the shard', 'list']);
    expect(listed(events)).toEqual([
      ['20', []],
      ['21', [version('b', 'green', '21')]],
    ]);
  });

  it('passes what its second watch has, but the first had not, and drops what that had shown', () => {
    const lines = [new Subject<WatchEvent<KubernetesObject>>(), new Subject<WatchEvent<KubernetesObject>>()];
    const coming = new Subject<KubernetesList<KubernetesObject>>();
    const waiting = [listAt('5'), coming];
    const later = [...lines];
    const { send, events } = session({}, { answer$: defer(() => waiting.shift() ?? NEVER), line$: defer(() => later.shift() ?? NEVER) });
    send(slotOf('red'));
    send(slotOf('red'), slotOf('green'));
    lines[0]?.next({ type: 'ADDED', object: version('a', 'red', '9') });
    coming.next({ metadata: { resourceVersion: '7' }, items: [] });
    coming.complete();
    events.splice(0);
    for (const [name, uid, at] of [
      ['b', 'green', '8'],
      ['a', 'red', '9'],
      ['a', 'red', '10'],
    ] as const)
      lines[1]?.next({ type: 'MODIFIED', object: version(name, uid, at) });
    const shown = events.flatMap((event) => ('object' in event ? [event.object] : []));
    expect(shown).toEqual([version('b', 'green', '8'), version('a', 'red', '10')]);
  });

  it('forgets the list of what comes, and what the watch has brought, when everything is listed anew', () => {
    const coming = new Subject<KubernetesList<KubernetesObject>>();
    const line$ = new Subject<WatchEvent<KubernetesObject>>();
    const waiting = [listAt('5'), coming, listAt('4'), listAt('6')];
    // For an object without a uid it is not known whether it leaves.
    const { send, requests, events } = session({ 'web/b': '' }, { answer$: defer(() => waiting.shift() ?? NEVER), line$ });
    send(slotOf('red'), slotOf('blue'));
    send(slotOf('red'), slotOf('blue'), slotOf('green'));
    line$.next({ type: 'ADDED', object: version('a', 'red', '12') });
    send(slotOf('red'), slotOf('green'));
    expect(coming.observed).toBe(false);
    // The server was restored from a backup meanwhile.
    const older = version('a', 'red', '6');
    line$.next({ type: 'MODIFIED', object: older });
    expect(events.at(-1)).toEqual({ type: 'modified', object: older, resourceVersion: '6' });
    send(slotOf('red'), slotOf('green'), slotOf('white'));
    expect(requests).toEqual(['list one of the shard', 'list']);
  });

  it('says nothing of what leaves before a list has begun', () => {
    const { send } = session({ a: 'red' }, { one$: NEVER });
    send(...all);
    expect(send(slotOf('green'))).toEqual([]);
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
