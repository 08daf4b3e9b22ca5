import { checkOptions, deepFreeze, describeValue, messageOf, rules } from 'rx-informer/internal';
import { ApiError, type KubernetesObject, type Resource, type V1LabelSelector, type V1MatchCondition } from 'rx-informer';
import {
  type AdmissionOperation,
  type AdmissionVerdict,
  expectWebhookResource,
  type ReviewAnswer,
  servedWebhook,
  type ServedWebhook,
  webhookName,
  webhookPath,
} from './webhook.js';

/** Options of `validate` and `mutate`, most of them fields of the configuration. */
export interface AdmissionOptions<O extends AdmissionOperation> {
  /**
   * The operations to be asked about.
   *
   * @defaultValue `['CREATE', 'UPDATE']`
   */
  readonly operations?: readonly O[] | undefined;
  /**
   * What the API server does with a request when the webhook cannot be reached, does not answer in time, or fails: refuse it, or go on.
   *
   * @defaultValue 'Fail'
   */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
  /**
   * What an error of the function, or a function that takes too long, leads to: a refusal, or a failed call, for which the `failurePolicy` applies.
   *
   * @defaultValue 'failurePolicy'
   */
  readonly onError?: 'deny' | 'failurePolicy' | undefined;
  /**
   * How long the API server waits for the answer, in whole seconds, 1 to 30. Mutating webhooks are called one after the other, and the user's own
   * request has a limit, too, so keep it small.
   *
   * @defaultValue 5
   */
  readonly timeoutSeconds?: number | undefined;
  /** Only objects with matching labels. */
  readonly objectSelector?: V1LabelSelector | undefined;
  /** Only objects in namespaces with matching labels. The namespace of the webhook itself is left out anyway. */
  readonly namespaceSelector?: V1LabelSelector | undefined;
  /** Conditions in CEL, which the API server evaluates before it calls. */
  readonly matchConditions?: readonly V1MatchCondition[] | undefined;
  /**
   * Whether the function has effects outside of the object, which it omits in a dry run.
   *
   * @defaultValue 'None'
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
}

/** Checked options, with the defaults filled in. */
export type AdmissionSettings = AdmissionOptions<AdmissionOperation> & {
  readonly operations: readonly AdmissionOperation[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly timeoutSeconds: number;
  readonly sideEffects: 'None' | 'NoneOnDryRun';
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
};

/** A served admission webhook. */
export interface AdmissionWebhook extends ServedWebhook {
  readonly type: 'validate' | 'mutate';
  readonly settings: AdmissionSettings;
}

/** Whether a webhook reviews requests, and converts nothing. */
export const isAdmission = (webhook: ServedWebhook): webhook is AdmissionWebhook => webhook.type !== 'convert';

const listRule = rules.listOf(rules.object, 'objects');

function settingsOf(owner: 'validate' | 'mutate', options: AdmissionSettings | object): AdmissionSettings {
  const known: readonly AdmissionOperation[] = owner === 'validate' ? ['CREATE', 'UPDATE', 'DELETE'] : ['CREATE', 'UPDATE'];
  checkOptions(
    owner,
    options as Partial<AdmissionSettings>,
    {
      operations: {
        ...rules.listOf(rules.oneOf(...known), `${known.join(', ')}, not empty`),
        holds: (value) => Array.isArray(value) && value.length > 0 && value.every((one) => known.includes(one as AdmissionOperation)),
      },
      failurePolicy: rules.oneOf('Fail', 'Ignore'),
      onError: rules.oneOf('deny', 'failurePolicy'),
      timeoutSeconds: rules.number({ min: 1, max: 30, integer: true }),
      objectSelector: rules.object,
      namespaceSelector: rules.object,
      matchConditions: listRule,
      sideEffects: rules.oneOf('None', 'NoneOnDryRun'),
      ...(owner === 'mutate' && { reinvocationPolicy: rules.oneOf('Never', 'IfNeeded') }),
    } as Parameters<typeof checkOptions<AdmissionSettings>>[2],
  );
  const usual = { operations: ['CREATE', 'UPDATE'], failurePolicy: 'Fail', timeoutSeconds: 5, sideEffects: 'None' } as const;
  return { ...usual, ...options };
}

const verdictRules = {
  deny: rules.string,
  code: rules.number({ min: 400, max: 599, integer: true }),
  reason: rules.nonEmptyString,
  warnings: rules.listOf(rules.string, 'strings'),
  auditAnnotations: rules.object,
};

/** The answer of a verdict. `undefined` allows; anything else that is no verdict is an error, so that nothing is allowed by mistake. */
export function answerOf(owner: string, verdict: AdmissionVerdict | undefined): ReviewAnswer {
  if (verdict !== undefined) checkOptions(`the result of the function of ${owner}`, verdict, verdictRules);
  const { deny, code = 403, reason, warnings = [], auditAnnotations } = verdict ?? {};
  const named = reason ?? (code === 403 ? 'Forbidden' : undefined);
  const status = { status: 'Failure', code, message: deny, ...(named !== undefined && { reason: named }) };
  const extras = { ...(warnings.length > 0 && { warnings }), ...(auditAnnotations !== undefined && { auditAnnotations }) };
  return deny === undefined
    ? { verdict: 'allowed', response: { allowed: true, ...extras } }
    : { verdict: 'denied', response: { allowed: false, status, ...extras } };
}

/**
 * The request as the function gets it: absent objects are undefined, and those that are there are frozen. The review of an object that is deleted with all others of
 * a collection has no name.
 */
function requestOf(request: Readonly<Record<string, unknown>>, signal: AbortSignal): object {
  const { uid, namespace = '', operation, userInfo = {}, dryRun = false, object, oldObject } = request;
  const given = { object: object ?? undefined, oldObject: oldObject ?? undefined };
  const { name = '' } = request['name'] ? request : ((given.oldObject as KubernetesObject | undefined)?.metadata ?? {});
  return { uid, name, namespace, operation, user: userInfo, dryRun, signal, ...deepFreeze(given) };
}

/** Makes an admission webhook. `review` gets the request of the function, and says what the API server is answered. */
export function admissionWebhook(
  type: 'validate' | 'mutate',
  resource: Resource<KubernetesObject, never>,
  review: (request: never) => Promise<ReviewAnswer>,
  options: object,
): AdmissionWebhook {
  expectWebhookResource(resource);
  const settings = settingsOf(type, options);
  const denied = (error: unknown): ReviewAnswer => {
    const status = error instanceof ApiError && error.code >= 400 ? error.status : undefined;
    const code = error instanceof ApiError && error.code >= 400 ? error.code : 500;
    const response = { allowed: false, status: { status: 'Failure', message: messageOf(error), ...status, code } };
    return { verdict: 'denied', response, error };
  };
  return servedWebhook({
    type,
    resource,
    name: webhookName(type, resource),
    path: webhookPath(type, resource),
    settings,
    timeoutSeconds: settings.timeoutSeconds,
    review: 'AdmissionReview',
    answer: (request, { signal }) => review(requestOf(request, signal) as never),
    // A refusal by an API server that the function has asked is the answer, not a failure.
    failure: (error) => (settings.onError === 'deny' || error instanceof ApiError ? denied(error) : undefined),
  });
}

/** Throws unless the argument is a function. */
export function expectReviewer(owner: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected \`${owner}\` to get a function, got ${describeValue(value)}`);
}
