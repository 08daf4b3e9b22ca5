import type { Cluster } from '../cluster.js';
import { parseJson } from '../http/decodeBody.js';
import type { QueryParameters } from '../http/queryParameters.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { badRequest, bareError } from '../status/statusErrors.js';
import { applyJsonPatch } from './jsonPatch.js';
import { applyMergePatch } from './mergePatch.js';

/** What a patch is applied to, and with. */
export interface PatchInput {
  readonly cluster: Cluster;
  readonly resource: ServedResource;
  /** The object as the requested version shows it, `kind` and `apiVersion` included; undefined when it does not exist. */
  readonly document: JsonObject | undefined;
  readonly body: Buffer;
  readonly parameters: QueryParameters;
}

/** One way to patch objects. */
export interface PatchType {
  readonly contentType: string;
  /** Whether custom resources can be patched this way. */
  readonly custom: boolean;
  /** Whether a patch of an object that does not exist creates it. */
  readonly creates: boolean;
  /** The object after the patch. */
  readonly apply: (input: PatchInput) => Json;
}

function jsonPatchOf({ cluster, document = {}, body }: PatchInput): Json {
  let patch: Json;
  try {
    patch = parseJson(body.toString());
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : String(error));
  }
  return applyJsonPatch(document, patch, !cluster.features.modern);
}

function mergePatchOf({ cluster, document = {}, body }: PatchInput): Json {
  const wrong = (): Error => (cluster.features.modern ? badRequest('invalid JSON patch') : bareError('Invalid JSON Patch'));
  let patch: Json;
  try {
    patch = parseJson(body.toString());
  } catch {
    throw wrong();
  }
  if (!isJsonObject(patch)) throw wrong();
  return applyMergePatch(document, patch);
}

/** The ways to patch, in the order in which they are named to clients. */
export const patchTypes: readonly PatchType[] = [
  { contentType: 'application/json-patch+json', custom: true, creates: false, apply: jsonPatchOf },
  { contentType: 'application/merge-patch+json', custom: true, creates: false, apply: mergePatchOf },
];
