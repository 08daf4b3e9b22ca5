import type { Cluster } from '../cluster.js';
import { decodeBody, excerptOf, kindlessProblem, kindTypeProblem, objectTypeOf, undecodable } from '../http/decodeBody.js';
import { protobufType, yamlType } from '../http/mediaTypes.js';
import { asString, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, invalid, invalidValue, unsupportedMediaType } from '../status/statusErrors.js';

function decode({ kind, groupVersion, custom }: ServedResource, contentType: string | undefined, body: Buffer): Json {
  if (custom !== undefined && objectTypeOf(contentType) === protobufType) throw unsupportedMediaType(['application/json', yamlType]);
  try {
    return decodeBody(contentType, body, [groupVersion, kind]);
  } catch (error) {
    throw error instanceof StatusError ? error : undecodable(kind, body, error);
  }
}

/** Kinds that every server knows in v1, but that are never stored. */
const metaKinds = new Set(['Status', 'APIVersions', 'APIGroup', 'APIGroupList', 'APIResourceList']);

function checkBuiltIn({ kinds }: Cluster, resource: ServedResource, apiVersion: string, kind: string): void {
  if (apiVersion === resource.groupVersion && kind === resource.kind) return;
  const cannot = `${kind} in version "${apiVersion.split('/').at(-1) ?? ''}" cannot be handled as a ${resource.kind}`;
  const found = kinds.findKind(apiVersion, kind);
  const label = resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '');
  const list = /^(.+)List$/.exec(kind)?.[1];
  const isList = (kind === 'List' && apiVersion === 'v1') || (list !== undefined && kinds.findKind(apiVersion, list) !== undefined);
  const unconvertible = (version: string): string =>
    `${cannot}: converting (${version}.${kind}) to (${label}.${resource.kind}): unknown conversion`;
  if (found === undefined && (isList || (apiVersion === 'v1' && metaKinds.has(kind))))
    throw badRequest(unconvertible(apiVersion.split('/').at(-1) ?? ''));
  if (found === undefined) throw badRequest(`${cannot}: no kind "${kind}" is registered for version "${apiVersion}"`);
  if (found.bucketId === resource.bucketId) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${resource.groupVersion})`);
  }
  throw badRequest(unconvertible(found.version));
}

function checkCustom(resource: ServedResource, object: JsonObject, apiVersion: string, kind: string, name: string): void {
  if (kind === '') {
    const missing = 'Kind';
    const text = JSON.stringify(object);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object '${missing}' is missing in '${text}' (${excerptOf(Buffer.from(text))})`,
    );
  }
  if (kind !== resource.kind)
    throw invalid(kind, resource.group, name, [invalidValue('kind', JSON.stringify(kind), `must be ${resource.kind}`)]);
  if (apiVersion !== resource.groupVersion) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${resource.groupVersion})`);
  }
}

/**
 * Checks the kind and apiVersion of a submitted object: built-in kinds may omit them.
 *
 * @throws StatusError 400 or 422
 */
export function checkKind(cluster: Cluster, resource: ServedResource, object: JsonObject): void {
  const { metadata } = object;
  const [apiVersion, kind] = [asString(object['apiVersion']), asString(object['kind'])];
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  if (resource.custom === undefined)
    checkBuiltIn(cluster, resource, apiVersion === '' ? resource.groupVersion : apiVersion, kind === '' ? resource.kind : kind);
  else checkCustom(resource, object, apiVersion, kind, name);
}

/**
 * The object in the body of a create or replace.
 *
 * @throws StatusError 400, 415 or 422
 */
export function decodeObject(cluster: Cluster, resource: ServedResource, contentType: string | undefined, body: Buffer): JsonObject {
  const decoded = decode(resource, contentType, body);
  // Go decodes `null` as an empty object.
  const object = decoded === null ? {} : decoded;
  if (!isJsonObject(object)) {
    const problem = `${kindlessProblem(object)} (${excerptOf(body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem}`);
  }
  const problem = kindTypeProblem(object);
  if (problem !== '')
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem} (${excerptOf(body)})`);
  checkKind(cluster, resource, object);
  return object;
}
