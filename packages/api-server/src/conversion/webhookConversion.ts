import { createHash } from 'node:crypto';
import { WebhookCallError, callWebhook } from '../admission/webhookClient.js';
import type { Cluster } from '../cluster.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, valueAt, without, type Json, type JsonObject } from '../json.js';
import { bareError } from '../status/statusErrors.js';
import { StatusError } from '../status/statusError.js';
import type { Translation } from '../kinds/servedResource.js';
import { pruneObject } from '../schema/pruneObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import type { StoredContent, StoredMeta } from '../store/storedObject.js';

/** The result of a webhook for one object: converted, or an error. */
type Converted = JsonObject | StatusError;

const timeout = { seconds: 30, sendsTimeout: true };

/** What a webhook may read of an object, but for what every write changes. */
function digestOf({ metadata, ...fields }: StoredContent): string {
  const { name, namespace, uid, labels, annotations } = metadata;
  const read = JSON.stringify([name, namespace, uid, labels, annotations, fields]);
  return createHash('sha1').update(read).digest('base64');
}

/**
 * Converts the objects of one definition between its versions by calling a webhook. Results are cached until the object
 * changes.
 */
export class WebhookConversion implements Translation {
  readonly stored: string;
  private readonly cluster: Cluster;
  private readonly kind: string;
  private readonly clientConfig: JsonObject;
  private readonly reviewVersion: string;
  private readonly schemas: ReadonlyMap<string, JsonObject | undefined>;
  /** By version and content. */
  private readonly known = new Map<string, Map<string, Converted>>();

  constructor(cluster: Cluster, kind: string, stored: string, webhook: JsonObject, schemas: ReadonlyMap<string, JsonObject | undefined>) {
    const { clientConfig, conversionReviewVersions } = webhook;
    const versions = isJsonArray(conversionReviewVersions) ? conversionReviewVersions.map(asString) : [];
    this.cluster = cluster;
    this.kind = kind;
    this.schemas = schemas;
    this.stored = stored;
    this.clientConfig = asJsonObject(clientConfig);
    this.reviewVersion = versions.find((version) => version === 'v1' || version === 'v1beta1') ?? 'v1';
  }

  get wanted(): readonly string[] {
    return [...this.known.keys()];
  }

  async prepare(version: string, contents: Iterable<StoredContent>, afresh = false): Promise<void> {
    const known = this.known.get(version) ?? new Map<string, Converted>();
    this.known.set(version, known);
    const missing = new Map<string, JsonObject>();
    for (const content of contents) {
      const id = digestOf(content);
      if (afresh || !isTranslated(known.get(id))) missing.set(id, { apiVersion: this.stored, kind: this.kind, ...content });
    }
    if (missing.size === 0) return;
    try {
      const converted = await this.convert(version, [...missing.values()]);
      for (const [at, id] of [...missing.keys()].entries()) known.set(id, converted[at] ?? {});
    } catch (error) {
      if (afresh) throw error;
      for (const id of missing.keys()) known.set(id, error as StatusError);
    }
  }

  show(version: string, content: StoredContent): StoredContent {
    const converted = this.known.get(version)?.get(digestOf(content));
    if (converted === undefined)
      throw bareError(`conversion webhook for ${this.stored}, Kind=${this.kind} was not asked for ${content.metadata.name}`);
    if (!isTranslated(converted)) throw converted;
    const { labels, annotations } = asJsonObject(converted['metadata']) as Partial<StoredMeta>;
    return { metadata: orderedMeta(content.metadata, { labels, annotations }), ...without(converted, 'kind', 'apiVersion', 'metadata') };
  }

  async convert(version: string, objects: readonly JsonObject[]): Promise<readonly JsonObject[]> {
    const [first] = objects;
    const about = `conversion webhook for ${asString(first?.['apiVersion'])}, Kind=${this.kind}`;
    const uid = this.cluster.random.uid();
    const review = {
      kind: 'ConversionReview',
      apiVersion: `apiextensions.k8s.io/${this.reviewVersion}`,
      request: { uid, desiredAPIVersion: version, objects },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    };
    let answer: JsonObject;
    try {
      answer = await callWebhook(this.cluster, this.clientConfig, review, timeout);
    } catch (error) {
      if (error instanceof WebhookCallError) throw bareError(`${about} failed: ${error.message}`);
      throw error;
    }
    const problem = problemOf(answer, uid);
    if (problem !== undefined) throw bareError(`${about} failed: ${problem}`);
    const converted = valueAt(answer, 'response', 'convertedObjects');
    const results = isJsonArray(converted) ? converted : [];
    if (results.length !== objects.length)
      throw bareError(`${about} returned ${String(results.length)} objects, expected ${String(objects.length)}`);
    const schema = this.schemas.get(version) ?? { 'x-kubernetes-preserve-unknown-fields': true };
    return results.map((result, at) => pruneObject(checkedResult(result, objects[at] ?? {}, version, at, about), schema).object);
  }
}

function isTranslated(converted: Converted | undefined): converted is JsonObject {
  return converted !== undefined && !(converted instanceof StatusError);
}

function problemOf({ response }: JsonObject, uid: string): string | undefined {
  if (!isJsonObject(response)) return 'no response provided';
  if (response['uid'] !== uid) return `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(asString(response['uid']))}`;
  const { status, message } = asJsonObject(response['result']);
  if (status === 'Success') return undefined;
  return asString(message) || `unrecognized result status: ${JSON.stringify(status ?? '')}`;
}

const kept = ['name', 'namespace', 'uid'] as const;

function checkedResult(result: Json, object: JsonObject, version: string, at: number, about: string): JsonObject {
  const converted = asJsonObject(result);
  if (converted['apiVersion'] !== version) {
    const received = asString(converted['apiVersion']);
    throw bareError(
      `${about} returned invalid object at index ${String(at)}: invalid groupVersion (expected ${version}, received ${received})`,
    );
  }
  for (const field of kept) {
    const [before, after] = [valueAt(object, 'metadata', field), valueAt(converted, 'metadata', field)];
    if (!isEqualJson(before ?? '', after ?? ''))
      throw bareError(
        `${about} returned invalid object: must have the same ${field === 'uid' ? 'UID' : field}: ${asString(before)} != ${asString(after)}`,
      );
  }
  return converted;
}
