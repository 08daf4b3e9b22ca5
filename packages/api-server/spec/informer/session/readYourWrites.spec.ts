import { afterEach, describe, expect, it } from '@jest/globals';
import { BehaviorSubject, delayWhen, filter, firstValueFrom, type Observable, Subject, VirtualTimeScheduler } from 'rxjs';
import { type ClientWrite, labelIndexFunc, readYourWrites, requests, sharding } from 'rx-informer/pipeline';
import {
  createInformer,
  createInformerFactory,
  createMetadataInformer,
  createObjectInformer,
  type KubernetesObject,
  type PartialObjectMetadata,
  type ResourceEvent,
  type ResourceInformerOptions,
  resources,
  type SharedInformer,
  type V1ConfigMap,
} from 'rx-informer';
import { hashSlot, type MetadataInformerOptions } from 'rx-informer/internal';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';
import { fakeClient } from '../../../../../spec/informer/fakeClient.js';

const { configmaps, pods, secrets } = resources.core.v1;
const inDefault = { namespace: 'default' };
const settings = (name: string, data: Record<string, string> = {}, labels: Record<string, string> = { app: 'web' }): V1ConfigMap => ({
  metadata: { name, namespace: 'default', labels },
  data,
});
const namesOf = (objects: readonly KubernetesObject[]) => objects.map(({ metadata }) => metadata?.name).sort();

const firstEvent = (events: Observable<ResourceEvent<unknown>>, key: string): Promise<unknown> =>
  firstValueFrom(events.pipe(filter((event) => event.type !== 'synced' && event.key === key)), { defaultValue: undefined });

describe('readYourWrites over a server', () => {
  let server: TestApiServer;
  let informer: SharedInformer<V1ConfigMap>;

  afterEach(async () => {
    await informer.stop();
    await server.close();
  });

  /** An informer that has synced and whose watch hangs from now on, until the returned function is called. */
  async function behind(options: ResourceInformerOptions<V1ConfigMap> = {}): Promise<() => Promise<void>> {
    server = await startApiServer();
    await server.client.create(configmaps, settings('was-there', { v: '1' }));
    informer = createInformer(server.client, configmaps, { ...inDefault, parts: [readYourWrites()], ...options });
    await informer.whenSynced();
    const fault = server.faults.inject({ type: 'freeze', at: 'body', verb: 'watch' });
    return async () => {
      // The server answers a write before its watches have the event.
      while (fault.struck === 0) await new Promise((resolve) => setImmediate(resolve));
      const told = firstEvent(informer.resource$, 'default/last');
      fault.remove();
      await server.client.create(configmaps, settings('last'));
      await told;
    };
  }

  it('shows what was created, replaced, patched and deleted at once, and what the cache has in the end', async () => {
    const catchUp = await behind({ indexers: { app: labelIndexFunc('app') } });
    const { client } = server;
    const events: string[] = [];
    informer.resource$.subscribe((event) => event.type !== 'synced' && events.push(`${event.type} ${event.key}`));

    const created = await client.create(configmaps, settings('new', { v: '1' }));
    expect(informer.lister.get('default/new')).toMatchObject({ kind: 'ConfigMap', data: { v: '1' } });
    expect(namesOf(informer.lister.list('app=web'))).toEqual(['new', 'was-there']);
    expect(namesOf(informer.lister.byIndex('app', 'web'))).toEqual(['new', 'was-there']);
    expect(namesOf(informer.lister.namespace('default').list())).toEqual(['new', 'was-there']);

    await client.replace(configmaps, { ...created, data: { v: '2' } });
    expect(informer.lister.get('default/new')?.data).toEqual({ v: '2' });
    await client.patch(configmaps, 'was-there', 'merge', { data: { v: '9' } }, inDefault);
    expect(informer.lister.getOrThrow('default/was-there').data).toEqual({ v: '9' });
    await client.delete(configmaps, 'was-there', inDefault);
    expect(() => informer.lister.getOrThrow('default/was-there')).toThrow('not found');
    expect(namesOf(informer.lister.list())).toEqual(['new']);
    // The write is kept beside the cache, not in it, and no subscriber is notified.
    expect([informer.indexer.listKeys(), events]).toEqual([['default/was-there'], ['added default/was-there']]);

    await catchUp();
    expect(informer.lister.list()).toEqual(informer.indexer.list());
    expect(informer.lister.get('default/new')).toBe(informer.indexer.getByKey('default/new'));
    expect(events.slice(1, 5)).toEqual([
      'added default/new',
      'updated default/new',
      'updated default/was-there',
      'deleted default/was-there',
    ]);
  });

  it('leaves no ghost of an object that somebody else deletes before its creation is seen', async () => {
    const catchUp = await behind();
    await server.client.create(configmaps, settings('brief'));
    server.objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'brief', namespace: 'default' } });
    expect(informer.lister.get('default/brief')).toBeDefined();
    await catchUp();
    expect(informer.lister.get('default/brief')).toBeUndefined();
  });

  it('leaves no ghost of a create whose answer comes when its deletion has been seen (MC-04)', async () => {
    server = await startApiServer();
    const { client, objects } = server;
    const arrival = new Subject<void>();
    const writes$ = client.writes$.pipe(delayWhen(() => arrival));
    const late = { listChunks: client.listChunks.bind(client), watch: client.watch.bind(client), writes$ };
    informer = createInformer(late, configmaps, { ...inDefault, parts: [readYourWrites()] });
    await informer.whenSynced();
    const seen = firstEvent(informer.resource$.pipe(filter(({ type }) => type === 'deleted')), 'default/brief');
    await client.create(configmaps, settings('brief'));
    objects.delete({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'brief', namespace: 'default' } });
    await seen;
    arrival.next();
    expect(informer.lister.list()).toEqual([]);
  });

  it('shows what was created again under the name of what was deleted, and never the old one', async () => {
    const catchUp = await behind();
    await server.client.delete(configmaps, 'was-there', inDefault);
    const again = await server.client.create(configmaps, settings('was-there', { v: '2' }));
    expect(informer.lister.get('default/was-there')?.metadata?.uid).toBe(again.metadata?.uid);
    await server.client.delete(configmaps, 'was-there', inDefault);
    expect(informer.lister.get('default/was-there')).toBeUndefined();
    await catchUp();
    expect(informer.lister.get('default/was-there')).toBeUndefined();
  });

  it('shows no write that the selectors leave out, and hides what a write takes out of them', async () => {
    const catchUp = await behind({ labelSelector: 'app=web', fieldSelector: 'metadata.name!=not-me' });
    const { client } = server;
    await client.create(configmaps, settings('other-app', {}, { app: 'db' }));
    await client.create(configmaps, settings('not-me'));
    await client.create(configmaps, {
      ...settings('elsewhere'),
      metadata: { name: 'elsewhere', namespace: 'kube-system', labels: { app: 'web' } },
    });
    await client.create(secrets, { metadata: { name: 'of-another-kind', namespace: 'default', labels: { app: 'web' } } });
    expect(namesOf(informer.lister.list())).toEqual(['was-there']);
    await client.patch(configmaps, 'was-there', 'merge', { metadata: { labels: { app: 'db' } } }, inDefault);
    expect(informer.lister.list()).toEqual([]);
    await catchUp();
    expect(namesOf(informer.lister.list())).toEqual(['last']);
  });

  it('shows no write to an object of another shard, and none of a shard that moves on', async () => {
    const slotsOf = (namespace: string) => ({ slots: new Set([hashSlot(namespace)]) });
    const shard$ = new BehaviorSubject(slotsOf('default'));
    await behind({ namespace: undefined, listStrategy: 'list', parts: [sharding({ by: 'namespace', shard$ }), readYourWrites()] });
    const { client } = server;
    await client.create(resources.core.v1.namespaces, { metadata: { name: 'other' } });
    await client.create(configmaps, settings('own'));
    await client.create(configmaps, { metadata: { name: 'foreign', namespace: 'other' } });
    expect(namesOf(informer.lister.list())).toEqual(['own', 'was-there']);
    expect(informer.lister.get('other/foreign')).toBeUndefined();

    shard$.next(slotsOf('other'));
    expect(namesOf(informer.lister.list())).toEqual([]);
    await firstEvent(informer.resource$, 'other/foreign');
    expect(namesOf(informer.lister.list())).toEqual(['foreign']);
  });

  it('shows what the cache would hold: transformed, frozen, and apart from the answer itself', async () => {
    const transform = ({ data, ...rest }: V1ConfigMap): V1ConfigMap => ({ ...rest, data: { ...data, seen: 'yes' } });
    const catchUp = await behind({ transform, freeze: true });
    const answer = await server.client.create(configmaps, settings('new', { v: '1' }));
    const shown = informer.lister.get('default/new');
    expect(shown?.data).toEqual({ v: '1', seen: 'yes' });
    expect([Object.isFrozen(shown?.data), Object.isFrozen(answer.data), Object.isFrozen(answer.metadata?.labels)]).toEqual([
      true,
      false,
      false,
    ]);
    await catchUp();
  });

  it('hides what it has deleted, and shows what was made again, also where a transform drops the uid', async () => {
    const transform = ({ data, metadata: { name, namespace } = {} }: V1ConfigMap): V1ConfigMap => ({
      metadata: { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) },
      ...(data !== undefined && { data }),
    });
    const catchUp = await behind({ transform });
    const { client } = server;
    await client.delete(configmaps, 'was-there', inDefault);
    expect([informer.lister.get('default/was-there'), informer.lister.list()]).toEqual([undefined, []]);
    expect(informer.indexer.listKeys()).toEqual(['default/was-there']);
    server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', ...settings('was-there', { v: '2' }) });
    await catchUp();
    expect(informer.lister.get('default/was-there')?.data).toEqual({ v: '2' });
    await client.delete(configmaps, 'was-there', inDefault);
    expect(informer.lister.get('default/was-there')).toBeUndefined();
  });
});

/** An informer over a fake server, whose client reports writes on command. */
function faked(
  options: ResourceInformerOptions<KubernetesObject> = {},
  make: (
    client: Parameters<typeof createInformer>[0],
    options: ResourceInformerOptions<KubernetesObject>,
  ) => SharedInformer<KubernetesObject> = (client, all) => createInformer<KubernetesObject>(client, pods, all),
) {
  const scheduler = new VirtualTimeScheduler();
  const writes$ = new Subject<ClientWrite>();
  const client = { ...fakeClient(scheduler), writes$ };
  const informer = make(client, { scheduler, random: () => 0.5, parts: [readYourWrites()], ...options });
  const write = (object: KubernetesObject, more: Partial<ClientWrite> = {}): void => {
    const { name = '', namespace = '' } = object.metadata ?? {};
    writes$.next({ verb: 'create', resource: pods, name, namespace, object, ...more });
  };
  let frames = 0;
  const run = (): void => {
    scheduler.maxFrames = frames += 100;
    scheduler.flush();
  };
  return { client, informer, write, run, writes$, source: client.serverOf('pods') };
}

const pod = (name: string, resourceVersion: string, namespace = 'default', rest: object = {}): KubernetesObject => ({
  metadata: { name, namespace, uid: `uid-${name}`, resourceVersion },
  ...rest,
});

describe('readYourWrites', () => {
  it('is off unless it is asked for', () => {
    const { informer, write, run } = faked({ parts: [] });
    informer.start();
    run();
    write(pod('a', '900'));
    expect(informer.lister.list()).toEqual([]);
  });

  it('shows writes to the status and not those to the scale, and none of another version of the resource', () => {
    const { informer, write, writes$, run } = faked();
    informer.start();
    run();
    write(pod('a', '900'), { verb: 'patch', subresource: 'status' });
    writes$.next({ verb: 'replace', resource: pods, subresource: 'scale', namespace: 'default', name: 'b' });
    write(pod('c', '901'), { resource: { ...pods, version: 'v2' } });
    expect(namesOf(informer.lister.list())).toEqual(['a']);
  });

  it('covers the namespaces that count at the time, and compares versions within each', () => {
    const namespace = new BehaviorSubject(['n', 'm']);
    const { informer, write, run, source } = faked({ namespace });
    source.add({ metadata: { namespace: 'm', name: 'there' } });
    informer.start();
    run();
    write(pod('a', '900', 'n'));
    write(pod('b', '901', 'm'));
    write(pod('c', '902', 'other'));
    expect(informer.lister.list().map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`)).toEqual(['m/there', 'n/a', 'm/b']);
    namespace.next(['m']);
    run();
    expect(namesOf(informer.lister.list())).toEqual(['b', 'there']);
    write(pod('d', '903', 'n'));
    namespace.next(['m', 'n']);
    run();
    expect(namesOf(informer.lister.list())).toEqual(['b', 'there']);
  });

  it.each([['n'], [['n', 'm']]] as const)('leaves no ghost of what has come and gone unseen: namespace %j', (namespace) => {
    const { informer, write, run, source } = faked({ namespace });
    const told: string[] = [];
    informer.resource$.subscribe((event) => event.type === 'added' && told.push(namesOf(informer.lister.namespace('n').list()).join()));
    run();
    source.loseEvents(() => {
      write(source.add({ metadata: { namespace: 'n', name: 'brief' } }));
      source.delete('n/brief');
    });
    source.add({ metadata: { namespace: 'm', name: 'other' } });
    expect(namesOf(informer.lister.namespace('n').list())).toEqual(['brief']);
    source.add({ metadata: { namespace: 'n', name: 'last' } });
    source.add({ metadata: { namespace: 'n', name: 'later' } });
    expect(told.slice(-2)).toEqual(['last', 'last,later']);
    expect(namesOf(informer.lister.namespace('n').list())).toEqual(['last', 'later']);
  });

  it('leaves no ghost of what has come and gone unseen in a list of namespaces that says all', () => {
    const { informer, write, run, source } = faked({ namespace: [''] });
    informer.start();
    run();
    source.loseEvents(() => {
      write(source.add({ metadata: { namespace: 'n', name: 'brief' } }));
      source.delete('n/brief');
    });
    expect(namesOf(informer.lister.list())).toEqual(['brief']);
    for (const name of ['last', 'later']) source.add({ metadata: { namespace: 'n', name } });
    expect(namesOf(informer.lister.list())).toEqual(['last', 'later']);
  });

  it('lets everything go when the informer becomes idle, and shows the writes of the next session', () => {
    const { informer, write, writes$, run } = faked();
    const subscription = informer.resource$.subscribe();
    run();
    write(pod('a', '900'));
    subscription.unsubscribe();
    expect([informer.lister.list(), writes$.observed]).toEqual([[], false]);
    write(pod('b', '901'));
    informer.start();
    write(pod('c', '902'));
    expect(namesOf(informer.lister.list())).toEqual(['c']);
    void informer.stop();
    expect([informer.lister.list(), writes$.observed]).toEqual([[], false]);
  });

  it.each([
    ['spec.nodeName=n1', { spec: { nodeName: 'n1' } }, true],
    ['spec.nodeName=n1', { spec: {} }, false],
    ['spec.nodeName!=n1', {}, true],
    // Only the server knows whether a missing field reads as '' or as another value.
    ['spec.nodeName=', {}, false],
    ['spec.hostNetwork!=false', {}, false],
    ['spec.hostNetwork=true', { spec: { hostNetwork: true } }, true],
    ['status.phase=Running,spec.nodeName=n1', { spec: { nodeName: 'n1' }, status: { phase: 'Pending' } }, false],
    ['status.successful=3', { status: { succeeded: 3 } }, true],
  ])('selects by %s as the server does: %j', (fieldSelector, rest, isShown) => {
    const { informer, write, run } = faked({ fieldSelector });
    informer.start();
    run();
    write(pod('a', '900', 'default', rest));
    expect(namesOf(informer.lister.list())).toEqual(isShown ? ['a'] : []);
  });

  it('asks tweakListOptions what it makes of the selectors', () => {
    const { informer, write, run } = faked({
      parts: [readYourWrites(), requests({ tweakListOptions: (request) => ({ ...request, labelSelector: 'app=web' }) })],
    });
    informer.start();
    run();
    write(pod('a', '900'));
    expect(informer.lister.list()).toEqual([]);
  });

  it('shows the metadata alone in an informer for metadata, and the one object of an informer for one', () => {
    const metadata = faked({}, (client, options) =>
      createMetadataInformer(client, pods, options as MetadataInformerOptions<PartialObjectMetadata>),
    );
    metadata.informer.start();
    metadata.run();
    metadata.write(pod('a', '900', 'default', { spec: {} }));
    expect(metadata.informer.lister.list()).toEqual([
      { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: pod('a', '900').metadata },
    ]);
    const { client, write } = faked();
    const object = createObjectInformer(client, pods, 'a', {
      ...inDefault,
      parts: [readYourWrites()],
      scheduler: new VirtualTimeScheduler(),
    });
    object.informer.start();
    write(pod('a', '900'));
    write(pod('b', '901'));
    expect(object.get()?.metadata?.name).toBe('a');
    expect(object.informer.lister.list()).toHaveLength(1);
  });

  it.each([
    [undefined, undefined],
    ['drop', undefined],
    ['keep', [{ manager: 'me' }]],
  ] as const)('treats managedFields as reads do: %s', (managedFields, expected) => {
    const { informer, write, run } = faked({ managedFields });
    informer.start();
    run();
    const { metadata } = pod('a', '900');
    write({ metadata: { ...metadata, managedFields: [{ manager: 'me' }] } });
    expect(informer.lister.get('default/a')?.metadata?.managedFields).toEqual(expected);
  });

  it('is a part of the informers of factories', () => {
    const { client, write } = faked();
    const factory = createInformerFactory(client, { parts: [readYourWrites()], scheduler: new VirtualTimeScheduler() });
    const informer = factory.forResource(pods);
    factory.start();
    write(pod('a', '900'));
    expect(namesOf(informer.lister.list())).toEqual(['a']);
  });

  it.each([
    [
      () => createInformer(fakeClient(new VirtualTimeScheduler()), pods, { parts: [readYourWrites()] }),
      'Expected a client with `writes$` for `readYourWrites`',
    ],
    [
      () => createInformer(fakeClient(new VirtualTimeScheduler()).serverOf('pods'), { parts: [readYourWrites()] }),
      'cannot have the part `readYourWrites`: it is not over a client and a resource',
    ],
  ])('refuses what cannot be: %#', (make, message) => {
    expect(make).toThrow(message);
  });
});
