import '../api/disposable.js';
import { NEVER, of, concat } from 'rxjs';
import type { V1MutatingWebhookConfiguration, V1ValidatingWebhookConfiguration } from '../api/kubernetes/admissionregistrationV1.js';
import type { V1CustomResourceConversion } from '../api/kubernetes/apiextensionsV1.js';
import { checkOptions, expectArgument, rules } from '../api/options.js';
import { resources } from '../api/resources.js';
import type { KubeClient } from '../client/kubeClient.js';
import { issueCertificate, makeAuthority } from './certificates/issueCertificates.js';
import { isConversion } from './convert.js';
import { servedWebhooks, type Webhook } from './webhook.js';
import { WebhookServer } from './webhookServer.js';
import { type WebhookServerOptions, webhookSettings } from './webhookServerOptions.js';
import { webhookManifests } from './webhookManifests.js';

const { mutatingwebhookconfigurations, validatingwebhookconfigurations } = resources.admissionregistration.v1;
const { customresourcedefinitions } = resources.apiextensions.v1;

/** Options of `installWebhooks`. */
export interface InstallWebhooksOptions extends Pick<WebhookServerOptions, 'logger' | 'observers' | 'scheduler'> {
  /**
   * The address by which the API server reaches this process.
   *
   * @defaultValue '127.0.0.1'
   */
  readonly host?: string | undefined;
}

/** Webhooks that an API server calls. */
export interface InstalledWebhooks {
  /** The address of the webhooks. */
  readonly url: string;
  /** Removes the configurations, gives the definitions their former conversion, and ends the server of the webhooks. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Replaces the conversion of a definition whole. */
const conversionPatch = (conversion: V1CustomResourceConversion = { strategy: 'None' }): readonly object[] => [
  { op: 'add', path: '/spec/conversion', value: conversion },
];

/** How long certificates of a test are valid. */
const lifetimeMs = 86_400_000;

/**
 * Installs webhooks into an API server, for a test: serves them from this process on a free port, with a certificate of its own, and creates the configurations. The
 * definitions of converted kinds must exist. Needs `@peculiar/x509` and `reflect-metadata`.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { installWebhooks, validate } from 'rx-informer/webhooks';
 * import { startApiServer } from 'rx-informer/testing';
 *
 * const server = await startApiServer();
 * const guard = validate(resources.core.v1.configmaps, ({ name }) => (name === 'secret' ? { deny: 'not this name' } : undefined));
 * const installed = await installWebhooks(server.client, [guard]);
 * const { message } = await server.client
 *   .create(resources.core.v1.configmaps, { metadata: { name: 'secret', namespace: 'default' } })
 *   .catch((error: Error) => error as { message: string });
 * // admission webhook "validate.v1.configmaps.core" denied the request: not this name
 * await installed.close();
 * await server.close();
 * ```
 *
 * @throws TypeError when an argument is wrong.
 */
export async function installWebhooks(
  client: KubeClient,
  webhooks: readonly Webhook[],
  options: InstallWebhooksOptions = {},
): Promise<InstalledWebhooks> {
  expectArgument('installWebhooks', 'client', client, rules.withMethods('create', 'patch', 'delete'));
  checkOptions('installWebhooks', options, { host: rules.nonEmptyString, logger: rules.any, observers: rules.any, scheduler: rules.any });
  const served = servedWebhooks(webhooks);
  const { host = '127.0.0.1' } = options;
  const settings = webhookSettings('installWebhooks', { ...options, host, port: 0 });
  const time = { now: settings.scheduler.now(), lifetimeMs };
  const authority = await makeAuthority(time);
  const certificate = await issueCertificate(authority, [host], time);
  const source = { certificate$: concat(of(certificate), NEVER), problem: () => undefined, stop: () => Promise.resolve() };
  const server = new WebhookServer(served, source, settings);
  await server.listening;
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${String(server.port())}`;
  const undo: (() => Promise<unknown>)[] = [];
  const uninstall = async (): Promise<void> => {
    try {
      for (const step of undo.reverse()) await step();
    } finally {
      await server.stop(1_000);
    }
  };
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= uninstall());
  try {
    await install();
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close, [Symbol.asyncDispose]: close };

  async function install(): Promise<void> {
    const conversions = served.filter(isConversion).map(({ resource: { plural, group } }) => `${plural}.${group}`);
    const definitions = await Promise.all(conversions.map((name) => client.get(customresourcedefinitions, name)));
    for (const { spec, metadata: { name = '' } = {} } of definitions)
      undo.push(() => client.patch(customresourcedefinitions, name, 'json', conversionPatch(spec.conversion)));
    for (const manifest of webhookManifests(webhooks, { url, name: 'installed', caBundle: authority.cert, definitions })) {
      if ('spec' in manifest) {
        const { spec, metadata: { name = '' } = {} } = manifest;
        await client.patch(customresourcedefinitions, name, 'json', conversionPatch(spec.conversion));
        continue;
      }
      const resource = manifest.kind === 'MutatingWebhookConfiguration' ? mutatingwebhookconfigurations : validatingwebhookconfigurations;
      // Several tests may install theirs into one server.
      const created: V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration = await client.create(resource, {
        ...manifest,
        metadata: { generateName: 'installed-' },
      });
      undo.push(() => client.delete(resource, created.metadata?.name ?? ''));
    }
  }
}
