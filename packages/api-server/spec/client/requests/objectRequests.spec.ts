import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isTransformed } from '../../../../../src/api/transformed.js';
import {
  createInformer,
  createInformerFactory,
  createMetadataInformer,
  edit,
  type KubeClient,
  type KubernetesObject,
  type ResourceInformerOptions,
  resources,
  type SharedInformer,
  type V1ConfigMap,
} from 'rx-informer';
import { readYourWrites, createDeltaFifo, createIndexer } from 'rx-informer/pipeline';
import { ensureFinalizer, setControllerReference } from '@rx-informer/controller';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';

const { configmaps } = resources.core.v1;
const inDefault = { namespace: 'default' };
const settings: V1ConfigMap = { metadata: { name: 'a', ...inDefault }, data: { small: 'b', big: 'c' } };

const refusal =
  'Expected the replacement of default/a of configmaps to be a complete object of the server, got the result of a `transform`: the server would ' +
  'delete the fields that are missing in it. Send the patch of `edit`, or change and replace the result of `client.get`; `allowTransformed: true` sends it as it is';

/** Makes a smaller copy. */
const trim = ({ data: { big: _, ...data } = {}, ...rest }: V1ConfigMap): V1ConfigMap => ({ ...rest, data });

/** Modifies its argument. */
function trimInPlace(object: V1ConfigMap): V1ConfigMap {
  delete (object.data as Record<string, string>)['big'];
  return object;
}

describe('replace', () => {
  let server: TestApiServer;
  let client: KubeClient;
  const informers: { stop(): Promise<void> }[] = [];

  beforeEach(async () => {
    server = await startApiServer({ managedFields: true });
    ({ client } = server);
    await client.create(configmaps, settings, { fieldManager: 'spec' });
  });

  afterEach(async () => {
    await Promise.all(informers.splice(0).map((informer) => informer.stop()));
    await server.close();
  });

  async function synced<T extends KubernetesObject>(informer: SharedInformer<T>): Promise<SharedInformer<T>> {
    informers.push(informer);
    await informer.whenSynced();
    return informer;
  }

  async function cached(options: ResourceInformerOptions<V1ConfigMap> = {}): Promise<V1ConfigMap> {
    return (await synced(createInformer(client, configmaps, options))).lister.getOrThrow('default/a');
  }

  const stored = (): Promise<V1ConfigMap> => client.get(configmaps, 'a', inDefault);

  it.each<[string, ResourceInformerOptions<V1ConfigMap>]>([
    ['that is a copy', { transform: trim }],
    ['that was changed in place', { transform: trimInPlace }],
    ['of a WatchList', { transform: trim, listStrategy: 'watchList' }],
    ['in production', { transform: trim, freeze: false }],
  ])('refuses what a transform made, %s', async (_, options) => {
    const object = await cached(options);
    expect(object.data).toEqual({ small: 'b' });
    await expect(client.replace(configmaps, object)).rejects.toThrow(new TypeError(refusal));
    await expect(client.status.replace(configmaps, object)).rejects.toThrow(new TypeError(refusal));
    expect((await stored()).data).toEqual(settings.data);
  });

  it('refuses every later version as well', async () => {
    const informer = await synced(createInformer(client, configmaps, { transform: trim }));
    const updated = new Promise<V1ConfigMap>((resolve) => {
      informer.resource$.subscribe((event) => event.type === 'updated' && resolve(event.object));
    });
    await client.patch(configmaps, 'a', 'merge', { data: { small: 'd' } }, inDefault);
    await expect(client.replace(configmaps, await updated)).rejects.toThrow(new TypeError(refusal));
  });

  it('refuses the copies that edit and the helpers make', async () => {
    const object = await cached({ transform: trim });
    const { object: edited, patch } = edit(object, (draft) => void (draft.data = { ...draft.data, small: 'd' }));
    await expect(client.replace(configmaps, edited)).rejects.toThrow(new TypeError(refusal));
    await expect(client.replace(configmaps, edit(edited, (draft) => void (draft.immutable = true)).object)).rejects.toThrow(refusal);
    await expect(client.replace(configmaps, ensureFinalizer(object, 'example.com/x').object)).rejects.toThrow(refusal);
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'o', uid: 'u', ...inDefault } };
    await expect(client.replace(configmaps, setControllerReference(object, owner))).rejects.toThrow(refusal);

    await client.patch(configmaps, 'a', 'json', patch, inDefault);
    expect((await stored()).data).toEqual({ small: 'd', big: 'c' });
  });

  it('refuses what a lister shows of own writes, and what a factory with a transform has', async () => {
    const factory = createInformerFactory(client, { transform: (object) => ({ ...object }) });
    expect(isTransformed((await synced(factory.forResource(configmaps))).lister.getOrThrow('default/a'))).toBe(true);
    const { lister } = await synced(createInformer(client, configmaps, { transform: trim, parts: [readYourWrites()] }));
    await client.patch(configmaps, 'a', 'merge', { data: { small: 'd' } }, inDefault);
    const shown = lister.getOrThrow('default/a');
    expect(shown.data).toEqual({ small: 'd' });
    await expect(client.replace(configmaps, shown)).rejects.toThrow(new TypeError(refusal));
  });

  it('refuses what a transform made for several objects alike', async () => {
    await client.create(configmaps, { metadata: { name: 'b', ...inDefault } });
    const same: V1ConfigMap = { data: {} };
    const { lister } = await synced(createInformer<V1ConfigMap>(client, configmaps, { transform: () => same }));
    expect(lister.list().map(isTransformed)).toEqual([true, true]);
  });

  it('refuses what the transform of a store or a queue made', async () => {
    const indexer = createIndexer<V1ConfigMap>({ transform: trim });
    const fifo = createDeltaFifo<V1ConfigMap>({ transform: trim });
    const object = await stored();
    indexer.add(object);
    fifo.add(object);
    await expect(client.replace(configmaps, indexer.getByKey('default/a') ?? {})).rejects.toThrow(refusal);
    await expect(client.replace(configmaps, fifo.getByKey('default/a')?.[0]?.object ?? {})).rejects.toThrow(refusal);
  });

  it('sends it where that is allowed', async () => {
    const object = await cached({ transform: trim });
    await client.replace(configmaps, object, { allowTransformed: true });
    expect((await stored()).data).toEqual({ small: 'b' });
  });

  it('takes an object without a transform, and one that edit made of it; managedFields that were dropped stay on the server', async () => {
    const object = await cached();
    expect(object.metadata?.managedFields).toBeUndefined();
    await client.replace(configmaps, edit(object, (draft) => void (draft.data = { small: 'd' })).object);
    const { data, metadata } = await stored();
    expect(data).toEqual({ small: 'd' });
    expect(metadata?.managedFields).toContainEqual(expect.objectContaining({ manager: 'spec' }));
  });

  it('refuses the metadata alone, allowed or not', async () => {
    const informer = await synced(createMetadataInformer(client, configmaps));
    const object = informer.lister.getOrThrow('default/a');
    const { object: edited } = edit(object, (draft) => void (draft.metadata.labels = { a: 'b' }));
    for (const each of [object, edited, { ...object }]) {
      await expect(client.replace(configmaps, each as V1ConfigMap, { allowTransformed: true })).rejects.toThrow(
        new TypeError(
          'Expected the replacement of default/a of configmaps to be a complete object of the server, got its metadata alone: the server would ' +
            'delete all other fields. Send the patch of `edit`, or change and replace the result of `client.get`',
        ),
      );
    }
    expect((await stored()).data).toEqual(settings.data);
  });
});
