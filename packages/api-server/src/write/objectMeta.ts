import { asJsonObject, isJsonArray, isJsonObject, jsonType, valueAt, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest, bareError } from '../status/statusErrors.js';
import type { StoredMeta, StoredOwnerReference } from '../store/storedObject.js';

/** Metadata from a client, with checked types. */
export interface SubmittedMeta {
  readonly name: string;
  readonly generateName: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly ownerReferences: readonly StoredOwnerReference[];
  /** 0 when absent. */
  readonly generation: number;
  /** As sent; undefined when absent. */
  readonly managedFields: readonly Json[] | undefined;
}

type Fail = (field: string, expected: string) => never;

function textOf(meta: JsonObject, field: string, fail: Fail): string {
  const value = meta[field] ?? '';
  return typeof value === 'string' ? value : fail(field, 'string');
}

const noTexts: Readonly<Record<string, string>> = {};

function textsOf(meta: JsonObject, field: string, fail: Fail): Readonly<Record<string, string>> {
  const value = meta[field] ?? noTexts;
  if (!isJsonObject(value)) return fail(field, 'a map of strings');
  if (Object.values(value).every((text) => typeof text === 'string')) return value as Readonly<Record<string, string>>;
  const entries = Object.entries(value).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : text === null ? '' : fail(field, 'string'),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function listOf(meta: JsonObject, field: string, fail: Fail): readonly Json[] {
  const value = meta[field] ?? [];
  return isJsonArray(value) ? value : fail(field, 'a list');
}

function ownerOf(value: Json, fail: Fail): StoredOwnerReference {
  const owner = asJsonObject(value);
  for (const field of ['apiVersion', 'kind', 'name', 'uid']) textOf(owner, field, () => fail(`ownerReferences.${field}`, 'string'));
  const { apiVersion = '', kind = '', name = '', uid = '', ...rest } = owner;
  return { apiVersion, kind, name, uid, ...rest } as StoredOwnerReference;
}

/**
 * Parses the metadata of a submitted object.
 *
 * @throws StatusError 400 when a field has the wrong type.
 */
export function submittedMetaOf({ kind, version }: ServedResource, object: JsonObject): SubmittedMeta {
  const fail: Fail = (field, expected) => {
    const place = field === '' ? 'metadata' : `metadata.${field}`;
    const detail = `${place}: expected ${expected}, got ${jsonType(valueAt(object, ...place.split('.')))}`;
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${detail}`);
  };
  const { metadata = {} } = object;
  if (metadata !== null && !isJsonObject(metadata)) return fail('', 'an object');
  const meta = metadata ?? {};
  const finalizers = listOf(meta, 'finalizers', fail).map((value) => (typeof value === 'string' ? value : fail('finalizers', 'string')));
  const owners = listOf(meta, 'ownerReferences', fail);
  const distinct = owners.length === 0 ? [] : [...new Map(owners.map((value) => [JSON.stringify(value), ownerOf(value, fail)])).values()];
  return {
    name: textOf(meta, 'name', fail),
    generateName: textOf(meta, 'generateName', fail),
    namespace: textOf(meta, 'namespace', fail),
    uid: textOf(meta, 'uid', fail),
    resourceVersion: textOf(meta, 'resourceVersion', fail),
    labels: textsOf(meta, 'labels', fail),
    annotations: textsOf(meta, 'annotations', fail),
    finalizers,
    ownerReferences: distinct,
    generation: typeof meta['generation'] === 'number' ? meta['generation'] : 0,
    managedFields: meta['managedFields'] === undefined || meta['managedFields'] === null ? undefined : listOf(meta, 'managedFields', fail),
  };
}

const metaOrder = [
  ...['name', 'generateName', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'deletionTimestamp'],
  ...['deletionGracePeriodSeconds', 'labels', 'annotations', 'ownerReferences', 'finalizers', 'managedFields'],
] as const;
const alwaysThere: ReadonlySet<string> = new Set(['name', 'uid', 'resourceVersion', 'creationTimestamp']);

function isHollow(value: object): boolean {
  for (const _ in value) return false;
  return true;
}

/** Metadata whose fields may all be absent. */
type PartialMeta = { readonly [Field in keyof StoredMeta]?: StoredMeta[Field] | undefined };

const unchanged: PartialMeta = {};

/** Metadata with some fields changed, in the API server's order; empty fields are dropped. */
export function orderedMeta(meta: PartialMeta, changes: PartialMeta = unchanged): StoredMeta {
  const ordered: Record<string, Json | undefined> = {};
  for (const name of metaOrder) {
    const value = name in changes ? changes[name] : meta[name];
    if (value === undefined || value === '') {
      if (alwaysThere.has(name)) ordered[name] = '';
    } else if (typeof value !== 'object' || value === null || !isHollow(value)) ordered[name] = value;
  }
  return ordered as StoredMeta;
}

/** The largest resourceVersion that an API server reads. */
export const largestVersion: bigint = 2n ** 64n - 1n;

/** @throws StatusError 500 for a version that is no number. */
export function checkVersion(resourceVersion: string): void {
  if (!/^\d*$/.test(resourceVersion) || BigInt(resourceVersion) > largestVersion)
    throw bareError(`resourceVersion: expected a number, got ${JSON.stringify(resourceVersion)}`);
}
