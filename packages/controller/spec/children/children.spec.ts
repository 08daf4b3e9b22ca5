import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  createInformer,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  resources,
  type SharedInformer,
} from 'rx-informer';
import { NEVER } from 'rxjs';
import { readYourWrites } from 'rx-informer/pipeline';
import { apiVersionOf } from '../../../../src/api/resource.js';
import { children, type ChildrenOptions } from '../../src/children/children.js';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { bodies } from './bodies.js';

const { configmaps, secrets, namespaces } = resources.core.v1;
const across = { name: 'example.com/site', parent: configmaps };
const fieldManager = 'operator';

describe('children', () => {
  let server: RunningApiServer;
  let client: KubeClient;
  /** That of the case: all cases are on one server, since a real one starts in seconds. */
  let namespace: string;
  let cases = 0;
  const informers: SharedInformer<KubernetesObject>[] = [];

  beforeAll(async () => {
    server = await startEitherApiServer();
    ({ client } = server);
  });
  beforeEach(async () => {
    cases += 1;
    namespace = `case-${String(cases)}`;
    await client.create(namespaces, { metadata: { name: namespace } });
  });
  afterEach(() => Promise.all(informers.splice(0).map((informer) => informer.stop())));
  afterAll(() => server.close());

  const child = (name: string, data: object = {}, where = namespace): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: where },
    ...data,
  });
  const makeParent = async (): Promise<KubernetesObject> => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...(await client.create(configmaps, { metadata: { name: 'site', namespace } })),
  });
  const parentNow = async (): Promise<KubernetesObject> => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    ...(await client.get(configmaps, 'site', { namespace })),
  });
  const cached = async (resource: Resource<KubernetesObject>, options: object = {}): Promise<ChildrenOptions['of'][number]> => {
    const informer = createInformer<KubernetesObject>(client, resource, { parts: [readYourWrites()], ...options });
    informers.push(informer);
    await informer.whenSynced();
    return { resource, informer };
  };
  const names = async (where = namespace): Promise<unknown[]> =>
    (await client.list(secrets, { namespace: where })).items.map(({ metadata }) => metadata?.name);
  /** Counts what is written from now on. */
  const writes = (): string[] => {
    const sent: string[] = [];
    client.writes$.subscribe(({ verb, resource }) => sent.push(`${verb} ${resource.plural}`));
    return sent;
  };

  it.each(['with an informer', 'without'])('applies what differs and deletes what is not wanted any more, %s', async (how) => {
    const parent = await makeParent();
    const of = [how === 'without' ? secrets : await cached(secrets)];
    const options = { of, fieldManager };
    await client.create(secrets, child('foreign'));
    expect(await children(client, parent, [child('a'), child('b')], options)).toEqual({
      applied: [`secrets ${namespace}/a`, `secrets ${namespace}/b`],
      deleted: [],
      unchanged: [],
    });
    expect((await client.get(secrets, 'a', { namespace })).metadata?.ownerReferences).toMatchObject([{ name: 'site', controller: true }]);
    const dryRun = await children(client, parent, [child('b', { data: { k: 'dg==' } }), child('c')], { ...options, dryRun: true });
    expect(dryRun).toEqual({
      applied: [`secrets ${namespace}/b`, `secrets ${namespace}/c`],
      deleted: [`secrets ${namespace}/a`],
      unchanged: [],
    });
    expect(await names()).toEqual(['a', 'b', 'foreign']);
    if (how !== 'without') await new Promise((resolve) => setImmediate(resolve));
    expect(await children(client, parent, [child('b', { data: { k: 'dg==' } }), child('c')], options)).toEqual(dryRun);
    expect(await names()).toEqual(['b', 'c', 'foreign']);
  });

  it('refuses what belongs to another parent, and what it does not look after', async () => {
    const parent = await makeParent();
    const options = { of: [await cached(secrets)], fieldManager };
    await children(client, parent, [child('a')], options);
    const other = { ...parent, metadata: { ...parent.metadata, name: 'other', uid: 'u9' } };
    await expect(children(client, other, [child('a')], options)).rejects.toThrow('is controlled by ConfigMap site already');
    await expect(children(client, parent, [{ ...child('a'), kind: 'Pod' }], options)).rejects.toThrow(
      'Expected each child to have apiVersion and kind of a resource in `of` (v1 Secret), got "v1" "Pod"',
    );
    await expect(children(client, parent, [child('a'), child('a', { b: 'c' })], options)).rejects.toThrow(
      `Expected one child secrets ${namespace}/a, got two`,
    );
    await expect(children(client, parent, [child('a', {}, 'kube-system')], options)).rejects.toThrow(
      `Expected the option \`across\` of \`children\`: secrets kube-system/a is not in the namespace of its parent, ${namespace}`,
    );
    expect(() => children(client, {}, [], options)).toThrow('Expected `parent` of `children` to have a uid');
  });

  it.each<[object, string]>([
    [{ nam: 'example.com/site', parent: configmaps }, 'Unknown option `nam` of `children.across`'],
    [{ parent: configmaps }, 'Expected `name` of `children.across` to be a non-empty string, got undefined'],
    [{ name: 'example.com/site', parent: 'configmaps' }, 'Expected `parent` of `children.across` to be a resource, got "configmaps"'],
  ])('refuses a wrong `across`: %j', async (wrong, message) => {
    const parent = await makeParent();
    expect(() => children(client, parent, [], { of: [secrets], fieldManager, across: wrong as never })).toThrow(message);
  });

  it('keeps children outside of the namespace by label, and deletes them before the parent goes', async () => {
    await client.create(namespaces, { metadata: { name: 'far' } });
    const of = [await cached(secrets)];
    const options = { of, fieldManager, across };
    await children(client, await makeParent(), [child('a', {}, 'far'), child('b', {}, 'far'), child('near')], options);
    expect([await names('far'), (await parentNow()).metadata?.finalizers]).toEqual([['a', 'b'], [across.name]]);
    await children(client, await parentNow(), [child('a', {}, 'far')], options);
    expect([await names('far'), await names()]).toEqual([['a'], []]);
    await client.delete(configmaps, 'site', { namespace });
    const first = await children(client, await parentNow(), [child('a', {}, 'far')], options);
    expect([first.deleted, await names('far')]).toEqual([['secrets far/a'], []]);
    // The cache learns of it; the next call lets the parent go.
    while ((await client.list(configmaps, { fieldSelector: 'metadata.name=site', namespace })).items.length > 0)
      await children(client, await parentNow(), [], options);
    expect((await client.list(configmaps, { fieldSelector: 'metadata.name=site', namespace })).items).toEqual([]);
  });

  it('gives children outside of the namespace to their parent when it was made again, and to no other one', async () => {
    await client.create(namespaces, { metadata: { name: 'again' } });
    const options = { of: [await cached(secrets)], fieldManager, across };
    await children(client, await makeParent(), [child('a', {}, 'again')], options);
    await client.patch(configmaps, 'site', 'merge', { metadata: { finalizers: null } }, { namespace });
    await client.delete(configmaps, 'site', { namespace });
    const parent = await makeParent();
    const other = { ...parent, metadata: { ...parent.metadata, name: 'other', uid: 'u9', finalizers: [across.name] } };
    await expect(children(client, other, [child('a', {}, 'again')], options)).rejects.toThrow(
      'secrets again/a is a child of another parent',
    );
    const ofKind = { ...options, across: { ...across, parent: secrets } };
    const sameName = { ...parent, kind: 'Secret', metadata: { ...parent.metadata, uid: 'u8', finalizers: [across.name] } };
    await expect(children(client, sameName, [child('a', {}, 'again')], ofKind)).rejects.toThrow('is a child of another parent');
    await children(client, parent, [child('a', {}, 'again')], options);
    expect((await client.get(secrets, 'a', { namespace: 'again' })).metadata?.labels).toEqual({ [across.name]: parent.metadata?.uid });
  });

  it.each(['with an informer', 'without'])(
    'deletes what an earlier parent of the key has left, but not for one that is gone, %s',
    async (how) => {
      const far = `left-${String(cases)}`;
      await client.create(namespaces, { metadata: { name: far } });
      const options = { of: [how === 'without' ? secrets : await cached(secrets)], fieldManager, across };
      const first = await makeParent();
      await children(client, first, [child('a', {}, far), child('b', {}, far)], options);
      await children(
        client,
        { ...(await client.create(configmaps, { metadata: { name: 'other', namespace } })), kind: 'ConfigMap', apiVersion: 'v1' },
        [child('theirs', {}, far)],
        options,
      );
      await client.patch(configmaps, 'site', 'merge', { metadata: { finalizers: null } }, { namespace });
      await client.delete(configmaps, 'site', { namespace });
      const gone = { ...first, metadata: { ...first.metadata, uid: 'u0', finalizers: [across.name] } };
      expect((await children(client, gone, [], options)).deleted).toEqual([]);
      await makeParent();
      expect((await children(client, gone, [], options)).deleted).toEqual([]);
      const { applied, deleted } = await children(client, await parentNow(), [child('a', {}, far)], options);
      expect([applied, deleted, await names(far)]).toEqual([[`secrets ${far}/a`], [`secrets ${far}/b`], ['a', 'theirs']]);
      await children(
        client,
        { ...(await parentNow()), metadata: { ...(await parentNow()).metadata, uid: 'u1', deletionTimestamp: '2026-01-01T00:00:00Z' } },
        [],
        options,
      );
      expect(await names(far)).toEqual(['a', 'theirs']);
    },
  );

  it('lets no parent go before a child that the cache has not seen yet', async () => {
    await client.create(namespaces, { metadata: { name: 'behind' } });
    const behind = createInformer<KubernetesObject>(NEVER, { resource: 'secrets' });
    const options = { of: [{ resource: secrets, informer: behind }], fieldManager, across };
    await children(client, await makeParent(), [child('a', {}, 'behind')], options);
    await client.delete(configmaps, 'site', { namespace });
    const first = await children(client, await parentNow(), [], options);
    expect([first.deleted, await names('behind'), (await parentNow()).metadata?.finalizers]).toEqual([
      ['secrets behind/a'],
      [],
      [across.name],
    ]);
    await children(client, await parentNow(), [], options);
    expect((await client.list(configmaps, { fieldSelector: 'metadata.name=site', namespace })).items).toEqual([]);
  });

  it('goes by its cache where it may not list children in all namespaces', async () => {
    const asked: unknown[] = [];
    const limited = {
      ...client,
      list: (resource: Resource<KubernetesObject>, selection: object) => {
        asked.push(selection);
        return Promise.reject(new ApiError({ code: 403, message: 'no', status: { reason: 'Forbidden' } }));
      },
    } as unknown as KubeClient;
    await client.create(namespaces, { metadata: { name: 'limited' } });
    const options = { of: [await cached(secrets, { namespace: 'limited' })], fieldManager, across };
    await children(client, await makeParent(), [child('a', {}, 'limited')], options);
    await client.delete(configmaps, 'site', { namespace });
    const { deleted } = await children(limited, await parentNow(), [], options);
    expect([deleted, asked.length]).toEqual([['secrets limited/a'], 1]);
  });

  describe.each(bodies)('%s', (_, resource, body) => {
    const desired = (): KubernetesObject => {
      const { metadata, ...rest } = body as KubernetesObject;
      return {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata: { ...metadata, name: 'child', namespace },
        ...rest,
      };
    };

    it('is applied once, and again when somebody has changed it', async () => {
      const parent = await makeParent();
      const of = [await cached(resource)];
      expect((await children(client, parent, [desired()], { of, fieldManager })).applied).toHaveLength(1);
      const sent = writes();
      expect((await children(client, parent, [desired()], { of, fieldManager })).unchanged).toHaveLength(1);
      const where = { namespace };
      await client.patch(resource, 'child', 'merge', { metadata: { labels: { theirs: 'yes' } } }, where);
      await client.patch(resource, 'child', 'merge', { metadata: { ownerReferences: null } }, where);
      expect(sent).toHaveLength(2);
      expect((await children(client, parent, [desired()], { of, fieldManager })).applied).toHaveLength(1);
      expect((await children(client, parent, [desired()], { of, fieldManager })).unchanged).toHaveLength(1);
      expect((await client.get(resource, 'child', where)).metadata?.labels).toMatchObject({ theirs: 'yes' });
    });
  });

  it('sends nothing after a restart for most bodies, where the cache keeps managedFields', async () => {
    const parent = await makeParent();
    const again: string[] = [];
    let count = 0;
    for (const [what, resource, body] of bodies) {
      const { metadata, ...rest } = body as KubernetesObject;
      count += 1;
      const name = `child-${String(count)}`;
      const object = {
        apiVersion: apiVersionOf(resource),
        kind: resource.kind,
        metadata: { ...metadata, name, namespace },
        ...rest,
      };
      await children(client, parent, [object], { of: [resource], fieldManager });
      // Another client has no memory of what was applied.
      const restarted = Object.create(client) as KubeClient;
      const { applied } = await children(restarted, parent, [object], {
        of: [await cached(resource, { managedFields: 'keep' })],
        fieldManager,
      });
      if (applied.length > 0) again.push(what);
      await client.delete(resource, name, { namespace });
    }
    // What the server fills in inside of atomic fields, or moves elsewhere.
    expect(again).toEqual(['stringData', 'limits', 'env from fields', 'tolerations', 'a stateful set with claims']);
  });
});
