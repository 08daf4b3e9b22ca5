import type { KubernetesObject, Resource } from 'rx-informer';
import { type AdmissionOptions, admissionWebhook, answerOf, expectReviewer } from './admission.js';
import type { AdmissionOperation, AdmissionRequest, AdmissionVerdict, Webhook } from './webhook.js';

/** What a function of `validate` may return. */
export type Validation = AdmissionVerdict | undefined | void;

/**
 * Makes a validating webhook: the function sees each write of a resource before it is stored, and may refuse it.
 *
 * Nothing returned allows the request; `{ deny: 'why' }` refuses it; `{ warnings }` are shown to the user. The objects are frozen. A thrown ApiError is the
 * answer; any other error is a failed call, for which `failurePolicy` applies, or with `onError: 'deny'` a refusal. So is a function that takes longer than
 * the caller waits: it is told by `signal` shortly before.
 *
 * Rules that need no program belong into the definition, in CEL.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { validate } from '@rx-informer/controller/webhooks';
 *
 * const fewReplicas = validate(resources.apps.v1.deployments, ({ object, oldObject }) => {
 *   const wanted = object.spec?.replicas ?? 1;
 *   if (wanted > 50) return { deny: `at most 50 replicas are allowed, not ${wanted}` };
 *   return wanted < (oldObject?.spec?.replicas ?? 1) ? { warnings: ['fewer replicas than before'] } : undefined;
 * });
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see controller-runtime's `admission.Validator`
 */
export function validate<T extends KubernetesObject, O extends AdmissionOperation = 'CREATE' | 'UPDATE'>(
  resource: Resource<T, never>,
  check: (request: AdmissionRequest<T, O>) => Validation | Promise<Validation>,
  options: AdmissionOptions<O> = {},
): Webhook {
  expectReviewer('validate', check);
  const review = async (request: AdmissionRequest<T, O>) => answerOf('validate', (await check(request)) ?? undefined);
  return admissionWebhook('validate', resource, review, options);
}
