import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../support/httpClient.js';
import { itControlled, itEmbedded, openTarget, status, type Target } from '../support/target.js';
import { brief } from '../support/watchReader.js';

describe('delete', () => {
  let target: Target;
  let namespace: string;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    namespace = await target.namespace();
    path = `/api/v1/namespaces/${namespace}/secrets`;
  });
  afterAll(() => target.close());
  const create = (metadata: object): Promise<AnyJson> => target.post(path, { metadata });

  it('answers with a Status that names the uid, and takes options without a kind (row 75)', async () => {
    const { metadata } = await create({ name: 'a' });
    const { code, json } = await target.request(`${path}/a`, { method: 'DELETE', body: { propagationPolicy: 'Background' } });
    expect(code).toBe(200);
    expect(json).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'secrets', uid: metadata.uid },
    });
    expect((await target.request(`${path}/a`)).code).toBe(404);
  });

  it.each([
    ['services', { spec: { ports: [{ port: 80 }] } }, 'Service'],
    ['serviceaccounts', {}, 'ServiceAccount'],
    ['podtemplates', { template: { spec: { containers: [{ name: 'c', image: 'i' }] } } }, 'PodTemplate'],
  ])('answers with the object for %s (row 75)', async (plural, rest, kind) => {
    const collection = `/api/v1/namespaces/${namespace}/${plural}`;
    await target.post(collection, { metadata: { name: 'a' }, ...rest });
    expect(await target.delete(`${collection}/a`)).toMatchObject({ kind, metadata: { name: 'a' } });
  });

  it('holds the preconditions against the object (row 76)', async () => {
    const { metadata } = await create({ name: 'b' });
    const remove = async (preconditions: object): Promise<AnyJson> =>
      (await target.request(`${path}/b`, { method: 'DELETE', body: { preconditions } })).json;
    const cannot = 'Operation cannot be fulfilled on Secret "b": the';
    const uid = `${cannot} UID in the precondition (bad) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    expect(await remove({ uid: 'bad' })).toMatchObject(status(409, 'Conflict', uid, { details: { name: 'b', kind: 'Secret' } }));
    const version = `${cannot} ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    expect(await remove({ resourceVersion: '1' })).toMatchObject(status(409, 'Conflict', version));
    expect(await remove({ uid: metadata.uid, resourceVersion: metadata.resourceVersion })).toMatchObject({ status: 'Success' });
  });

  it('holds preconditions of the query against the object, too (row 76)', async () => {
    await target.request(path, { method: 'POST', body: { metadata: { name: 'queried' } } });
    const remove = async (query: string): Promise<number> => (await target.request(`${path}/queried?${query}`, { method: 'DELETE' })).code;
    const codes = [await remove('uid=bad'), await remove('resourceVersion=1'), await remove('uid=&resourceVersion=')];
    expect(codes).toEqual([409, 409, 200]);
  });

  it('refuses policies that contradict each other or do not exist (row 77)', async () => {
    await create({ name: 'b' });
    const both = await target.request(`${path}/b`, { method: 'DELETE', body: { orphanDependents: true, propagationPolicy: 'Background' } });
    const options = 'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy:';
    expect(both.json.message).toBe(`${options} Invalid value: "Background": orphanDependents and deletionPropagation cannot be both set`);
    const bogus = await target.request(`${path}/b?propagationPolicy=Bogus`, { method: 'DELETE' });
    expect(bogus.json).toMatchObject(
      status(422, 'Invalid', `${options} Unsupported value: "Bogus": supported values: "Foreground", "Background", "Orphan", "nil"`),
    );
  });

  it.each([
    ['Foreground', 'foregroundDeletion'],
    ['Orphan', 'orphan'],
  ])('with the policy %s marks the object for the garbage collector first (row 77)', async (policy, finalizer) => {
    await create({ name: 'b' });
    const marked = await target.delete(`${path}/b?propagationPolicy=${policy}`);
    expect(marked).toMatchObject({
      kind: 'Secret',
      metadata: { deletionTimestamp: expect.any(String), deletionGracePeriodSeconds: 0, finalizers: [finalizer] },
    });
  });

  it('of an object with finalizers marks it, and the last one removed deletes it (rows 25, 80)', async () => {
    const { metadata } = await create({ name: 'fin', finalizers: ['example.com/f'] });
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const marked = await target.delete(`${path}/fin`);
    expect(marked.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 0,
      finalizers: ['example.com/f'],
    });
    expect((await target.delete(`${path}/fin`)).metadata).toEqual(marked.metadata);
    const released = await target.merge(`${path}/fin`, { metadata: { finalizers: [] } });
    expect(released.metadata.resourceVersion).toBe(marked.metadata.resourceVersion);
    const [first, second] = await watch.take(2);
    expect(first && brief(first)).toBe(`MODIFIED fin@${marked.metadata.resourceVersion}`);
    expect(second).toMatchObject({ type: 'DELETED', object: { metadata: { deletionTimestamp: marked.metadata.deletionTimestamp } } });
    expect(Number(second?.object.metadata.resourceVersion)).toBeGreaterThan(Number(marked.metadata.resourceVersion));
    expect((await target.request(`${path}/fin`)).code).toBe(404);
    watch.close();
  });

  it('lets no finalizer be added any more (row 81)', async () => {
    await create({ name: 'fin', finalizers: ['example.com/f'] });
    await target.delete(`${path}/fin`);
    const init = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const { json } = await target.request(`${path}/fin`, {
      ...init,
      body: { metadata: { finalizers: ['example.com/f', 'example.com/g'] } },
    });
    const detail = 'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/g"}';
    expect(json).toMatchObject(status(422, 'Invalid', `Secret "fin" is invalid: metadata.finalizers: Forbidden: ${detail}`));
    await target.merge(`${path}/fin`, { metadata: { finalizers: null } });
  });

  it('of a collection deletes what is selected, and answers with the list (row 79)', async () => {
    for (const name of ['d1', 'd2']) await create({ name, labels: { z: '1' } });
    const { metadata } = await create({ name: 'kept' });
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const list = await target.delete(`${path}?labelSelector=z%3D1`);
    expect(list).toMatchObject({
      kind: 'SecretList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'd1' } }, { metadata: { name: 'd2' } }],
    });
    expect((await watch.take(2)).map(({ type }) => type)).toEqual(['DELETED', 'DELETED']);
    expect((await target.delete(`${path}?labelSelector=z%3D1`)).items).toEqual([]);
    expect((await target.must(path)).items).toHaveLength(1);
    watch.close();
  });

  it('says what cannot be found (3.6)', async () => {
    expect((await target.request(`${path}/nope`, { method: 'DELETE' })).json).toMatchObject(
      status(404, 'NotFound', 'secrets "nope" not found'),
    );
  });
});

describe('delete of pods', () => {
  let target: Target;
  let path: string;
  const pod = (name: string, spec: object = {}): object => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  });
  beforeAll(async () => {
    target = await openTarget({ gracefulDeletionMs: Infinity });
  });
  beforeEach(async () => {
    path = `/api/v1/namespaces/${await target.namespace()}/pods`;
  });
  afterAll(() => target.close());

  it('removes a pod that is on no node at once, announced by a MODIFIED (row 78)', async () => {
    const { metadata } = await target.post(path, pod('g', { nodeName: undefined }));
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const answer = await target.delete(`${path}/g?gracePeriodSeconds=0`);
    expect(answer).toMatchObject({ kind: 'Pod', metadata: { deletionGracePeriodSeconds: 0 } });
    expect((await watch.next(({ type }) => type === 'DELETED')).object.metadata.name).toBe('g');
    expect((await target.request(`${path}/g`)).code).toBe(404);
    watch.close();
  });

  itEmbedded('gives a pod on a node its grace period, which can only get shorter (row 78)', async () => {
    await target.post(path, pod('g', { nodeName: 'n1' }));
    const first = await target.delete(`${path}/g`);
    expect(first.metadata.deletionGracePeriodSeconds).toBe(30);
    const again = await target.delete(`${path}/g`);
    expect(again.metadata).toEqual(first.metadata);
    const longer = await target.delete(`${path}/g?gracePeriodSeconds=60`);
    expect(longer.metadata).toEqual(first.metadata);
    const shorter = await target.delete(`${path}/g?gracePeriodSeconds=5`);
    expect(shorter.metadata.deletionGracePeriodSeconds).toBe(5);
    const moved = Date.parse(first.metadata.deletionTimestamp ?? '') - Date.parse(shorter.metadata.deletionTimestamp ?? '');
    expect(moved).toBe(25_000);
    await target.delete(`${path}/g?gracePeriodSeconds=0`);
    expect((await target.request(`${path}/g`)).code).toBe(404);
  });

  itEmbedded('removes a pod by itself when its grace period has passed (3.6)', async () => {
    const own = await openTarget();
    const pods = `/api/v1/namespaces/${await own.namespace()}/pods`;
    const { metadata } = await own.post(pods, pod('g', { nodeName: 'n1', terminationGracePeriodSeconds: 1 }));
    const watch = await own.watch(`${pods}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await own.delete(`${pods}/g`);
    expect((await watch.take(2)).map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    watch.close();
    await own.close();
  });
});

describe('delete of namespaces', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  itControlled('says Terminating, deletes what is inside, and is gone then (row 92)', async () => {
    const namespace = await target.namespace();
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await target.post(secrets, { metadata: { name: 'a' } });
    const { metadata } = await target.post(secrets, { metadata: { name: 'kept', finalizers: ['example.com/f'] } });
    const watch = await target.watch(`${secrets}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    const all = await target.watch(
      `/api/v1/namespaces?watch=true&resourceVersion=${metadata.resourceVersion}&fieldSelector=metadata.name%3D${namespace}`,
    );
    const marked = await target.delete(`/api/v1/namespaces/${namespace}`);
    expect(marked).toMatchObject({
      kind: 'Namespace',
      status: { phase: 'Terminating' },
      metadata: { deletionTimestamp: expect.any(String) },
    });
    expect((await watch.next(({ type }) => type === 'DELETED')).object.metadata.name).toBe('a');
    expect((await target.must(`/api/v1/namespaces/${namespace}`)).status).toMatchObject({ phase: 'Terminating' });
    await target.merge(`${secrets}/kept`, { metadata: { finalizers: null } });
    expect((await all.next(({ type }) => type === 'DELETED')).object.metadata.name).toBe(namespace);
    expect((await target.request(`/api/v1/namespaces/${namespace}`)).code).toBe(404);
    watch.close();
    all.close();
  });

  it('knows the namespaces of a new cluster, and keeps them (row 94)', async () => {
    const { items } = await target.must('/api/v1/namespaces');
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['default', 'kube-node-lease', 'kube-public', 'kube-system']),
    );
    expect(items.find(({ metadata }) => metadata.name === 'default')).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const { json } = await target.request('/api/v1/namespaces/default?dryRun=All', { method: 'DELETE' });
    expect(json).toMatchObject(status(403, 'Forbidden', 'namespaces "default" is forbidden: this namespace may not be deleted'));
    expect((await target.request('/api/v1/namespaces?dryRun=All', { method: 'DELETE' })).json).toMatchObject({
      code: 405,
      reason: 'MethodNotAllowed',
    });
  });
});

describe('garbage collection', () => {
  let target: Target;
  let path: string;
  beforeAll(async () => {
    target = await openTarget();
  });
  beforeEach(async () => {
    path = await target.secrets();
  });
  afterAll(() => target.close());
  const owned = async (name: string, ...owners: readonly AnyJson[]): Promise<AnyJson> => {
    const ownerReferences = owners.map(({ metadata }) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      name: metadata.name,
      uid: metadata.uid,
      blockOwnerDeletion: true,
    }));
    return target.post(path, { metadata: { name, ownerReferences } });
  };
  const deletions = async (version: string, count: number): Promise<readonly string[]> => {
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${version}`);
    const names: string[] = [];
    while (names.length < count) names.push((await watch.next(({ type }) => type === 'DELETED')).object.metadata.name);
    watch.close();
    return names;
  };

  itControlled('deletes dependents whose owner never existed (row 93)', async () => {
    const owner = await owned('real');
    const { metadata } = owner;
    const wrong = { ...owner, metadata: { ...metadata, uid: '11111111-1111-1111-1111-111111111111' } };
    const child = await owned('orphan', wrong);
    await owned('shared', owner, wrong);
    expect(await deletions(child.metadata.resourceVersion, 1)).toEqual(['orphan']);
    // Only the reference to the missing owner is removed.
    const left = async (): Promise<number | undefined> => (await target.must(`${path}/shared`)).metadata.ownerReferences?.length;
    while ((await left()) !== 1);
    await target.delete(`${path}/shared`);
    await target.delete(`${path}/real`);
  });

  itControlled('deletes dependents in the background, after their owner (row 93)', async () => {
    const owner = await owned('owner');
    const child = await owned('child', owner);
    const { metadata } = await owned('grandchild', child);
    await target.delete(`${path}/owner`);
    expect(await deletions(metadata.resourceVersion, 3)).toEqual(['owner', 'child', 'grandchild']);
  });

  itControlled('deletes dependents in the foreground, before their owner (row 93)', async () => {
    const owner = await owned('owner');
    const child = await owned('child', owner);
    const { metadata } = await owned('grandchild', child);
    await target.delete(`${path}/owner?propagationPolicy=Foreground`);
    expect(await deletions(metadata.resourceVersion, 3)).toEqual(['grandchild', 'child', 'owner']);
  });

  itControlled('leaves orphans behind when asked to (row 93)', async () => {
    const owner = await owned('owner');
    const { metadata } = await owned('child', owner);
    await target.delete(`${path}/owner?propagationPolicy=Orphan`);
    expect(await deletions(metadata.resourceVersion, 1)).toEqual(['owner']);
    const child = await target.must(`${path}/child`);
    expect(child.metadata).not.toHaveProperty('ownerReferences');
  });

  itControlled('keeps a dependent that has another owner (row 93)', async () => {
    const [a, b] = [await owned('a'), await owned('b')];
    const { metadata } = await owned('child', a, b);
    const watch = await target.watch(`${path}?watch=true&resourceVersion=${metadata.resourceVersion}`);
    await target.delete(`${path}/a`);
    const { object } = await watch.next(({ type }) => type === 'MODIFIED');
    expect(object.metadata.ownerReferences).toMatchObject([{ name: 'b' }]);
    watch.close();
  });
});
