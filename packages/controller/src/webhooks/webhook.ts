import type { KubernetesObject, Resource } from 'rx-informer';
import { isResource, notAResource } from 'rx-informer/internal';

/** The writes that a webhook is asked about. */
export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE';

/** The user who sent the request under review. */
export interface AdmissionUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What every request under review has. */
interface AnyAdmissionRequest {
  /** Identifies this review. */
  readonly uid: string;
  /** The name of the object; `''` while the server has not yet generated it. */
  readonly name: string;
  /** `''` for a cluster-scoped object. A Namespace is said to be in itself. */
  readonly namespace: string;
  readonly user: AdmissionUser;
  /** Nothing of this request will be stored: a function with side effects outside of the object must not have them. */
  readonly dryRun: boolean;
  /** Aborts shortly before the caller gives up; the answer is then too late. */
  readonly signal: AbortSignal;
}

/** The objects of a request, by its operation. */
interface ObjectsOf<T> {
  readonly CREATE: { readonly operation: 'CREATE'; readonly object: T; readonly oldObject: undefined };
  readonly UPDATE: { readonly operation: 'UPDATE'; readonly object: T; readonly oldObject: T };
  readonly DELETE: { readonly operation: 'DELETE'; readonly object: undefined; readonly oldObject: T };
}

/** A request under review. Its objects are frozen. */
export type AdmissionRequest<T, O extends AdmissionOperation = 'CREATE' | 'UPDATE'> = AnyAdmissionRequest & ObjectsOf<T>[O];

/** The answer of a webhook's function about a request. */
export interface AdmissionVerdict {
  /** Refuses the request, with this message for its user. Without it, the request is allowed. */
  readonly deny?: string | undefined;
  /** The HTTP status code of a refusal. @defaultValue 403 */
  readonly code?: number | undefined;
  /** The machine-readable reason of a refusal. @defaultValue `Forbidden` with the code 403 */
  readonly reason?: string | undefined;
  /** Warnings for the user, for example by kubectl: at most 256 characters each. */
  readonly warnings?: readonly string[] | undefined;
  /** Entries for the audit log. */
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}

/** A webhook, made by `validate`, `mutate` or `convert`, for `createManager`, `serveWebhooks`, `installWebhooks` and `webhookManifests`. */
export interface Webhook {
  readonly type: 'validate' | 'mutate' | 'convert';
  /** Its name in configurations, metrics and logs, for example `validate.v1.websites.example.com`. */
  readonly name: string;
  /** The path that it is called by, for example `/validate-example-com-v1-website`. */
  readonly path: string;
  readonly resource: Resource<KubernetesObject, never>;
}

/** The answer to one review. */
export interface ReviewAnswer {
  /** The `response` of the review, without its uid. */
  readonly response: object;
  readonly verdict: 'allowed' | 'denied' | 'failed' | 'converted';
  /** Why it failed. */
  readonly error?: unknown;
  /** What a mutation has changed, as a JSON patch. */
  readonly patch?: readonly object[];
  /** The object as a mutation has changed it. */
  readonly object?: KubernetesObject;
}

/** The limits of one call of a webhook. */
export interface ReviewCall {
  readonly signal: AbortSignal;
}

/** A webhook as the server calls it. */
export interface ServedWebhook extends Webhook {
  /** How long a call may take if the caller does not say so, in seconds. */
  readonly timeoutSeconds: number;
  /** The kind of its reviews. */
  readonly review: 'AdmissionReview' | 'ConversionReview';
  /** Answers the `request` of a review. Rejects when the function of the user fails. */
  answer(request: Readonly<Record<string, unknown>>, call: ReviewCall): Promise<ReviewAnswer>;
  /** The answer to a call whose function has failed; undefined for a failed call, which the API server treats as its `failurePolicy` says. */
  failure(error: unknown): ReviewAnswer | undefined;
}

const served = new WeakSet();

/** Marks a webhook as made here. */
export function servedWebhook<W extends ServedWebhook>(webhook: W): W {
  served.add(webhook);
  return webhook;
}

/** The webhook as the server calls it. @throws TypeError when it was not made by `validate`, `mutate` or `convert`. */
export function servedOf(webhook: unknown): ServedWebhook {
  if (typeof webhook === 'object' && webhook !== null && served.has(webhook)) return webhook as ServedWebhook;
  throw new TypeError('Expected `webhooks` to be a list of what `validate`, `mutate` and `convert` return');
}

/** Checks that no two webhooks have one path. @throws TypeError */
export function servedWebhooks(webhooks: readonly Webhook[]): readonly ServedWebhook[] {
  const all = webhooks.map(servedOf);
  // Conversions share one path.
  const taken = all.map(({ type, path, name }) => (type === 'convert' ? name : path));
  const twice = all.find((_, at) => taken.indexOf(taken[at] ?? '') < at);
  if (twice !== undefined) throw new TypeError(`Expected one webhook named ${twice.name}, got two`);
  return all;
}

/** Checks the resource of a webhook. @throws TypeError */
export function expectWebhookResource(resource: unknown): void {
  if (!isResource(resource)) throw notAResource(resource);
}

/** A name with the three parts that the API server requires. */
export function webhookName(type: Webhook['type'], { group, version, plural }: Resource<unknown, never>): string {
  return [type, ...(type === 'convert' ? [] : [version]), plural, group === '' ? 'core' : group].join('.');
}

/** The path of an admission webhook, as controller-runtime's builder makes it. */
export function webhookPath(type: Webhook['type'], { group, version, kind }: Resource<unknown, never>): string {
  return `/${type}-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

/** `kind/name` of an object, for messages. */
export function describeReviewed(object: KubernetesObject): string {
  const { kind = 'object', metadata: { namespace = '', name = '' } = {} } = object;
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`;
}
