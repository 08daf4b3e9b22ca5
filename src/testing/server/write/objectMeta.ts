import { asJsonObject, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest } from '../status/statusErrors.js';
import type { StoredMeta, StoredOwnerReference } from '../store/storedObject.js';

/** Metadata as a client sends it, its types checked. */
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
  /** As sent: undefined when absent. */
  readonly managedFields: readonly Json[] | undefined;
}

type Fail = (field: string, expected: string) => never;

function textOf(meta: JsonObject, field: string, fail: Fail): string {
  const value = meta[field] ?? '';
  return typeof value === 'string' ? value : fail(field, 'string');
}

function textsOf(meta: JsonObject, field: string, fail: Fail): Readonly<Record<string, string>> {
  const value = meta[field] ?? {};
  if (!isJsonObject(value)) return fail(field, 'map[string]string');
  const entries = Object.entries(value).map(([name, text]) => [
    name,
    typeof text === 'string' ? text : text === null ? '' : fail(field, 'string'),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function listOf(meta: JsonObject, field: string, fail: Fail): readonly Json[] {
  const value = meta[field] ?? [];
  return isJsonArray(value) ? value : fail(field, '[]');
}

function ownerOf(value: Json, fail: Fail): StoredOwnerReference {
  const owner = asJsonObject(value);
  for (const field of ['apiVersion', 'kind', 'name', 'uid']) textOf(owner, field, () => fail(`ownerReferences.${field}`, 'string'));
  const { apiVersion = '', kind = '', name = '', uid = '', ...rest } = owner;
  return { ...rest, apiVersion, kind, name, uid } as StoredOwnerReference;
}

/**
 * Reads the metadata of a submitted object.
 *
 * @throws StatusError 400 when a field has the wrong type.
 */
export function submittedMetaOf({ kind, groupVersion }: ServedResource, object: JsonObject): SubmittedMeta {
  const fail: Fail = (field, expected) => {
    const detail = `json: cannot unmarshal into Go struct field ObjectMeta.metadata.${field} of type ${expected}`;
    throw badRequest(`${kind} in version "${groupVersion}" cannot be handled as a ${kind}: ${detail}`);
  };
  const { metadata = {} } = object;
  if (metadata !== null && !isJsonObject(metadata)) return fail('', 'v1.ObjectMeta');
  const meta = metadata ?? {};
  const finalizers = listOf(meta, 'finalizers', fail).map((value) => (typeof value === 'string' ? value : fail('finalizers', 'string')));
  const owners = new Map(listOf(meta, 'ownerReferences', fail).map((value) => [JSON.stringify(value), ownerOf(value, fail)]));
  return {
    name: textOf(meta, 'name', fail),
    generateName: textOf(meta, 'generateName', fail),
    namespace: textOf(meta, 'namespace', fail),
    uid: textOf(meta, 'uid', fail),
    resourceVersion: textOf(meta, 'resourceVersion', fail),
    labels: textsOf(meta, 'labels', fail),
    annotations: textsOf(meta, 'annotations', fail),
    finalizers,
    ownerReferences: [...owners.values()],
    managedFields: meta['managedFields'] === undefined || meta['managedFields'] === null ? undefined : listOf(meta, 'managedFields', fail),
  };
}

/** Metadata in the order in which the API server writes it; what is empty is left out. */
export function orderedMeta(meta: {
  readonly [Field in keyof StoredMeta]?: StoredMeta[Field] | undefined;
}): StoredMeta {
  const { name = '', generateName, namespace, uid = '', resourceVersion = '', generation, creationTimestamp = '' } = meta;
  const { deletionTimestamp, deletionGracePeriodSeconds, labels, annotations, ownerReferences, finalizers, managedFields } = meta;
  const filled = (value: object | undefined): boolean => value !== undefined && Object.keys(value).length > 0;
  return {
    name,
    ...(typeof generateName === 'string' && generateName !== '' && { generateName }),
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    uid,
    resourceVersion,
    ...(generation !== undefined && { generation }),
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    ...(labels !== undefined && filled(labels) && { labels }),
    ...(annotations !== undefined && filled(annotations) && { annotations }),
    ...(ownerReferences !== undefined && filled(ownerReferences) && { ownerReferences }),
    ...(finalizers !== undefined && filled(finalizers) && { finalizers }),
    ...(isJsonArray(managedFields) && filled(managedFields) && { managedFields }),
  };
}
