import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KubeClient, type Resource, resources, type V1ConfigMap } from 'rx-informer';
import { type RunningApiServer, startApiServer, startEitherApiServer } from '@rx-informer/api-server';
import { type InstalledWebhooks, installWebhooks } from '../../src/webhooks/installWebhooks.js';
import { validate } from '../../src/webhooks/validate.js';
import type { AdmissionRequest, AdmissionVerdict, Webhook } from '../../src/webhooks/webhook.js';

const { configmaps } = resources.core.v1;
const inDefault = { namespace: 'default' };
const settings: V1ConfigMap = { metadata: { name: 'settings', ...inDefault }, data: { mode: 'fast' } };
const silent = { info: () => undefined, error: () => undefined };

describe('validate', () => {
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
  const failureOf = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);

  it('allows what the function says nothing about, and gives it typed, frozen objects', async () => {
    const seen: AdmissionRequest<V1ConfigMap>[] = [];
    await install(validate(configmaps, (request) => void seen.push(request)));
    await client.create(configmaps, settings);
    await client.patch(configmaps, 'settings', 'merge', { data: { mode: 'slow' } }, { ...inDefault, dryRun: true });
    expect(seen).toMatchObject([
      { operation: 'CREATE', name: 'settings', namespace: 'default', dryRun: false, object: { data: { mode: 'fast' } } },
      { operation: 'UPDATE', dryRun: true, object: { data: { mode: 'slow' } }, oldObject: { data: { mode: 'fast' } } },
    ]);
    expect(seen[0]?.oldObject).toBeUndefined();
    expect(Object.isFrozen(seen[1]?.object.data)).toBe(true);
    expect(Object.isFrozen(seen[1]?.oldObject?.metadata)).toBe(true);
    expect(seen[0]?.user.groups).toContain('system:masters');
  });

  it('refuses with a reason, and the code and machine-readable reason that it says', async () => {
    const reviews = (verdict: AdmissionVerdict): Webhook => validate(configmaps, () => verdict);
    await install(reviews({ deny: 'not today' }));
    expect(await failureOf(client.create(configmaps, settings))).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: 'admission webhook "validate.v1.configmaps.core" denied the request: not today',
    });
    await installed?.close();
    await install(reviews({ deny: 'in use', code: 409, reason: 'Conflict' }));
    expect(await failureOf(client.create(configmaps, settings))).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('sends warnings beside the answer', async () => {
    // Clients show no warnings: the header is read from a server without TLS.
    const embedded = await startApiServer();
    const warning = validate(configmaps, () => ({ warnings: ['mode is deprecated'] }));
    const own = await installWebhooks(embedded.client, [warning], { logger: silent });
    const answer = await fetch(`${embedded.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    expect([answer.status, answer.headers.get('warning')]).toEqual([201, '299 - "mode is deprecated"']);
    await own.close();
    await embedded.close();
  });

  it('sees what is deleted, if it asks for that', async () => {
    const kept = validate(configmaps, ({ oldObject: { data } }) => (data?.['mode'] === 'fast' ? { deny: 'kept' } : undefined), {
      operations: ['DELETE'],
    });
    await install(kept);
    await client.create(configmaps, settings);
    expect(await failureOf(client.delete(configmaps, 'settings', inDefault))).toMatchObject({ code: 403 });
    await client.patch(configmaps, 'settings', 'merge', { data: { mode: 'slow' } }, inDefault);
    await client.delete(configmaps, 'settings', inDefault);
  });

  it('knows the name of what is deleted with others, which the review does not say', async () => {
    const kept = validate(configmaps, ({ name }) => (name === 'settings' ? { deny: 'kept' } : undefined), { operations: ['DELETE'] });
    await install(kept);
    await client.create(configmaps, { ...settings, metadata: { ...settings.metadata, labels: { of: 'spec' } } });
    const all = client.deleteCollection(configmaps, { ...inDefault, labelSelector: 'of=spec' });
    expect(await failureOf(all)).toMatchObject({ code: 403, message: expect.stringContaining('kept') as unknown });
  });

  it('fails the call when the function throws, so that the failure policy decides', async () => {
    const broken = (): never => {
      throw new Error('no connection to the ledger');
    };
    await install(validate(configmaps, broken));
    expect(await failureOf(client.create(configmaps, settings))).toMatchObject({
      code: 500,
      message: expect.stringContaining('failed calling webhook "validate.v1.configmaps.core"') as unknown,
    });
    await installed?.close();
    await install(validate(configmaps, broken, { failurePolicy: 'Ignore' }));
    await client.create(configmaps, settings);
  });

  it('refuses when the function throws, if told so, whatever the failure policy is', async () => {
    const broken = (): never => {
      throw new Error('no connection to the ledger');
    };
    await install(validate(configmaps, broken, { failurePolicy: 'Ignore', onError: 'deny' }));
    expect(await failureOf(client.create(configmaps, settings))).toMatchObject({
      code: 500,
      message: 'admission webhook "validate.v1.configmaps.core" denied the request: no connection to the ledger',
    });
  });

  it('passes on the refusal of an API server that the function has asked', async () => {
    await install(validate(configmaps, () => client.get(configmaps, 'quota', inDefault).then(() => undefined)));
    expect(await failureOf(client.create(configmaps, settings))).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('allows nothing by mistake: a result that is no verdict is an error', async () => {
    for (const result of [false, 'no', { denied: 'typo' }, { deny: 1 }, []]) {
      await install(validate(configmaps, () => result as AdmissionVerdict));
      expect(await failureOf(client.create(configmaps, settings))).toMatchObject({ code: 500 });
      await installed?.close();
    }
  });

  it.each<readonly [string, () => unknown, string]>([
    ['an unknown option', () => validate(configmaps, () => undefined, { operation: ['CREATE'] } as object), 'did you mean `operations`?'],
    [
      'an operation that is none',
      () => validate(configmaps, () => undefined, { operations: ['CONNECT' as 'CREATE'] }),
      'CREATE, UPDATE, DELETE',
    ],
    ['no operation', () => validate(configmaps, () => undefined, { operations: [] }), 'not empty'],
    ['31 seconds', () => validate(configmaps, () => undefined, { timeoutSeconds: 31 }), '<= 30, got 31'],
    ['no function', () => validate(configmaps, undefined as never), 'Expected `validate` to get a function, got undefined'],
    [
      'no resource',
      () => validate('pods' as unknown as Resource<V1ConfigMap>, () => undefined),
      'Expected `resource` to be a resource, got "pods"',
    ],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it('refuses two webhooks of one path', async () => {
    const twice = [validate(configmaps, () => undefined), validate(configmaps, () => undefined)];
    await expect(installWebhooks(client, twice)).rejects.toThrow('Expected one webhook named validate.v1.configmaps.core, got two');
    await expect(installWebhooks(client, [{ ...twice[0] } as Webhook])).rejects.toThrow('what `validate`, `mutate` and `convert` return');
  });
});
