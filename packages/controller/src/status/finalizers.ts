import { edit, type Edited, type KubernetesObject } from 'rx-informer';
import { describeValue, expectArgument, rules } from 'rx-informer/internal';

const syntax = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\/[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

function expectFinalizer(finalizer: string): void {
  if (!syntax.test(finalizer)) {
    throw new TypeError(`Expected \`finalizer\` to be a name such as "example.com/cleanup", got ${describeValue(finalizer)}`);
  }
}

/**
 * Whether the object is being deleted: it disappears when its last finalizer is removed.
 *
 * @example
 * ```ts
 * import { isBeingDeleted } from '@rx-informer/controller';
 *
 * console.log(isBeingDeleted({ metadata: { name: 'web', deletionTimestamp: '2026-01-01T00:00:00Z' } })); // true
 * ```
 */
export function isBeingDeleted(object: KubernetesObject): boolean {
  return object.metadata?.deletionTimestamp !== undefined;
}

/**
 * Whether the object has this finalizer.
 *
 * @example
 * ```ts
 * import { hasFinalizer } from '@rx-informer/controller';
 *
 * console.log(hasFinalizer({ metadata: { name: 'web', finalizers: ['example.com/bucket'] } }, 'example.com/bucket')); // true
 * ```
 */
export function hasFinalizer(object: KubernetesObject, finalizer: string): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false;
}

/**
 * The object with a finalizer, and the JSON patch that adds it; an empty patch when it has it already, or is being deleted, since
 * then the server accepts no new one.
 *
 * Send the patch, and wait for its success, before creating anything outside the cluster: only then does the deletion certainly wait for the finalizer's removal.
 * The patch applies only to the version of the object that it was made from (else 422).
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { ensureFinalizer } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const job = await client.get(resources.batch.v1.jobs, 'backup', { namespace: 'default' });
 * const { patch } = ensureFinalizer(job, 'example.com/bucket');
 * if (patch.length > 0) await client.patch(resources.batch.v1.jobs, 'backup', 'json', patch, { namespace: 'default' });
 * ```
 *
 * @throws TypeError when the finalizer is not of the form `domain/name`, which the server requires.
 *
 * @see controller-runtime's `controllerutil.AddFinalizer`
 */
export function ensureFinalizer<T extends KubernetesObject>(object: T, finalizer: string): Edited<T> {
  expectArgument('ensureFinalizer', 'object', object, rules.object);
  expectFinalizer(finalizer);
  if (isBeingDeleted(object) || hasFinalizer(object, finalizer)) return { object, patch: [] };
  return edit<KubernetesObject>(object, (draft) => {
    draft.metadata ??= {};
    (draft.metadata.finalizers ??= []).push(finalizer);
  }) as Edited<T>;
}

/**
 * The object without a finalizer, and the JSON patch that removes it; an empty patch when it has none. Other finalizers stay.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { removeFinalizer } from '@rx-informer/controller';
 *
 * const client = createClient();
 * const job = await client.get(resources.batch.v1.jobs, 'backup', { namespace: 'default' });
 * const { patch } = removeFinalizer(job, 'example.com/bucket');
 * if (patch.length > 0) await client.patch(resources.batch.v1.jobs, 'backup', 'json', patch, { namespace: 'default' });
 * ```
 *
 * @see controller-runtime's `controllerutil.RemoveFinalizer`
 */
export function removeFinalizer<T extends KubernetesObject>(object: T, finalizer: string): Edited<T> {
  expectArgument('removeFinalizer', 'object', object, rules.object);
  if (!hasFinalizer(object, finalizer)) return { object, patch: [] };
  return edit<KubernetesObject>(object, (draft) => {
    const { metadata } = draft;
    if (metadata?.finalizers !== undefined) metadata.finalizers = metadata.finalizers.filter((name) => name !== finalizer);
  }) as Edited<T>;
}
