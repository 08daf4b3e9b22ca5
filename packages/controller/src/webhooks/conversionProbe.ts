import { firstValueFrom, type SchedulerLike, timer } from 'rxjs';
import { customResource, type KubeClient, type KubernetesObject, resources, type V1CustomResourceDefinition } from 'rx-informer';
import { convert } from './convert.js';
import { type ServedWebhook, servedOf } from './webhook.js';
import { type WebhookManifestOptions, webhookManifests } from './webhookManifests.js';

const { customresourcedefinitions } = resources.apiextensions.v1;

/** How long an API server may take until it calls webhooks that were installed, and how often it is asked. */
const reachMs = 30_000;
const reachPeriodMs = 20;

/** Asks until the answer is yes. @throws Error with the last failure as its cause. */
export async function reach(name: string, scheduler: SchedulerLike, isReached: () => Promise<boolean>): Promise<void> {
  let problem: unknown;
  for (let waitedMs = 0; waitedMs < reachMs; waitedMs += reachPeriodMs) {
    try {
      if (await isReached()) return;
    } catch (error) {
      problem = error;
    }
    await firstValueFrom(timer(reachPeriodMs, scheduler), { defaultValue: 0 });
  }
  throw new Error(`The API server does not call ${name}`, { cause: problem });
}

/** A conversion of a kind of its own, which is there only while it is asked for. */
export interface ConversionProbe {
  readonly webhook: ServedWebhook;
  /**
   * Waits until the API server calls it. An API server learns of definitions in the order of their changes, so that it calls the conversions of those that were changed
   * before.
   */
  reach(client: KubeClient, options: WebhookManifestOptions, scheduler: SchedulerLike): Promise<void>;
}

export function conversionProbe(): ConversionProbe {
  const group = `probe-${crypto.randomUUID()}.rx-informer.test`;
  const names = { group, plural: 'probes', kind: 'Probe', namespaced: false };
  const [hub, other] = ['v1', 'v2'].map((version) => customResource<KubernetesObject>({ ...names, version }));
  if (hub === undefined || other === undefined) throw new TypeError('Expected two versions');
  let isCalled = false;
  const note = (object: KubernetesObject): KubernetesObject => {
    isCalled = true;
    return object;
  };
  const webhook = servedOf(convert(hub, { resource: other, toHub: note, fromHub: note }));
  const name = `probes.${group}`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition: V1CustomResourceDefinition = {
    metadata: { name },
    spec: {
      ...{ group, scope: 'Cluster', names: { plural: 'probes', kind: 'Probe' } },
      versions: ['v1', 'v2'].map((version) => ({ name: version, served: true, storage: version === 'v1', schema })),
    },
  };
  return {
    webhook,
    async reach(client, options, scheduler) {
      const [converted] = webhookManifests([webhook], { ...options, definitions: [definition] });
      await client.create(customresourcedefinitions, converted as V1CustomResourceDefinition);
      try {
        await reach('the conversions', scheduler, async () => {
          // It is stored in the other version, so it is converted, even if nothing is stored.
          await client.create(other, { metadata: { name: 'probe' } }, { dryRun: true });
          return isCalled;
        });
      } finally {
        await client.delete(customresourcedefinitions, name);
      }
    },
  };
}
