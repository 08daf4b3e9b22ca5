import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customResource, type KubernetesObject, resources, type V1CustomResourceDefinition } from 'rx-informer';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { convert, serveWebhooks, validate, webhookManifests } from '@rx-informer/controller/webhooks';
import { issueCertificate, makeAuthority } from '../../../packages/controller/src/webhooks/certificates/issueCertificates.js';
import { buildGo, hasGo } from './clientGo.js';

const { configmaps, namespaces, secrets } = resources.core.v1;
const { validatingwebhookconfigurations } = resources.admissionregistration.v1;
const { customresourcedefinitions } = resources.apiextensions.v1;
const service = { namespace: 'guard', name: 'guard' };
const inGuard = { namespace: service.namespace };
const inDefault = { namespace: 'default' };

interface Site extends KubernetesObject {
  readonly spec: { readonly host?: string; readonly hosts?: readonly string[] };
}
const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
const [v1, v1beta1] = ['v1', 'v1beta1'].map((version) => customResource<Site>({ ...names, version })) as [
  ReturnType<typeof customResource<Site>>,
  ReturnType<typeof customResource<Site>>,
];
const certificates = customResource<KubernetesObject & { readonly spec: object }>({
  ...{ group: 'cert-manager.io', version: 'v1', plural: 'certificates', kind: 'Certificate', namespaced: true },
});
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const definitionOf = (group: string, plural: string, kind: string, ...versions: readonly string[]): V1CustomResourceDefinition => ({
  metadata: { name: `${plural}.${group}` },
  spec: {
    ...{ group, scope: 'Namespaced', names: { plural, kind } },
    versions: versions.map((name, at) => ({ name, served: true, storage: at === 0, schema })),
  },
});

const guard = validate(configmaps, ({ name }) => (name === 'forbidden' ? { deny: 'not this name' } : undefined));
const sites = convert(v1, {
  resource: v1beta1,
  toHub: ({ spec, ...site }) => ({ ...site, spec: { hosts: [spec.host ?? ''] } }),
  fromHub: ({ spec, ...site }) => ({ ...site, spec: { host: spec.hosts?.[0] ?? '' } }),
});

/** Certificates without their lines: other programs write other ends of lines. */
const compact = (certificates: string): string => certificates.replaceAll(/\s/g, '');

/** Repeats a check until it passes; the time of the test ends it. */
async function until(check: () => Promise<void>): Promise<void> {
  while (
    !(await check().then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
}

if (!hasGo) console.warn('Go is not installed: the injector of cert-manager is not tried.');

(hasGo ? describe : describe.skip)('the injector of cert-manager, in a process of its own', () => {
  let server: TestApiServer;
  let directory: string;
  let injector: ChildProcess;
  let running: ReturnType<typeof serveWebhooks> | undefined;
  let remove = (): void => undefined;

  beforeAll(async () => {
    const built = buildGo('cainjector');
    ({ remove } = built);
    directory = await mkdtemp(join(tmpdir(), 'certificates-'));
    server = await startApiServer({ serviceAddress: () => `127.0.0.1:${String(running?.port() ?? 1)}` });
    const { client } = server;
    await client.create(namespaces, { metadata: { name: service.namespace } });
    await client.create(customresourcedefinitions, definitionOf('cert-manager.io', 'certificates', 'Certificate', 'v1'));
    await client.create(customresourcedefinitions, definitionOf('example.com', 'sites', 'Site', 'v1', 'v1beta1'));
    injector = spawn(built.program, ['-url', server.url], { stdio: ['ignore', 'ignore', 'ignore'] });
  }, 600_000);

  afterAll(async () => {
    const ended = once(injector, 'exit');
    injector.kill();
    await ended;
    await running?.stop(0);
    await server.close();
    await rm(directory, { recursive: true });
    remove();
  });

  /** What cert-manager makes of a Certificate, and again of its renewal: a Secret that it names. The kubelet mounts it. Returns the authority. */
  const certify = async (): Promise<string> => {
    const time = { now: Date.now(), lifetimeMs: 3_600_000 };
    const authority = await makeAuthority(time);
    const { cert, key } = await issueCertificate(authority, [`${service.name}.${service.namespace}.svc`], time);
    const data = { 'ca.crt': btoa(authority.cert), 'tls.crt': btoa(cert), 'tls.key': btoa(key) };
    const annotations = { 'cert-manager.io/certificate-name': 'guard' };
    const object = { metadata: { ...inGuard, name: 'guard-tls', annotations }, type: 'kubernetes.io/tls', data };
    await server.client.patch(secrets, 'guard-tls', 'apply', object, { ...inGuard, fieldManager: 'cert-manager' });
    for (const [name, text] of Object.entries({ 'tls.key': key, 'tls.crt': cert })) await writeFile(join(directory, name), text);
    return authority.cert;
  };

  /** Waits until every bundle has these authorities, and no other. At a renewal the injector keeps the former one until it has expired. */
  const injected = async (...authorities: readonly string[]): Promise<void> => {
    const { client } = server;
    const wanted = authorities.map(compact).join('');
    await until(async () => {
      const { webhooks = [] } = await client.get(validatingwebhookconfigurations, service.name);
      const { spec } = await client.get(customresourcedefinitions, 'sites.example.com');
      const found = [...webhooks.map(({ clientConfig }) => clientConfig), spec.conversion?.webhook?.clientConfig];
      expect(found.map((config) => compact(atob(config?.caBundle ?? '')))).toEqual(found.map(() => wanted));
    });
  };

  /** Connects to the webhooks, trusting one authority alone. */
  const showsCertificateOf = (ca: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const to = { host: '127.0.0.1', port: running?.port() ?? 0, ca, servername: `${service.name}.${service.namespace}.svc` };
      const socket = connect(to, () => {
        socket.destroy();
        resolve();
      }).once('error', reject);
    });

  /** What comes of a write that the webhook allows, of one that it denies, and of a read that it converts. */
  const outcomes = async (): Promise<unknown> => {
    const { client } = server;
    const write = (name: string): Promise<unknown> => client.create(configmaps, { metadata: { name, ...inDefault } }, { dryRun: true });
    await write('a');
    const denied = await write('forbidden').catch((error: unknown) => error);
    return { denied, converted: (await client.get(v1beta1, 'web', inDefault)).spec };
  };
  const right = { denied: { code: 403 }, converted: { host: 'a' } };

  let first = '';

  it('serves validation and conversion with the manifests of the code', async () => {
    const { client } = server;
    first = await certify();
    await client.create(certificates, {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { ...inGuard, name: 'guard' },
      spec: { secretName: 'guard-tls', dnsNames: [], issuerRef: { name: 'own' } },
    });
    const served = { service, certificates: { directory }, port: 0, host: '127.0.0.1' };
    running = serveWebhooks({ webhooks: [guard, sites], ...served });
    await running.whenServing;
    const definitions = [await client.get(customresourcedefinitions, 'sites.example.com')];
    for (const manifest of webhookManifests([guard, sites], { service, injectFrom: 'guard/guard', definitions })) {
      if ('webhooks' in manifest) await client.create<KubernetesObject>(validatingwebhookconfigurations, manifest);
      else await client.replace<KubernetesObject>(customresourcedefinitions, manifest);
    }
    await injected(first);
    await client.create(v1, { metadata: { name: 'web', ...inDefault }, spec: { hosts: ['a', 'b'] } });
    expect(await outcomes()).toMatchObject(right);
  }, 120_000);

  it('serves them after a renewal, with another authority', async () => {
    const second = await certify();
    await injected(first, second);
    await until(() => showsCertificateOf(second));
    expect(await outcomes()).toMatchObject(right);
  }, 120_000);
});
