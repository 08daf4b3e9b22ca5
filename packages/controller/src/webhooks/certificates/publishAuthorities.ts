import {
  createInformer,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  resources,
  type SharedInformer,
  type V1CustomResourceDefinition,
  type V1MutatingWebhookConfiguration,
  type V1ValidatingWebhookConfiguration,
} from 'rx-informer';
import { isAdmission } from '../admission.js';
import type { ServedWebhook } from '../webhook.js';

const { mutatingwebhookconfigurations, validatingwebhookconfigurations } = resources.admissionregistration.v1;
const { customresourcedefinitions } = resources.apiextensions.v1;
const fieldManager = 'rx-informer-webhooks';

/** An object that names the webhooks, and the patch that sets the `caBundle` in it. */
interface Target {
  readonly informer: SharedInformer<KubernetesObject>;
  /** Sets the bundle where it differs. */
  publish(client: KubeClient, caBundle: string, signal: AbortSignal): Promise<void>;
}

type Configuration = V1MutatingWebhookConfiguration | V1ValidatingWebhookConfiguration;

/** The fields to apply to a configuration; undefined where nothing differs. */
function configurationPatch({ webhooks = [] }: Configuration, names: ReadonlySet<string>, caBundle: string): object | undefined {
  const own = webhooks.filter(({ name }) => names.has(name));
  if (own.every(({ clientConfig }) => clientConfig.caBundle === caBundle)) return undefined;
  return { webhooks: own.map(({ name }) => ({ name, clientConfig: { caBundle } })) };
}

function definitionPatch({ spec: { conversion } }: V1CustomResourceDefinition, caBundle: string): object | undefined {
  if (conversion?.strategy !== 'Webhook' || conversion.webhook?.clientConfig?.caBundle === caBundle) return undefined;
  return { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } };
}

function targetOf<T extends KubernetesObject>(
  client: KubeClient,
  resource: Resource<T>,
  name: string,
  patchOf: (object: T, caBundle: string) => object | undefined,
): Target {
  const informer = createInformer(client, resource, { fieldSelector: `metadata.name=${name}` });
  return {
    informer,
    async publish(bound, caBundle, signal) {
      const object = informer.lister.get(name);
      const patch = object === undefined ? undefined : patchOf(object, caBundle);
      // The field is applied, so that whoever renders the rest anew, without it, leaves it alone.
      if (patch !== undefined) await bound.patch(resource, name, 'apply', patch, { fieldManager, force: true, signal });
    },
  };
}

/** The configurations and definitions that name the webhooks, as informers of one object each. */
export function publicationTargets(client: KubeClient, webhooks: readonly ServedWebhook[], name: string): readonly Target[] {
  const names = new Set(webhooks.filter(isAdmission).map((webhook) => webhook.name));
  const hasType = (type: ServedWebhook['type']): boolean => webhooks.some((webhook) => webhook.type === type);
  const conversions = webhooks.filter(({ type }) => type === 'convert');
  return [
    ...(hasType('validate')
      ? [targetOf(client, validatingwebhookconfigurations, name, (one, bundle) => configurationPatch(one, names, bundle))]
      : []),
    ...(hasType('mutate')
      ? [targetOf(client, mutatingwebhookconfigurations, name, (one, bundle) => configurationPatch(one, names, bundle))]
      : []),
    ...conversions.map(({ resource: { group, plural } }) =>
      targetOf(client, customresourcedefinitions, `${plural}.${group}`, definitionPatch),
    ),
  ];
}
