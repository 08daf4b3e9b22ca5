import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createInformer,
  customResource,
  type KubeClient,
  type KubernetesObject,
  resources,
  type V1CustomResourceDefinition,
} from 'rx-informer';
import { createManager, type Manager } from '../../src/manager/createManager.js';
import type { ManagerOptions } from '../../src/manager/managerOptions.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { issueCertificate, makeAuthority } from '../../src/webhooks/certificates/issueCertificates.js';
import { convert } from '../../src/webhooks/convert.js';
import { validate } from '../../src/webhooks/validate.js';
import type { Webhook } from '../../src/webhooks/webhook.js';
import { webhookManifests } from '../../src/webhooks/webhookManifests.js';
import { eventually } from '../webhooks/support/replicas.js';

const { configmaps, secrets } = resources.core.v1;
const { validatingwebhookconfigurations } = resources.admissionregistration.v1;
const { customresourcedefinitions } = resources.apiextensions.v1;
const service = { namespace: 'guard', name: 'guard' };
const inDefault = { namespace: 'default' };

interface Site extends KubernetesObject {
  readonly spec: { readonly hosts?: readonly string[]; readonly host?: string };
}
const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
const v1 = customResource<Site>({ ...names, version: 'v1' });
const v1beta1 = customResource<Site>({ ...names, version: 'v1beta1' });
const sites = convert(v1, {
  resource: v1beta1,
  toHub: ({ spec, ...site }) => ({ ...site, spec: { hosts: [spec.host ?? ''] } }),
  fromHub: ({ spec, ...site }) => ({ ...site, spec: { host: spec.hosts?.[0] ?? '' } }),
});
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definition: V1CustomResourceDefinition = {
  metadata: { name: 'sites.example.com' },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'sites', kind: 'Site' } },
    versions: ['v1', 'v1beta1'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
  },
};
const guard = validate(configmaps, ({ name }) => (name === 'forbidden' ? { deny: 'not this name' } : undefined));

describe('the webhooks of a manager', () => {
  let server: TestApiServer;
  let client: KubeClient;
  let directory: string;
  let managers: Manager[];
  let lines: string[];
  let port: number;

  beforeEach(async () => {
    managers = [];
    lines = [];
    directory = await mkdtemp(join(tmpdir(), 'certificates-'));
    server = await startApiServer({ serviceAddress: () => `127.0.0.1:${String(port)}` });
    ({ client } = server);
    port = await freePort();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const manager of managers) await manager.stop();
    await server.close();
    await rm(directory, { recursive: true });
  });

  async function freePort(): Promise<number> {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const found = (probe.address() as { readonly port: number }).port;
    await new Promise((resolve) => probe.close(resolve));
    return found;
  }
  const managerOf = (webhooks: readonly Webhook[], options: Partial<ManagerOptions> = {}): Manager => {
    const log = (line: string): void => void lines.push(line);
    const webhookServer = { port, host: '127.0.0.1', certificates: { directory } };
    const common = {
      client,
      process: false,
      port: 0,
      host: '127.0.0.1',
      logger: { info: log, error: log },
      webhooks,
      webhookServer,
    } as const;
    const manager = createManager({ ...common, ...options });
    managers.push(manager);
    return manager;
  };
  const probe = async (manager: Manager, path: string): Promise<readonly [number, string]> => {
    const answer = await fetch(`http://127.0.0.1:${String(manager.port())}${path}`);
    return [answer.status, await answer.text()];
  };
  /** What cert-manager does: a Secret with certificates, which the kubelet mounts. */
  const certify = async (): Promise<string> => {
    const time = { now: Date.now(), lifetimeMs: 3_600_000 };
    const authority = await makeAuthority(time);
    const { cert, key } = await issueCertificate(authority, [`${service.name}.${service.namespace}.svc`], time);
    const data = { 'ca.crt': btoa(authority.cert), 'tls.crt': btoa(cert), 'tls.key': btoa(key) };
    await client.create(resources.core.v1.namespaces, { metadata: { name: service.namespace } });
    await client.create(secrets, { metadata: { ...service, name: 'guard-tls' }, type: 'kubernetes.io/tls', data });
    await writeFile(join(directory, 'tls.key'), key);
    await writeFile(join(directory, 'tls.crt'), cert);
    return authority.cert;
  };

  it("serves with cert-manager's certificate and injector, on every replica", async () => {
    await certify();
    // The injector: it writes the authority of the named Certificate's Secret into what carries its annotation.
    const annotation = 'cert-manager.io/inject-ca-from';
    const configurations = createInformer(client, validatingwebhookconfigurations);
    configurations.resource$.subscribe((event) => {
      if (event.type !== 'added' || event.object.metadata?.annotations?.[annotation] !== 'guard/guard') return;
      void client.get(secrets, 'guard-tls', { namespace: 'guard' }).then(({ data }) => {
        const webhooks = event.object.webhooks?.map((one) => ({
          ...one,
          clientConfig: { ...one.clientConfig, caBundle: data?.['ca.crt'] },
        }));
        return client.patch(validatingwebhookconfigurations, 'guard', 'merge', { webhooks });
      });
    });
    for (const manifest of webhookManifests([guard], { service, injectFrom: 'guard/guard' }))
      await client.create(validatingwebhookconfigurations, manifest);
    const leaderElection = { lease: { ...inDefault, name: 'manager' } };
    const first = managerOf([guard], { leaderElection });
    void first.run();
    const write = (name: string): Promise<unknown> => client.create(configmaps, { metadata: { name, ...inDefault } }, { dryRun: true });
    await eventually(() => write('a'));
    // A replica that does not lead serves, too.
    port = await freePort();
    const second = managerOf([guard], { leaderElection });
    void second.run();
    await eventually(() => write('a'));
    await expect(write('forbidden')).rejects.toMatchObject({ code: 403 });
    expect(lines.filter((line) => line.startsWith('leads'))).toHaveLength(1);
    await configurations.stop();
  });

  it('is ready only when it serves, whatever its caches do', async () => {
    // The failure is logged, as it should be.
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const verb of ['list', 'watch'] as const) server.faults.inject({ type: 'answer', code: 403, resource: 'pods', verb });
    const manager = managerOf([guard]);
    manager.add('pods', ({ informer, stop$ }) => {
      informer(resources.core.v1.pods);
      return stop$;
    });
    void manager.run();
    await eventually(() => Promise.resolve(lines.find((line) => line.includes('ENOENT'))));
    expect(await probe(manager, '/readyz')).toEqual([503, expect.stringMatching(/^\[-\] webhooks: .*ENOENT/)]);
    await certify();
    // The files are read again ten seconds later: a second manager reads them at once.
    port = await freePort();
    const other = managerOf([guard]);
    other.add('pods', ({ informer, stop$ }) => {
      informer(resources.core.v1.pods);
      return stop$;
    });
    void other.run();
    const answer = await eventually(() => probe(other, '/readyz').then((found) => (found[0] === 200 ? found : undefined)));
    expect(answer[1]).toContain('[+] webhooks');
    expect(lines).not.toContain('caches are complete');
  });

  it('syncs a cache that needs a conversion by its own webhook', async () => {
    const caBundle = await certify();
    await client.create(customresourcedefinitions, definition);
    await client.create(v1, {
      apiVersion: 'example.com/v1',
      kind: 'Site',
      metadata: { name: 'web', ...inDefault },
      spec: { hosts: ['a'] },
    });
    const [converted] = webhookManifests([sites], { service, caBundle, definitions: [definition] });
    await client.patch(customresourcedefinitions, 'sites.example.com', 'merge', { spec: (converted as V1CustomResourceDefinition).spec });
    const manager = managerOf([sites]);
    let hosts: readonly unknown[] = [];
    manager.add('sites', ({ informer, reconcile }) => {
      const old = informer(v1beta1);
      return reconcile({
        sources: { old: old.resource$ },
        reconcile: () => {
          hosts = old.lister.list().map(({ spec }) => spec.host);
          return Promise.resolve();
        },
      });
    });
    void manager.run();
    await eventually(() => Promise.resolve(hosts.length > 0 || undefined));
    expect(hosts).toEqual(['a']);
  });

  it('ends, with the reason, when the webhooks cannot be served', async () => {
    await certify();
    const taken = createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { error } = await managerOf([guard]).run();
    expect(error?.message).toMatch(/^The webhooks have failed: .*EADDRINUSE/);
    taken.close();
  });

  it('refuses wrong options at once', () => {
    expect(() => managerOf([{} as Webhook])).toThrow('what `validate`, `mutate` and `convert` return');
    expect(() => managerOf([guard], { webhookServer: { ports: 1 } as object })).toThrow('did you mean `port`?');
    const own = { certificates: { secret: { namespace: 'guard', name: 'certificates' } } };
    expect(() => managerOf([guard], { webhookServer: own })).toThrow('Expected `service` of `webhookServer`');
  });
});
