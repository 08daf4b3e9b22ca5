import 'rx-informer/internal';
import { concat, NEVER, of, type SchedulerLike } from 'rxjs';
import { type KubeClient, type KubernetesObject, resources, type V1CustomResourceConversion, type V1MutatingWebhook } from 'rx-informer';
import { checkOptions, dateOf, expectArgument, messageOf, rules } from 'rx-informer/internal';
import { type AdmissionWebhook, admissionWebhook } from './admission.js';
import { issueCertificate, makeAuthority } from './certificates/issueCertificates.js';
import { conversionProbe, reach } from './conversionProbe.js';
import { isConversion } from './convert.js';
import { type ServedWebhook, servedWebhook, servedWebhooks, type Webhook } from './webhook.js';
import { WebhookServer } from './webhookServer.js';
import { type WebhookServerOptions, webhookSettings } from './webhookServerOptions.js';
import { type WebhookManifestOptions, webhookManifests } from './webhookManifests.js';

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
export type InstalledWebhooks = Readonly<{
  /** The address of the webhooks. */
  url: string;
  /** Removes the configurations, gives the definitions their former conversion, and ends the server of the webhooks. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}>;

/** Replaces the conversion of a definition whole. */
const conversionPatch = (conversion: V1CustomResourceConversion = { strategy: 'None' }): readonly object[] => [
  { op: 'add', path: '/spec/conversion', value: conversion },
];

/** A webhook of one configuration that refuses what only `reach` sends. */
interface Probe extends AdmissionWebhook {
  readonly label: string;
}

const { configmaps } = resources.core.v1;
const probeLabel = 'rx-informer/probe';
const probeName = '.probe.rx-informer';

/** The entry of a webhook that is not asked about what `reach` sends. */
function withoutProbes({ objectSelector, ...entry }: V1MutatingWebhook): V1MutatingWebhook {
  const matchExpressions = [...(objectSelector?.matchExpressions ?? []), { key: probeLabel, operator: 'DoesNotExist' }];
  return { ...entry, objectSelector: { ...objectSelector, matchExpressions } };
}

function probeOf(type: 'validate' | 'mutate'): Probe {
  const label = crypto.randomUUID();
  const refusal = { verdict: 'denied', response: { allowed: false, status: { message: label } } } as const;
  const options = { operations: ['CREATE'], objectSelector: { matchLabels: { [probeLabel]: label } } };
  const webhook = admissionWebhook(type, configmaps, () => Promise.resolve(refusal), options);
  return servedWebhook({ ...webhook, name: `${type}${probeName}`, path: `/${label}`, label });
}

/** Waits until the API server, which reads configurations from a cache of its own, calls the webhooks of one. */
function reachAdmission(client: KubeClient, { label, name }: Probe, scheduler: SchedulerLike): Promise<void> {
  const object = { metadata: { generateName: 'probe-', namespace: 'default', labels: { [probeLabel]: label } } };
  return reach(name, scheduler, async () => {
    try {
      await client.create(configmaps, object, { dryRun: true });
      return false;
    } catch (error) {
      if (messageOf(error).includes(label)) return true;
      throw error;
    }
  });
}

/** How long certificates of a test are valid. */
const lifetimeMs = 86_400_000;

/**
 * Installs webhooks into an API server, for a test: serves them from this process on a free port, with a certificate of its own, creates the configurations, and waits until
 * the API server calls them. The definitions of converted kinds must exist. Needs `@peculiar/x509` and `reflect-metadata`.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { installWebhooks, validate } from '@rx-informer/controller/webhooks';
 * import { startApiServer } from '@rx-informer/api-server';
 *
 * const server = await startApiServer();
 * const guard = validate(resources.core.v1.configmaps, ({ name }) => (name === 'secret' ? { deny: 'not this name' } : undefined));
 * const installed = await installWebhooks(server.client, [guard]);
 * await server.client
 *   .create(resources.core.v1.configmaps, { metadata: { name: 'secret', namespace: 'default' } })
 *   .catch((error: Error) => console.log(error.message));
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
  const types = (['validate', 'mutate'] as const).filter((type) => webhooks.some((webhook) => webhook.type === type));
  const probes = types.map(probeOf);
  const conversion = webhooks.some(({ type }) => type === 'convert') ? conversionProbe() : undefined;
  const installed = servedWebhooks([...webhooks, ...probes]);
  const served = conversion === undefined ? installed : [...installed, conversion.webhook];
  const { host = '127.0.0.1' } = options;
  const settings = webhookSettings('installWebhooks', { ...options, host, port: 0 });
  const time = { now: dateOf(settings.scheduler), lifetimeMs };
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
    const manifestOptions = { url, name: 'installed', caBundle: authority.cert };
    await install(client, installed, manifestOptions, undo);
    for (const probe of probes) await reachAdmission(client, probe, settings.scheduler);
    await conversion?.reach(client, manifestOptions, settings.scheduler);
  } catch (error) {
    await close();
    throw error;
  }
  return { url, close, [Symbol.asyncDispose]: close };
}

/** Creates the configurations, and sets the conversions of the definitions. Each step adds the one that undoes it. */
async function install(
  client: KubeClient,
  webhooks: readonly ServedWebhook[],
  options: WebhookManifestOptions,
  undo: (() => Promise<unknown>)[],
): Promise<void> {
  const converted = webhooks.filter(isConversion).map(({ resource: { plural, group } }) => `${plural}.${group}`);
  const definitions = await Promise.all(converted.map((name) => client.get(customresourcedefinitions, name)));
  const former = new Map(definitions.map(({ metadata, spec }) => [metadata?.name, spec.conversion]));
  for (const manifest of webhookManifests(webhooks, { ...options, definitions })) {
    if ('spec' in manifest) {
      const { name = '' } = manifest.metadata ?? {};
      await client.patch(customresourcedefinitions, name, 'json', conversionPatch(manifest.spec.conversion));
      undo.push(() => client.patch(customresourcedefinitions, name, 'json', conversionPatch(former.get(name))));
      continue;
    }
    const resource = manifest.kind === 'MutatingWebhookConfiguration' ? mutatingwebhookconfigurations : validatingwebhookconfigurations;
    // Several tests may install theirs into one server.
    const entries = manifest.webhooks?.map((entry) => (entry.name.endsWith(probeName) ? entry : withoutProbes(entry)));
    const unnamed: KubernetesObject = { ...manifest, metadata: { generateName: 'installed-' }, ...{ webhooks: entries } };
    const { metadata: { name = '' } = {} } = await client.create<KubernetesObject>(resource, unnamed);
    undo.push(() => client.delete(resource, name));
  }
}
