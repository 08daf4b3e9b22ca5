import { userInfo } from '../auth/user.js';
import { asJsonObject, asString, isJsonObject, textsAt, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { StatusError } from '../status/statusError.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import { WebhookCallError } from './webhookClient.js';

/** The objects of a review, in the version that is sent to the webhook. */
export interface ReviewedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The answer of a webhook. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly status: JsonObject;
  /** The patch as it was sent, in base64; `''` for none. */
  readonly patch: string;
  readonly warnings: readonly string[];
}

function kindOf({ group, version, kind }: ServedResource, subresource: string, { object, oldObject }: ReviewedObjects): JsonObject {
  const shown = object ?? oldObject;
  if (subresource === '' || shown === undefined) return { group, version, kind };
  // The object of a subresource may be of another kind, such as a Scale.
  const [first = '', second] = asString(shown['apiVersion']).split('/');
  return { group: second === undefined ? '' : first, version: second ?? first, kind: asString(shown['kind']) };
}

function resourceOf({ group, version, plural }: ServedResource): JsonObject {
  return { group, version, resource: plural };
}

/** The request of a review. `resource` is in the version for the webhook, which may differ from that of the request. */
export function reviewRequest(
  uid: string,
  attributes: AdmissionAttributes,
  resource: ServedResource,
  objects: ReviewedObjects,
): JsonObject {
  const { operation, subresource, namespace, name, options, dryRun, user } = attributes;
  return {
    uid,
    kind: kindOf(resource, subresource, objects),
    resource: resourceOf(resource),
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: kindOf(attributes.resource, subresource, attributes),
    requestResource: resourceOf(attributes.resource),
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfo(user),
    object: objects.object ?? null,
    oldObject: objects.oldObject ?? null,
    dryRun,
    options,
  };
}

function unusable(problem: string): WebhookCallError {
  return new WebhookCallError(`received invalid webhook response: ${problem}`);
}

function checkPatch({ patch, patchType }: JsonObject, mutating: boolean): void {
  const [sent, typed] = [asString(patch) !== '', patchType !== undefined && patchType !== null];
  if (!mutating && sent) throw unusable('validating webhook may not return response.patch');
  if (!mutating && typed) throw unusable('validating webhook may not return response.patchType');
  if (sent && !typed) throw unusable('webhook returned response.patch but not response.patchType');
  if (typed && !sent) throw unusable('webhook returned response.patchType but not response.patch');
  if (typed && patchType !== 'JSONPatch') throw unusable(`webhook returned invalid response.patchType of ${JSON.stringify(patchType)}`);
}

/**
 * Reads the answer to a review.
 *
 * @throws WebhookCallError for an invalid answer.
 */
export function reviewAnswer(answer: JsonObject, uid: string, version: string, mutating: boolean): ReviewAnswer {
  const [apiVersion, kind] = [asString(answer['apiVersion']), asString(answer['kind'])];
  if (kind !== 'AdmissionReview' || !apiVersion.startsWith('admission.k8s.io/'))
    throw new WebhookCallError(
      `failed to call webhook: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
    );
  const sent = apiVersion.slice('admission.k8s.io/'.length);
  if (sent !== version) {
    throw new WebhookCallError(`failed to call webhook: converting (${sent}.${kind}) to (${version}.${kind}): unknown conversion`);
  }
  const { response } = answer;
  if (!isJsonObject(response)) throw unusable('webhook response was absent');
  // Only `v1` requires the uid and the type of the patch.
  if (version === 'v1') {
    if (response['uid'] !== uid)
      throw unusable(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(asString(response['uid']))}`);
    checkPatch(response, mutating);
  }
  const { allowed, status, patch, warnings } = response;
  return { allowed: allowed === true, status: asJsonObject(status), patch: asString(patch), warnings: textsAt(warnings) };
}

/** The refusal of a request by a webhook. */
export function deniedBy(name: string, { message, reason, code, details }: JsonObject): StatusError {
  const denied = `admission webhook ${JSON.stringify(name)} denied the request`;
  const why = asString(message) || asString(reason);
  return new StatusError({
    code: typeof code === 'number' && code >= 400 ? code : 400,
    message: why === '' ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(asString(reason) !== '' && { reason: asString(reason) }),
    ...(isJsonObject(details) && { details: details }),
  });
}
