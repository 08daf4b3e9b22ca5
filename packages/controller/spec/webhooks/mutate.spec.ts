import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { edit, type KubeClient, resources, type V1ConfigMap } from 'rx-informer';
import { type RunningApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { breaches } from '../../src/webhooks/breaches.js';
import { type InstalledWebhooks, installWebhooks } from '../../src/webhooks/installWebhooks.js';
import { mutate } from '../../src/webhooks/mutate.js';
import { validate } from '../../src/webhooks/validate.js';
import { servedOf, type Webhook } from '../../src/webhooks/webhook.js';

const { configmaps } = resources.core.v1;
const inDefault = { namespace: 'default' };
const settings: V1ConfigMap = { metadata: { name: 'settings', ...inDefault, labels: { a: '1' } }, data: { mode: 'fast' } };
const silent = { info: () => undefined, error: () => undefined };

/** Sets a default, by `edit`. */
const withDefault = mutate(configmaps, ({ object }) =>
  edit(object, (draft) => {
    draft.data = { colour: 'blue', ...draft.data };
  }),
);

describe('mutate', () => {
  let server: RunningApiServer;
  let client: KubeClient;
  let installed: InstalledWebhooks | undefined;

  beforeEach(async () => {
    server = await startEitherApiServer();
    ({ client } = server);
  });
  afterEach(async () => {
    await installed?.close();
    await server.close();
  });

  const install = async (...webhooks: Webhook[]): Promise<void> => {
    installed = await installWebhooks(client, webhooks, { logger: silent });
  };
  const created = (webhook: Webhook): Promise<V1ConfigMap> => install(webhook).then(() => client.create(configmaps, settings));

  it('changes what is stored, by what `edit` returns', async () => {
    expect((await created(withDefault)).data).toEqual({ colour: 'blue', mode: 'fast' });
    await client.patch(configmaps, 'settings', 'merge', { data: { colour: null } }, inDefault);
    expect((await client.get(configmaps, 'settings', inDefault)).data).toEqual({ colour: 'blue', mode: 'fast' });
  });

  it('changes what is stored, by a changed object', async () => {
    const object = await created(mutate(configmaps, (request) => ({ ...request.object, data: { changed: 'yes' } })));
    expect(object.data).toEqual({ changed: 'yes' });
    expect(object.metadata?.labels).toEqual({ a: '1' });
  });

  it('changes nothing when the function returns nothing, and sends no patch', async () => {
    const nothing = mutate(configmaps, () => undefined);
    expect((await created(nothing)).data).toEqual({ mode: 'fast' });
    const same = mutate(configmaps, ({ object }) => object);
    const request = { uid: '1', operation: 'CREATE', object: settings };
    const { response } = await servedOf(same).answer(request, { signal: new AbortController().signal });
    expect(response).toEqual({ allowed: true });
  });

  it('may change and warn, or refuse', async () => {
    await install(
      mutate(configmaps, ({ object }) =>
        object.data?.['mode'] === 'slow' ? { deny: 'too slow' } : { object: { ...object, data: {} }, warnings: ['emptied'] },
      ),
    );
    expect((await client.create(configmaps, settings)).data ?? {}).toEqual({});
    const refused = client.create(configmaps, { metadata: { name: 'b', ...inDefault }, data: { mode: 'slow' } });
    await expect(refused).rejects.toMatchObject({ code: 403 });
  });

  it('runs before what validates, which sees the changed object', async () => {
    const seen: unknown[] = [];
    await install(
      withDefault,
      validate(configmaps, ({ object }) => void seen.push(object.data)),
    );
    await client.create(configmaps, settings);
    expect(seen).toEqual([{ colour: 'blue', mode: 'fast' }]);
  });

  it.each([
    null,
    'yes',
    [1],
    { object: 'x' },
    {
      metadata: 'x',
      get kind() {
        throw new Error('read');
      },
    },
  ])('fails for the result %s', async (result) => {
    await install(mutate(configmaps, () => result as never));
    await expect(client.create(configmaps, settings)).rejects.toMatchObject({ code: 500 });
  });

  it('is asked about creations and updates alone', () => {
    expect(() => mutate(configmaps, () => undefined, { operations: ['DELETE' as 'CREATE'] })).toThrow('CREATE, UPDATE');
  });

  it('breaks the law that twice is once where it counts, and says so', async () => {
    const counted = mutate(configmaps, ({ object }) => ({
      ...object,
      data: { writes: String(Number(object.data?.['writes'] ?? 0) + 1) },
    }));
    expect(await breaches(counted, [settings])).toEqual([
      'mutate.v1.configmaps.core: mutating object default/settings twice is not once: /data/writes differ',
    ]);
  });

  it('keeps the law where it sets defaults, for any object', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.string()), async (data) => {
        expect(await breaches(withDefault, [{ ...settings, data } as V1ConfigMap])).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
