import { apiVersionOf, deepFreeze, describeValue, expectArgument, messageOf, rules } from 'rx-informer/internal';
import type { KubernetesObject, Resource } from 'rx-informer';
import {
  describeReviewed,
  expectWebhookResource,
  type ReviewAnswer,
  servedWebhook,
  type ServedWebhook,
  type Webhook,
  webhookName,
} from './webhook.js';

/** Another version of a kind, and how it is converted to the hub and back. Objects are frozen; the results' apiVersion and kind are set for them. */
export interface ConvertedVersion<S, H> {
  readonly resource: Resource<S, never>;
  /** Converts an object of this version to the hub's. */
  toHub(object: S): H | Promise<H>;
  /** Converts an object of the hub's version to this one. */
  fromHub(object: H): S | Promise<S>;
}

/** Converts an object of one version to another. */
type Conversion = (object: KubernetesObject) => unknown;

/** A served conversion webhook. */
export interface ConversionWebhook extends ServedWebhook {
  readonly type: 'convert';
  /** All versions, the hub's first. */
  readonly versions: readonly string[];
  /** Converts one object to a version. Rejects with an error that names the object. */
  convert(object: KubernetesObject, apiVersion: string): Promise<KubernetesObject>;
}

/** Whether a webhook converts objects. */
export const isConversion = (webhook: ServedWebhook): webhook is ConversionWebhook => webhook.type === 'convert';

/** The path of all conversions, as in controller-runtime. */
export const conversionPath = '/convert';
/** The time that the API server gives conversions. */
const timeoutSeconds = 30;

/** The converted object: nothing of its identity is the function's. Of metadata, the API server takes labels and annotations only; without metadata, they stay. */
function withIdentity(converted: unknown, original: KubernetesObject, apiVersion: string): KubernetesObject {
  if (typeof converted !== 'object' || converted === null || Array.isArray(converted))
    throw new TypeError(`Expected a conversion to return an object, got ${describeValue(converted)}`);
  const { metadata: { labels, annotations } = original.metadata ?? {}, ...rest } = converted as KubernetesObject;
  const { labels: _, annotations: __, ...metadata } = original.metadata ?? {};
  const kept = { ...metadata, ...(labels !== undefined && { labels }), ...(annotations !== undefined && { annotations }) };
  return { ...rest, apiVersion, kind: original.kind ?? '', metadata: kept };
}

/**
 * Makes a conversion webhook: the API server has objects converted between the versions of a definition by it. One version is the hub, the others are converted to
 * it and from it; between two others by way of it.
 *
 * A conversion must succeed for every object that was ever stored: one that fails makes every list of the kind fail. What the other version cannot express
 * is best kept in an annotation, so that there and back is the identity, which `breaches` checks in a test.
 *
 * @example
 * ```ts
 * import { customResource, type KubernetesObject } from 'rx-informer';
 * import { convert } from '@rx-informer/controller/webhooks';
 *
 * const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
 * const v1 = customResource<KubernetesObject & { readonly spec: { readonly hosts: readonly string[] } }>({ ...names, version: 'v1' });
 * const v1beta1 = customResource<KubernetesObject & { readonly spec: { readonly host: string } }>({ ...names, version: 'v1beta1' });
 * const sites = convert(v1, {
 *   resource: v1beta1,
 *   toHub: ({ spec, ...site }) => ({ ...site, spec: { hosts: [spec.host] } }),
 *   fromHub: ({ spec, ...site }) => ({ ...site, spec: { host: spec.hosts[0] ?? '' } }),
 * });
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see controller-runtime's `conversion.Hub` and `conversion.Convertible`
 */
export function convert<H extends KubernetesObject, S extends readonly unknown[]>(
  hub: Resource<H, never>,
  ...others: { readonly [At in keyof S]: ConvertedVersion<S[At], H> }
): Webhook {
  expectWebhookResource(hub);
  const ways = new Map<string, { readonly toHub: Conversion; readonly fromHub: Conversion }>([
    [apiVersionOf(hub), { toHub: (object) => object, fromHub: (object) => object }],
  ]);
  if (others.length === 0) throw new TypeError('Expected `convert` to get another version than the hub, got none');
  for (const other of others as readonly ConvertedVersion<never, never>[]) {
    const { resource } = other;
    expectWebhookResource(resource);
    const version = apiVersionOf(resource);
    if (resource.group !== hub.group || resource.kind !== hub.kind)
      throw new TypeError(`Expected versions of ${hub.kind}.${hub.group}, got ${resource.kind}.${resource.group}`);
    if (ways.has(version)) throw new TypeError(`Expected each version of ${hub.kind} once, got ${version} twice`);
    expectArgument('convert', version, other, rules.withMethods('toHub', 'fromHub'));
    ways.set(version, { toHub: (object) => other.toHub(object as never), fromHub: (object) => other.fromHub(object as never) });
  }
  return conversionWebhook(hub, ways);
}

function conversionWebhook(
  hub: Resource<KubernetesObject, never>,
  ways: ReadonlyMap<string, { readonly toHub: Conversion; readonly fromHub: Conversion }>,
): ConversionWebhook {
  const versions = [...ways.keys()];
  const wayOf = (version = 'none'): { readonly toHub: Conversion; readonly fromHub: Conversion } => {
    const way = ways.get(version);
    if (way === undefined) throw new TypeError(`there is no conversion for ${version}, only for ${versions.join(', ')}`);
    return way;
  };
  const convertOne = async (object: KubernetesObject, apiVersion: string): Promise<KubernetesObject> => {
    try {
      const [from, to] = [wayOf(object.apiVersion), wayOf(apiVersion)];
      const inHub = from === to ? object : withIdentity(await from.toHub(deepFreeze(object)), object, versions[0] ?? '');
      return from === to ? object : withIdentity(await to.fromHub(deepFreeze(inHub)), object, apiVersion);
    } catch (cause) {
      throw new Error(`${describeReviewed(object)} cannot be converted to ${apiVersion}: ${messageOf(cause)}`, { cause });
    }
  };
  const failure = (error: unknown): ReviewAnswer => ({
    verdict: 'failed',
    response: { result: { status: 'Failure', message: messageOf(error) } },
    error,
  });
  return servedWebhook({
    type: 'convert',
    resource: hub,
    name: webhookName('convert', hub),
    path: conversionPath,
    timeoutSeconds,
    review: 'ConversionReview',
    versions,
    convert: convertOne,
    async answer({ desiredAPIVersion, objects }, { signal }): Promise<ReviewAnswer> {
      const convertedObjects: KubernetesObject[] = [];
      for (const object of objects as readonly KubernetesObject[]) {
        signal.throwIfAborted();
        convertedObjects.push(await convertOne(object, String(desiredAPIVersion)));
      }
      return { verdict: 'converted', response: { result: { status: 'Success' }, convertedObjects } };
    },
    failure,
  });
}
