import { edit, type Edited, type KubernetesObject, type Resource } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';
import { type AdmissionOptions, admissionWebhook, answerOf, expectReviewer } from './admission.js';
import type { AdmissionRequest, AdmissionVerdict, ReviewAnswer, Webhook } from './webhook.js';

/** What a function of `mutate` may return: the changed object, what `edit` returns, or a verdict; nothing for no change. */
export type Mutation<T> = T | Edited<T> | (AdmissionVerdict & { readonly object?: T | undefined }) | undefined | void;

/** Options of `mutate`. */
export interface MutateOptions<O extends 'CREATE' | 'UPDATE'> extends AdmissionOptions<O> {
  /**
   * Whether it is called a second time when a later webhook has changed the object.
   *
   * @defaultValue 'Never'
   */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
}

/** The fields of every Kubernetes object, which no verdict has. */
const ofObjects = ['metadata', 'kind', 'apiVersion'];

function answerTo<T extends KubernetesObject>(object: T, mutation: Mutation<T>): ReviewAnswer {
  if (mutation !== undefined) expectArgument('mutate', 'the result of the function', mutation, rules.object);
  const isObject = mutation !== undefined && ofObjects.some((field) => field in mutation);
  const said = (isObject ? { object: mutation as T } : (mutation ?? {})) as AdmissionVerdict & Partial<Edited<T>>;
  const { object: changed = object, patch: _, ...verdict } = said;
  expectArgument('mutate', 'object', changed, rules.object);
  const { patch, object: edited } = edit(object, () => changed);
  const answer = answerOf('mutate', verdict);
  return { ...answer, object: edited, ...(answer.verdict === 'allowed' && patch.length > 0 && { patch }) };
}

/**
 * Makes a mutating webhook: the function sees each write of a resource before it is validated and stored, and may change the object.
 *
 * It returns the changed object, best made by `edit`, whose result may be returned, too; the patch is what differs from the object as it was sent, so fields that this program does
 * not know stay. The API server may call it twice, and mutators of others change the same object: mutating twice must be the same as once, which `breaches`
 * checks in a test.
 *
 * @example
 * ```ts
 * import { edit, resources } from 'rx-informer';
 * import { mutate } from '@rx-informer/controller/webhooks';
 *
 * const labelled = mutate(resources.core.v1.pods, ({ object }) =>
 *   edit(object, (draft) => {
 *     draft.metadata = { ...draft.metadata, labels: { team: 'unknown', ...draft.metadata?.labels } };
 *   }),
 * );
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see controller-runtime's `admission.Defaulter`
 */
export function mutate<T extends KubernetesObject, O extends 'CREATE' | 'UPDATE' = 'CREATE' | 'UPDATE'>(
  resource: Resource<T, never>,
  change: (request: AdmissionRequest<T, O>) => Mutation<T> | Promise<Mutation<T>>,
  options: MutateOptions<O> = {},
): Webhook {
  expectReviewer('mutate', change);
  const review = async (request: AdmissionRequest<T, O>): Promise<ReviewAnswer> => answerTo<T>(request.object, await change(request));
  return admissionWebhook('mutate', resource, review, options);
}
