import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { isEqualJson, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { internalError } from '../status/statusErrors.js';
import type { OrderedMap } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';
import { convertDocument } from '../conversion/convertDocument.js';
import { warn } from '../write/warnings.js';
import type { AdmissionAttributes } from './admissionAttributes.js';
import { deniedBy, reviewAnswer, reviewRequest, type ReviewAnswer } from './admissionReview.js';
import { webhooksIn, type AdmissionWebhook } from './admissionWebhook.js';
import { matchWebhook } from './matchWebhook.js';
import { meetsConditions } from './meetsConditions.js';
import { policyMutators, validateByPolicies, type Mutator } from './policies.js';
import { callWebhook, WebhookCallError } from './webhookClient.js';
import { applyWebhookPatch } from './webhookPatch.js';

const group = 'admissionregistration.k8s.io';
const mutatingBucket = `${group}/mutatingwebhookconfigurations`;
const validatingBucket = `${group}/validatingwebhookconfigurations`;

const policyBindings = ['mutating', 'validating'].map((kind) => `${group}/${kind}admissionpolicybindings`);

/** A webhook to call. */
interface Matched {
  readonly webhook: AdmissionWebhook;
  /** The resource in the version that is sent to the webhook. */
  readonly resource: ServedResource;
}

/**
 * The webhooks for one write request.
 */
export class Admission {
  private readonly cluster: Cluster;
  private readonly exchange: Exchange;
  private readonly mutating: readonly AdmissionWebhook[];
  private readonly validating: readonly AdmissionWebhook[];
  /** Each warning is sent once. */
  private readonly warned = new Set<string>();

  constructor(cluster: Cluster, exchange: Exchange, mutating: OrderedMap<StoredObject>, validating: OrderedMap<StoredObject>) {
    this.cluster = cluster;
    this.exchange = exchange;
    this.mutating = webhooksIn(mutating);
    this.validating = webhooksIn(validating);
  }

  /**
   * Runs the mutating policies and webhooks one after the other, then those again that must see what others have changed.
   *
   * @returns the changed object; undefined for a delete.
   * @throws StatusError when one of them denies the request, or fails with the failure policy `Fail`.
   */
  async mutate(attributes: AdmissionAttributes): Promise<JsonObject | undefined> {
    const webhooks = this.mutating.map((webhook): Mutator => ({
      reinvoked: webhook.reinvoked,
      run: async (object) => this.mutateBy(webhook, { ...attributes, object }),
    }));
    let { object } = attributes;
    const outputs = new Map<Mutator, JsonObject | undefined>();
    const policies = await policyMutators(this.cluster, attributes);
    for (const mutator of [...policies, ...webhooks]) {
      object = await mutator.run(object);
      // As in Kubernetes, a policy runs again after its own changes, too.
      if (mutator.reinvoked) outputs.set(mutator, policies.includes(mutator) ? attributes.object : object);
    }
    for (const [mutator, output] of outputs) if (!isEqualJson(output, object)) object = await mutator.run(object);
    return object;
  }

  /**
   * Runs the validating policies, then calls all validating webhooks at once.
   *
   * @throws StatusError when one of them denies the request, or fails with the failure policy `Fail`.
   */
  async validate(attributes: AdmissionAttributes): Promise<void> {
    await validateByPolicies(this.cluster, attributes, (warning) => {
      this.warn(warning);
    });
    const asked = this.validating.map((webhook) => this.reviewBy(webhook, attributes, false));
    const outcomes = await Promise.allSettled(asked);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    if (refused !== undefined) throw refused.reason;
  }

  private async mutateBy(webhook: AdmissionWebhook, attributes: AdmissionAttributes): Promise<JsonObject | undefined> {
    const { object, resource } = attributes;
    const reviewed = await this.reviewBy(webhook, attributes, true);
    if (reviewed === undefined || object === undefined || reviewed.patched === undefined) return object;
    return convertDocument(this.cluster, reviewed.patched, reviewed.resource, resource);
  }

  /** Calls one webhook; undefined when it does not match the request, or failed with the failure policy `Ignore`. */
  private async reviewBy(
    webhook: AdmissionWebhook,
    attributes: AdmissionAttributes,
    mutating: boolean,
  ): Promise<{ readonly resource: ServedResource; readonly patched: JsonObject | undefined } | undefined> {
    const resource = matchWebhook(this.cluster, webhook, attributes);
    if (resource === undefined) return undefined;
    const about = reviewRequest('', attributes, resource, attributes);
    if (!(await meetsConditions(this.cluster, webhook, attributes, about))) return undefined;
    try {
      const [answer, object] = await this.ask({ webhook, resource }, attributes, mutating);
      for (const warning of answer.warnings) this.warn(warning);
      if (!answer.allowed) throw deniedBy(webhook.name, answer.status);
      return { resource, patched: answer.patch === '' || object === undefined ? undefined : applyWebhookPatch(object, answer.patch) };
    } catch (error) {
      if (!(error instanceof WebhookCallError)) throw error;
      if (webhook.ignoresFailure) return undefined;
      throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${error.message}`);
    }
  }

  private async ask(
    { webhook, resource }: Matched,
    attributes: AdmissionAttributes,
    mutating: boolean,
  ): Promise<readonly [ReviewAnswer, JsonObject | undefined]> {
    const { reviewVersion: version } = webhook;
    if (version === undefined) throw new WebhookCallError('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
    const convert = (object: JsonObject | undefined): Promise<JsonObject> | undefined =>
      object && convertDocument(this.cluster, object, attributes.resource, resource);
    const objects = { object: await convert(attributes.object), oldObject: await convert(attributes.oldObject) };
    const uid = this.cluster.random.uid();
    const request = reviewRequest(uid, attributes, resource, objects);
    const review = { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request };
    const timeout = { seconds: webhook.timeoutSeconds, sendsTimeout: true };
    const received = await callWebhook(this.cluster, webhook.clientConfig, review, timeout).catch((error: unknown) => {
      throw error instanceof WebhookCallError ? new WebhookCallError(`failed to call webhook: ${error.message}`) : error;
    });
    return [reviewAnswer(received, uid, version, mutating), objects.object];
  }

  private warn(warning: string): void {
    if (this.warned.has(warning)) return;
    this.warned.add(warning);
    warn(this.exchange.response, [warning]);
  }
}

/** The webhooks and policies of a server; undefined when there are none, so that writes have no extra cost. */
export function admissionOf(cluster: Cluster, exchange: Exchange): Admission | undefined {
  const { store } = cluster;
  const [mutating, validating] = [store.bucket(mutatingBucket).root, store.bucket(validatingBucket).root];
  const anybody = mutating ?? validating ?? policyBindings.find((id) => store.bucket(id).root !== undefined);
  return anybody === undefined ? undefined : new Admission(cluster, exchange, mutating, validating);
}
