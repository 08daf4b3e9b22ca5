import { edit, type KubernetesObject } from 'rx-informer';
import { messageOf } from 'rx-informer/internal';
import { isConversion } from './convert.js';
import { describeReviewed, type ServedWebhook, servedOf, type Webhook } from './webhook.js';

/** The paths at which two objects differ. */
function differences(before: KubernetesObject, after: KubernetesObject): readonly string[] {
  return edit(before, () => after)
    .patch.filter(({ op }) => op !== 'test')
    .map(({ path }) => path);
}

async function mutated(webhook: ServedWebhook, object: KubernetesObject): Promise<KubernetesObject> {
  const { name = '', namespace = '' } = object.metadata ?? {};
  const request = { uid: 'breaches', operation: 'CREATE', name, namespace, userInfo: {}, dryRun: true, object };
  const { object: changed = object } = await webhook.answer(request, { signal: new AbortController().signal });
  return changed;
}

async function mutationBreaches(webhook: ServedWebhook, object: KubernetesObject): Promise<readonly string[]> {
  const once = await mutated(webhook, object);
  const paths = differences(once, await mutated(webhook, once));
  return paths.length === 0 ? [] : [`${webhook.name}: mutating ${describeReviewed(object)} twice is not once: ${paths.join(', ')} differ`];
}

/**
 * Checks the laws of webhooks on sample objects, for a test: a mutation twice is once, and a conversion to each other version and back is the identity. Returns what
 * breaks them, a sentence for each; of validating webhooks, nothing.
 *
 * @example
 * ```ts
 * import { edit, resources } from 'rx-informer';
 * import { breaches, mutate } from '@rx-informer/controller/webhooks';
 *
 * const counted = mutate(resources.core.v1.configmaps, ({ object }) =>
 *   edit(object, (draft) => {
 *     draft.data = { ...draft.data, writes: String(Number(draft.data?.['writes'] ?? 0) + 1) };
 *   }),
 * );
 * await breaches(counted, [{ metadata: { name: 'settings', namespace: 'default' } }]);
 * // ['mutate.v1.configmaps.core: mutating object default/settings twice is not once: /data/writes differ']
 * ```
 */
export async function breaches(webhook: Webhook, samples: readonly KubernetesObject[]): Promise<readonly string[]> {
  const served = servedOf(webhook);
  const found: string[] = [];
  for (const sample of samples) {
    if (served.type === 'mutate') found.push(...(await mutationBreaches(served, sample)));
    if (!isConversion(served)) continue;
    for (const version of served.versions.filter((one) => one !== sample.apiVersion)) {
      try {
        const back = await served.convert(await served.convert(sample, version), sample.apiVersion ?? '');
        const paths = differences(sample, back);
        if (paths.length > 0)
          found.push(`${served.name}: converting ${describeReviewed(sample)} to ${version} and back changes ${paths.join(', ')}`);
      } catch (error) {
        found.push(`${served.name}: ${messageOf(error)}`);
      }
    }
  }
  return found;
}
