import type { Cluster } from '../cluster.js';
import { applyConfiguration } from '../apply/applyConfiguration.js';
import { jsonProblem } from '../http/decodeBody.js';
import { asJsonObject, isJsonArray, isJsonObject, jsonType, listAt, parseJson, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { shapeOf } from '../kinds/shapeOf.js';
import { badRequest, bareError, unknownMediaType, unsupportedMediaType } from '../status/statusErrors.js';
import { strictProblems } from './strictProblems.js';
import { yamlProblems, type Submission } from './fieldValidation.js';
import { applyJsonPatch } from './jsonPatch.js';
import { applyMergePatch } from './mergePatch.js';
import { parseApplied } from './parseApplied.js';
import { applyStrategicMergePatch } from './strategicMergePatch.js';

/** The target of a patch, and the patch. */
export interface PatchInput {
  readonly cluster: Cluster;
  readonly resource: ServedResource;
  /** The object in the requested version, with `kind` and `apiVersion`; undefined when it does not exist. */
  readonly document: JsonObject | undefined;
  readonly body: Buffer;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** The field manager of an apply, and whether it takes over conflicting fields. */
  readonly manager: string;
  readonly force: boolean;
  /** Whether errors about names are ignored. */
  readonly lenient?: boolean;
}

/** What a patch has made of an object. */
export interface Patched {
  readonly result: Json;
  /** The patch, as it was parsed. */
  readonly patch: Json;
}

/** One type of patch. */
export interface PatchType {
  readonly contentType: string;
  /** Whether it supports custom resources. */
  readonly custom: boolean;
  /** Whether it creates a missing object. */
  readonly creates: boolean;
  /** The object after the patch. */
  readonly apply: (input: PatchInput) => Patched;
  readonly by: Submission['by'];
  /** Errors about the names in a patch. */
  readonly problems: (body: Buffer, patch: Json) => readonly string[];
}

/** The patch in a body. */
function parsed(body: Buffer, lenient = false): Json {
  const text = body.toString();
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(lenient ? 'Invalid JSON Patch' : `error decoding patch: ${jsonProblem(error)}`);
  }
}

/** Servers up to 1.26 had a single message for an invalid merge patch. */
function parsedByOldServer(body: Buffer): JsonObject {
  try {
    const patch = parseJson(body.toString());
    if (isJsonObject(patch)) return patch;
  } catch {
    // The error is thrown below.
  }
  throw bareError('Invalid JSON Patch');
}

function jsonPatchOf({ document = {}, body, lenient }: PatchInput): Patched {
  const patch = parsed(body);
  return { result: applyJsonPatch(document, patch, lenient), patch };
}

function mergePatchOf({ cluster, document = {}, body, lenient }: PatchInput): Patched {
  const patch = cluster.features.modern ? parsed(body, lenient === true) : parsedByOldServer(body);
  if (isJsonObject(patch)) return { result: applyMergePatch(document, patch), patch };
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (lenient === true && !isJsonArray(patch)) throw badRequest('Invalid JSON Patch');
  throw badRequest(`error decoding patch: expected an object, got ${jsonType(patch)}`);
}

function strategicMergePatchOf({ resource, document = {}, body }: PatchInput): Patched {
  const text = body.toString();
  let patch: Json;
  try {
    patch = parseJson(text);
  } catch (error) {
    throw badRequest(jsonProblem(error));
  }
  return { result: applyStrategicMergePatch(document, patch, shapeOf(resource)), patch };
}

function applyPatchOf({ cluster, resource, document, body, manager, force, subresource }: PatchInput): Patched {
  const applied = parseApplied(body);
  return { result: applyConfiguration(cluster, { resource, live: document, applied, manager, subresource, force }), patch: applied };
}

const operationFields = new Set(['op', 'path', 'from', 'value']);

function operationProblems(body: Buffer, patch: Json): readonly string[] {
  const unknown = listAt(patch).flatMap((operation, at) =>
    Object.keys(asJsonObject(operation))
      .filter((name) => !operationFields.has(name))
      .map((name) => `unknown field "[${String(at)}].${name}"`),
  );
  return [...strictProblems(body, patch), ...unknown].map((problem) => `json patch ${problem}`);
}

/** JSON is a subset of YAML, and much faster to parse. */
function appliedProblems(body: Buffer): readonly string[] {
  try {
    if (strictProblems(body, parseJson(body.toString())).length === 0) return [];
  } catch {
    // It is not JSON: try YAML.
  }
  return yamlProblems(body.toString());
}

/** The types of patches, in the order in which clients are told about them. */
export const patchTypes: readonly PatchType[] = [
  { contentType: 'application/json-patch+json', custom: true, creates: false, apply: jsonPatchOf, by: 'json', problems: operationProblems },
  { contentType: 'application/merge-patch+json', custom: true, creates: false, apply: mergePatchOf, by: 'merge', problems: strictProblems },
  {
    contentType: 'application/strategic-merge-patch+json',
    custom: false,
    creates: false,
    apply: strategicMergePatchOf,
    by: 'strategic',
    problems: strictProblems,
  },
  { contentType: 'application/apply-patch+yaml', custom: true, creates: true, apply: applyPatchOf, by: 'apply', problems: appliedProblems },
];

const typeIn = (text: string): string => text.replace(/;[^]*/, '').trim();

/**
 * The type of a patch of a resource, in the case in which it is written.
 *
 * @throws StatusError 415; paths of built-in kinds have a list of types that the request is compared with before.
 */
export function patchTypeOf({ custom }: Pick<ServedResource, 'custom'>, contentType = ''): PatchType {
  const offered = patchTypes.filter((one) => one.custom || custom === undefined);
  const named = (text: string): PatchType | undefined => offered.find((one) => one.contentType === typeIn(text));
  const found = named(contentType);
  if (found !== undefined) return found;
  if (custom === undefined && !contentType.split(',').some((part) => named(part) !== undefined)) throw unknownMediaType(415);
  throw unsupportedMediaType(offered.map((one) => one.contentType));
}
