import type { Cluster } from '../cluster.js';
import { applyConfiguration } from '../apply/applyConfiguration.js';
import { jsonProblem } from '../http/decodeBody.js';
import { asJsonObject, isJsonArray, isJsonObject, parseJson, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { shapeOf } from '../kinds/shapeOf.js';
import { badRequest, bareError } from '../status/statusErrors.js';
import { strictProblems } from './strictProblems.js';
import { yamlProblems, type Submission } from './fieldValidation.js';
import { goText } from './patchDirectives.js';
import { applyJsonPatch } from './jsonPatch.js';
import { applyMergePatch } from './mergePatch.js';
import { parseApplied } from './parseApplied.js';
import { applyStrategicMergePatch } from './strategicMergePatch.js';

/** What a patch is applied to, and with. */
export interface PatchInput {
  readonly cluster: Cluster;
  readonly resource: ServedResource;
  /** The object as the requested version shows it, `kind` and `apiVersion` included; undefined when it does not exist. */
  readonly document: JsonObject | undefined;
  readonly body: Buffer;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** Who applies, and whether he takes the fields of others. */
  readonly manager: string;
  readonly force: boolean;
  /** Whether nobody wants to know what is wrong with names. */
  readonly lenient?: boolean;
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
  readonly by: Submission['by'];
  /** Validation errors of the names in a patch. */
  readonly problems: (body: Buffer) => readonly string[];
  /** The patch as Go prints it, where that is what is shown of one that is refused. */
  readonly shown?: (body: Buffer) => string;
}

/** The patch in a body. */
function parsed(body: Buffer, lenient = false): Json {
  const text = body.toString();
  try {
    return parseJson(text);
  } catch (error) {
    throw badRequest(lenient ? 'Invalid JSON Patch' : `error decoding patch: ${jsonProblem(text, error)}`);
  }
}

/** Servers up to 1.26 said nothing more of a merge patch that is none. */
function parsedByOldServer(body: Buffer): JsonObject {
  try {
    const patch = parseJson(body.toString());
    if (isJsonObject(patch)) return patch;
  } catch {
    // Said below.
  }
  throw bareError('Invalid JSON Patch');
}

function jsonPatchOf({ document = {}, body }: PatchInput): Json {
  return applyJsonPatch(document, parsed(body));
}

function mergePatchOf({ cluster, document = {}, body, lenient }: PatchInput): Json {
  const patch = cluster.features.modern ? parsed(body, lenient === true) : parsedByOldServer(body);
  if (isJsonObject(patch)) return applyMergePatch(document, patch);
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (lenient === true && !isJsonArray(patch)) throw badRequest('Invalid JSON Patch');
  const type = isJsonArray(patch) ? 'array' : typeof patch;
  throw badRequest(`error decoding patch: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

function strategicMergePatchOf({ resource, document = {}, body }: PatchInput): Json {
  const text = body.toString();
  let patch: Json;
  try {
    patch = parseJson(text);
  } catch (error) {
    throw badRequest(jsonProblem(text, error));
  }
  return applyStrategicMergePatch(document, patch, shapeOf(resource));
}

function applyPatchOf({ cluster, resource, document, body, manager, force, subresource }: PatchInput): Json {
  return applyConfiguration(cluster, { resource, live: document, applied: parseApplied(body), manager, subresource, force });
}

const operationFields = new Set(['op', 'path', 'from', 'value']);

function operationProblems(body: Buffer): readonly string[] {
  const patch = parseJson(body.toString());
  const unknown = (isJsonArray(patch) ? patch : []).flatMap((operation, at) =>
    Object.keys(asJsonObject(operation))
      .filter((name) => !operationFields.has(name))
      .map((name) => `[${String(at)}].${name}`),
  );
  return strictProblems(body, patch, unknown).map((problem) => `json patch ${problem}`);
}

/** JSON is YAML too, and much faster to read. */
function appliedProblems(body: Buffer): readonly string[] {
  try {
    if (duplicatesIn(body).length === 0) return [];
  } catch {
    // It is no JSON.
  }
  return yamlProblems(body.toString());
}

const duplicatesIn = (body: Buffer): readonly string[] => strictProblems(body, parseJson(body.toString()));

/** The ways to patch, in the order in which they are named to clients. */
export const patchTypes: readonly PatchType[] = [
  { contentType: 'application/json-patch+json', custom: true, creates: false, apply: jsonPatchOf, by: 'json', problems: operationProblems },
  { contentType: 'application/merge-patch+json', custom: true, creates: false, apply: mergePatchOf, by: 'merge', problems: duplicatesIn },
  {
    contentType: 'application/strategic-merge-patch+json',
    custom: false,
    creates: false,
    apply: strategicMergePatchOf,
    by: 'strategic',
    problems: duplicatesIn,
    shown: (body) => goText(parseJson(body.toString())),
  },
  {
    contentType: 'application/apply-patch+yaml',
    custom: true,
    creates: true,
    apply: applyPatchOf,
    by: 'apply',
    problems: appliedProblems,
  },
];
