import type {
  AdmissionregistrationV1WebhookClientConfig,
  V1CustomResourceDefinition,
  V1LabelSelector,
  V1MutatingWebhook,
  V1MutatingWebhookConfiguration,
  V1ValidatingWebhookConfiguration,
} from 'rx-informer';
import { checkOptions, rules } from 'rx-informer/internal';
import { type AdmissionWebhook, isAdmission } from './admission.js';
import { isConversion } from './convert.js';
import { servedWebhooks, type ServedWebhook, type Webhook } from './webhook.js';
import { expectService, type WebhookService } from './webhookServerOptions.js';

/** Options of `webhookManifests`. */
export interface WebhookManifestOptions {
  /** The Service that leads to the webhooks. Its namespace is left out of all that they are asked about. Needed without a `url`. */
  readonly service?: WebhookService | undefined;
  /** The address of the webhooks outside of the cluster, for example `https://192.0.2.1:9443`. */
  readonly url?: string | undefined;
  /** The name of the configurations. @defaultValue the name of the service */
  readonly name?: string | undefined;
  /** The authorities that the API server trusts, in PEM. @defaultValue none: the field is left to cert-manager, or to the program */
  readonly caBundle?: string | undefined;
  /** The Certificate of cert-manager, as `namespace/name`, whose authority its injector writes into `caBundle`. */
  readonly injectFrom?: string | undefined;
  /** The definitions of converted kinds: they get their `spec.conversion`. @defaultValue none */
  readonly definitions?: readonly V1CustomResourceDefinition[] | undefined;
}

const namespaceName = 'kubernetes.io/metadata.name';

function clientConfigOf({ path }: ServedWebhook, options: WebhookManifestOptions): AdmissionregistrationV1WebhookClientConfig {
  const { service, url, caBundle } = options;
  const trust = caBundle === undefined ? {} : { caBundle: Buffer.from(caBundle).toString('base64') };
  if (url !== undefined) return { url: new URL(path, url).href, ...trust };
  const { namespace = '', name = '', port = 443 } = service ?? {};
  return { service: { namespace, name, path, port }, ...trust };
}

/**
 * The namespaces of a webhook's objects. Its own is left out: with `failurePolicy: Fail`, pods of a program that is down could not start because it is down.
 */
function namespacesOf({ settings }: AdmissionWebhook, own: string | undefined): V1LabelSelector | undefined {
  const { namespaceSelector } = settings;
  if (own === undefined) return namespaceSelector;
  const matchExpressions = [...(namespaceSelector?.matchExpressions ?? []), { key: namespaceName, operator: 'NotIn', values: [own] }];
  return { ...namespaceSelector, matchExpressions };
}

function entryOf(webhook: AdmissionWebhook, options: WebhookManifestOptions): V1MutatingWebhook {
  const { resource, settings, name } = webhook;
  const { operations, failurePolicy, sideEffects, timeoutSeconds, objectSelector, matchConditions, reinvocationPolicy } = settings;
  const namespaceSelector = namespacesOf(webhook, options.service?.namespace);
  const { group, version, plural, namespaced } = resource;
  return {
    name,
    clientConfig: clientConfigOf(webhook, options),
    rules: [
      {
        apiGroups: [group],
        apiVersions: [version],
        operations,
        resources: [plural],
        scope: namespaced ? 'Namespaced' : 'Cluster',
      },
    ],
    failurePolicy,
    // Requests for other versions of the kind are converted, not passed by.
    matchPolicy: 'Equivalent',
    sideEffects,
    timeoutSeconds,
    admissionReviewVersions: ['v1'],
    ...(namespaceSelector !== undefined && { namespaceSelector }),
    ...(objectSelector !== undefined && { objectSelector }),
    ...(matchConditions !== undefined && { matchConditions }),
    ...(reinvocationPolicy !== undefined && { reinvocationPolicy }),
  };
}

/** The definition with its conversion. @throws TypeError when a served version is not converted. */
function converted(
  definition: V1CustomResourceDefinition,
  webhooks: readonly ServedWebhook[],
  options: WebhookManifestOptions,
  annotations: object,
): V1CustomResourceDefinition {
  const { group, names, versions } = definition.spec;
  const webhook = webhooks.filter(isConversion).find(({ resource }) => resource.group === group && resource.kind === names.kind);
  if (webhook === undefined) return definition;
  const missing = versions.find(({ name }) => !webhook.versions.includes(`${group}/${name}`));
  if (missing !== undefined)
    throw new TypeError(`Expected \`convert\` of ${names.kind} to know each version of its definition, got none for ${missing.name}`);
  const conversion = {
    strategy: 'Webhook',
    webhook: { clientConfig: clientConfigOf(webhook, options), conversionReviewVersions: ['v1'] },
  };
  const metadata = { ...definition.metadata, annotations: { ...definition.metadata?.annotations, ...annotations } };
  return { ...definition, metadata, spec: { ...definition.spec, conversion } };
}

/**
 * The manifests of webhooks: one configuration of the validating and one of the mutating ones, and the given definitions with their conversions.
 *
 * The namespace of the service is left out by a selector. `rx-informer types --from` prints what a module exports as YAML, so that the manifests are
 * made of the same code as the webhooks.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { validate, webhookManifests } from '@rx-informer/controller/webhooks';
 *
 * export const webhooks = [validate(resources.core.v1.pods, ({ object }) => (object.spec?.hostNetwork ? { deny: 'no host network' } : undefined))];
 * export const manifests = webhookManifests(webhooks, { service: { namespace: 'guard', name: 'guard' }, injectFrom: 'guard/guard' });
 * ```
 *
 * @throws TypeError when an option is wrong, or when `convert` does not know a version of a definition.
 */
export function webhookManifests(
  webhooks: readonly Webhook[],
  options: WebhookManifestOptions,
): readonly (V1ValidatingWebhookConfiguration | V1MutatingWebhookConfiguration | V1CustomResourceDefinition)[] {
  checkOptions('webhookManifests', options, {
    service: rules.object,
    url: rules.nonEmptyString,
    name: rules.nonEmptyString,
    caBundle: rules.nonEmptyString,
    injectFrom: { expected: "a Certificate as 'namespace/name'", holds: (value) => /^[^/]+\/[^/]+$/.test(String(value)) },
    definitions: rules.listOf(rules.object, 'definitions'),
  });
  const { service, url, name = service?.name, injectFrom, definitions = [] } = options;
  if (service !== undefined) expectService('webhookManifests', service);
  if (service === undefined && url === undefined) throw new TypeError('Expected `service` or `url` of `webhookManifests`, got none');
  if (name === undefined) throw new TypeError('Expected `name` of `webhookManifests` to be given without a `service`, got none');
  const served = servedWebhooks(webhooks);
  const annotations = injectFrom === undefined ? {} : { 'cert-manager.io/inject-ca-from': injectFrom };
  const metadata = { name, ...(injectFrom !== undefined && { annotations }) };
  const configurations = (['validate', 'mutate'] as const).flatMap((type) => {
    const own = served.filter(isAdmission).filter((webhook) => webhook.type === type);
    const kind = type === 'validate' ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration';
    const entries = own.map((webhook) => entryOf(webhook, options));
    return own.length === 0 ? [] : [{ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks: entries }];
  });
  return [...definitions.map((definition) => converted(definition, served, options, annotations)), ...configurations];
}
