import { X509Certificate } from 'node:crypto';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createInformer, type KubeClient, resources, type V1ConfigMap } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { type HeldCertificates, heldIn } from '../../../src/webhooks/certificates/heldCertificates.js';
import { renewCertificates } from '../../../src/webhooks/certificates/renewCertificates.js';
import { servedOf } from '../../../src/webhooks/webhook.js';
import { webhookSettings } from '../../../src/webhooks/webhookServerOptions.js';
import type { RunningWebhooks } from '../../../src/webhooks/serveWebhooks.js';
import { validate } from '../../../src/webhooks/validate.js';
import { webhookManifests } from '../../../src/webhooks/webhookManifests.js';
import { type Answer, callServer } from '../support/callServer.js';
import { eventually, secret, service, ShiftedClock, startReplica } from '../support/replicas.js';

const { configmaps, secrets, namespaces } = resources.core.v1;
const { validatingwebhookconfigurations } = resources.admissionregistration.v1;
const configMap = (name: string, namespace = 'default'): V1ConfigMap => ({ metadata: { name, namespace } });
const minute = 60_000;
const inGuard = { namespace: secret.namespace };

describe('ownCertificates', () => {
  let server: TestApiServer;
  let client: KubeClient;
  let replicas: RunningWebhooks[];
  let lines: string[];
  let calls: number;
  const guard = validate(configmaps, ({ name }) => (name === 'forbidden' ? { deny: 'not this name' } : undefined));

  beforeEach(async () => {
    replicas = [];
    lines = [];
    calls = 0;
    server = await startApiServer({
      // The Service: one replica after the other.
      serviceAddress: () => {
        calls += 1;
        const ports = replicas.flatMap((replica) => replica.port() ?? []);
        return `127.0.0.1:${String(ports[calls % ports.length] ?? 1)}`;
      },
    });
    ({ client } = server);
    await client.create(namespaces, { metadata: { name: service.namespace } });
  });
  afterEach(async () => {
    for (const replica of replicas) await replica.stop(0);
    await server.close();
  });

  const install = async (): Promise<void> => {
    for (const manifest of webhookManifests([guard], { service })) await client.create(validatingwebhookconfigurations, manifest);
  };
  const start = (): void => void replicas.push(startReplica(client, [guard], lines));
  const held = async (): Promise<HeldCertificates> => heldIn(await client.get(secrets, secret.name, inGuard));
  const bundle = async (): Promise<string> => {
    const { webhooks = [] } = await client.get(validatingwebhookconfigurations, service.name);
    return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString();
  };
  const writes = (name: string): Promise<unknown> => client.create(configmaps, configMap(name), { dryRun: true });

  it('comes up where everything fails closed, since its own namespace is left out', async () => {
    await install();
    await expect(writes('a')).rejects.toMatchObject({ code: 500 });
    await client.create(configmaps, configMap('lock', service.namespace));
    start();
    start();
    await Promise.all(replicas.map((replica) => replica.whenServing));
    await eventually(() => writes('a'));
    await expect(writes('forbidden')).rejects.toMatchObject({ code: 403 });
    await expect(writes('forbidden')).rejects.toMatchObject({ code: 403 });
    expect(await bundle()).toBe((await held()).authorities.join(''));
  });

  it('writes nothing twice while the watch is late', async () => {
    await install();
    server.faults.inject({ type: 'drip', bytes: 1e6, everyMs: 200, verb: 'watch', resource: 'secrets' });
    start();
    await replicas[0]?.whenServing;
    expect(lines.filter((line) => !line.includes('port'))).toEqual([]);
  });

  it('keeps a replica without a certificate unready, and silent', async () => {
    server.faults.inject({ type: 'answer', code: 403, resource: 'secrets', verb: 'create' });
    start();
    await eventually(() => Promise.resolve(lines.find((line) => line.includes('certificates cannot be kept up'))));
    const [replica] = replicas;
    expect([replica?.port(), replica?.problem()]).toEqual([undefined, 'no certificate in the Secret guard/guard-certificates yet']);
    server.faults.clear();
    await replica?.whenServing;
    expect(replica?.problem()).toBeUndefined();
  });

  it('tells its logger of failing watches, not the console', async () => {
    const watched = ['secrets', 'validatingwebhookconfigurations.admissionregistration.k8s.io'];
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      for (const resource of watched) server.faults.inject({ type: 'answer', code: 500, resource, verb: ['list', 'watch'], count: 2 });
      start();
      for (const resource of watched) await eventually(() => Promise.resolve(lines.find((line) => line.includes(resource))));
      expect(warn).not.toHaveBeenCalled();
    } finally {
      warn.mockRestore();
    }
  });

  it('publishes the authority again when somebody renders the configuration anew', async () => {
    await install();
    start();
    await eventually(() => writes('a'));
    const rendered = webhookManifests([guard], { service })[0] as object;
    const { metadata } = await client.get(validatingwebhookconfigurations, service.name);
    await client.replace(validatingwebhookconfigurations, { ...rendered, metadata: { ...metadata, annotations: { rendered: 'again' } } });
    await eventually(() => writes('b'));
    expect(await bundle()).toBe((await held()).authorities.join(''));
    // An apply without the field leaves it alone.
    await client.patch(validatingwebhookconfigurations, service.name, 'apply', rendered, { fieldManager: 'helm', force: true });
    expect(await bundle()).toBe((await held()).authorities.join(''));
  });

  /** Rotates with a clock of its own beside that of the elected replica. `later` lets it compare at a later time, and waits for what it makes of it. */
  async function rotating(
    rotate: (later: (ms: number, isSo: (now: HeldCertificates) => boolean) => Promise<HeldCertificates>) => Promise<void>,
  ): Promise<void> {
    const clock = new ShiftedClock();
    const informer = createInformer(client, secrets, inGuard);
    const settings = webhookSettings('spec', { service, scheduler: clock.scheduler });
    const certificates = { secret, lifetimeMs: 10 * minute };
    const renewing = renewCertificates({ client, webhooks: [servedOf(guard)], certificates, settings }, informer, client).subscribe();
    let times = 0;
    try {
      await rotate(async (ms, isSo) => {
        clock.forwardBy(ms);
        times += 1;
        await client.patch(secrets, secret.name, 'merge', { metadata: { labels: { looked: String(times) } } }, inGuard);
        return eventually(() => held().then((found) => (isSo(found) ? found : undefined)));
      });
    } finally {
      renewing.unsubscribe();
      await informer.stop();
    }
  }

  it('rotates certificate and authority under load without a failed request', async () => {
    await install();
    start();
    start();
    await eventually(() => writes('a'));
    const failures: unknown[] = [];
    let isOver = false;
    const load = async (): Promise<void> => {
      while (!isOver) await writes('a').catch((error: unknown) => failures.push(error));
    };
    const loads = [load(), load(), load()];
    try {
      await rotating(async (later) => {
        const first = await held();
        const second = await later(60 * minute, ({ cert }) => cert !== first.cert);
        expect(second.authorities).toEqual(first.authorities);
        // Authority and certificate are due: the new authority is published, and issues only when API servers have had time to learn of it.
        const third = await later(7 * minute, ({ authorities }) => authorities.length === 2);
        expect([third.cert, third.authorities[1]]).toEqual([second.cert, first.authorities[0]]);
        await eventually(async () => (await bundle()) === third.authorities.join('') || undefined);
        const fourth = await later(1 * minute, ({ cert }) => cert !== third.cert);
        expect(fourth.authorities).toEqual(third.authorities);
        const before = calls;
        await eventually(() => Promise.resolve(calls > before + 20 || undefined));
      });
    } finally {
      isOver = true;
      await Promise.all(loads);
    }
    expect(failures).toEqual([]);
  });

  it('rotates the authority without a failed request of API servers that learn of the bundle late, or to replicas that learn of the certificate late', async () => {
    await install();
    start();
    await eventually(() => writes('a'));
    const call = (port: number | undefined, ca: string): Promise<Answer> =>
      callServer(port ?? 0, ca, '/', {}, { servername: `${service.name}.${service.namespace}.svc` });
    const late = createServer((_, response) => response.end('{}'));
    try {
      await rotating(async (later) => {
        const first = await held();
        const second = await later(60 * minute, ({ cert }) => cert !== first.cert);
        const known = await bundle();
        late.setSecureContext({ cert: second.cert, key: second.key });
        await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
        const third = await later(7 * minute, ({ authorities }) => authorities.length === 2);
        const published = await eventually(() => bundle().then((now) => (now === known ? undefined : now)));
        // Less than the time that API servers have.
        await later(minute / 2, () => true);
        for (let times = 0; times < 50; times += 1) await call(replicas[0]?.port(), known);
        const fourth = await later(minute / 2, ({ cert }) => cert !== third.cert);
        const { validTo } = new X509Certificate(fourth.cert);
        await eventually(() => call(replicas[0]?.port(), published).then((answer) => (answer.validTo === validTo ? answer : undefined)));
        await expect(call(replicas[0]?.port(), known)).rejects.toThrow('unable to verify');
        await call((late.address() as AddressInfo).port, await bundle());
      });
    } finally {
      late.close();
    }
  });

  it('makes a new authority where the key of the old one is lost, and replaces what cannot be read', async () => {
    start();
    await replicas[0]?.whenServing;
    const before = await held();
    await client.patch(secrets, secret.name, 'merge', { data: { 'ca.key': null, 'tls.crt': btoa('nothing') } }, inGuard);
    const after = await eventually(async () =>
      ((found) => (found.authorities.length === 2 && found.cert.includes('BEGIN') ? found : undefined))(await held()),
    );
    expect(after.authorities[1]).toBe(before.authorities[0]);
  });

  it('makes certificates by the wall clock, which the machine may have set while the program ran', async () => {
    const aheadMs = 12 * 60 * minute;
    const today = Date.now();
    const wallClock = jest.spyOn(Date, 'now').mockImplementation(() => today + aheadMs);
    try {
      start();
      await replicas[0]?.whenServing;
      const { cert } = await held();
      expect(Date.parse(new X509Certificate(cert).validTo)).toBeGreaterThan(Date.now());
    } finally {
      wallClock.mockRestore();
    }
  });
});
