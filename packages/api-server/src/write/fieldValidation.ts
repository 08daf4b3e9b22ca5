import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { kindTypeProblem } from '../http/decodeBody.js';
import { parseYaml } from '../http/parseYaml.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeTyped, TypeMismatchError, type Decoded } from '../schema/builtIn/decodeTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { badRequest, bareError, invalid, namelessObject } from '../status/statusErrors.js';
import { strictProblems } from './strictProblems.js';
import { warn } from './warnings.js';
import { ownerWarnings } from './writeWarnings.js';

const yamlProblem = 'yaml: unmarshal errors:\n';

/** Errors of Go's YAML reader about duplicate names. */
export function yamlProblems(text: string): readonly string[] {
  const { duplicates } = parseYaml(text);
  return duplicates.length === 0 ? [] : [`${yamlProblem}${duplicates.map((line) => `  ${line}`).join('\n')}`];
}

/** A submitted object. */
export interface Submission {
  readonly object: JsonObject;
  /** The stored object that a patch was applied to. */
  readonly known?: JsonObject | undefined;
  /** The JSON that the object was parsed from; undefined when it was not JSON. */
  readonly json?: Buffer | undefined;
  /** Errors of the YAML or the patch, other than unknown fields. */
  readonly problems?: (() => readonly string[]) | undefined;
  /** The kind of the submission. */
  readonly by: 'body' | 'apply' | 'json' | 'merge' | 'strategic';
}

function refuse(resource: ServedResource, submission: Submission, problem: string): never {
  const { kind, version } = resource;
  const { by } = submission;
  if (by === 'apply') throw bareError(`failed to create typed patch object: ${problem}`);
  if (by === 'body') throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
  // The object is not shown: it can be secret.
  throw invalid('', '', '', [{ reason: 'FieldValueInvalid', field: 'patch', message: `Invalid value: ${problem}` }]);
}

/**
 * The result of a patch with its former kind, which a strategic merge patch cannot change.
 *
 * @throws StatusError 422 when another patch has changed the kind to an unknown one, or to what is no text.
 */
export function ofKind(resource: ServedResource, submission: Submission): Submission {
  const { object, by } = submission;
  const { kind, groupVersion: apiVersion } = resource;
  const problem = by === 'strategic' ? '' : kindTypeProblem(object);
  if (problem !== '') return refuse(resource, submission, problem);
  if (resource.custom !== undefined) return submission;
  if (object['kind'] === kind && object['apiVersion'] === apiVersion) return submission;
  const isText = [object['kind'], object['apiVersion']].every((value) => typeof (value ?? '') === 'string');
  if (by === 'strategic') return isText ? { ...submission, object: { ...object, kind, apiVersion } } : submission;
  // Without a version, Go decodes into a type without fields.
  if ((object['apiVersion'] ?? '') === '') throw namelessObject(asString(valueAt(submission.known, 'metadata', 'name')));
  const asked = JSON.stringify(object['kind'] ?? kind);
  const version = JSON.stringify(object['apiVersion'] ?? apiVersion);
  if (asked === JSON.stringify(kind) && version === JSON.stringify(apiVersion)) return submission;
  return refuse(resource, submission, `no kind ${asked} is registered for version ${version}`);
}

const namespaces = { group: '', version: 'v1', kind: 'Namespace' };

/** The metadata of custom resources is decoded like that of all others. */
function checkMeta(resource: ServedResource, submission: Submission): void {
  const [meta, type] = [submission.object['metadata'], typeOf(namespaces)?.fields.get('metadata')];
  if (type === undefined || meta === undefined || meta === null || meta === submission.known?.['metadata']) return;
  if (submission.by === 'body' && !isJsonObject(meta)) return;
  try {
    decodeTyped(meta as JsonObject, type, asJsonObject(submission.known?.['metadata']));
  } catch (error) {
    if (error instanceof TypeMismatchError) refuse(resource, submission, error.message);
    throw error;
  }
}

/** Go keeps an empty list apart from none: an empty list of managers makes the object forget them. */
function withEmptyManagers({ metadata }: JsonObject, read: Decoded): Decoded {
  const sent = asJsonObject(metadata)['managedFields'];
  if (!isJsonArray(sent) || sent.length > 0) return read;
  return { ...read, object: { ...read.object, metadata: { ...asJsonObject(read.object['metadata']), managedFields: sent } } };
}

function decoded(resource: ServedResource, submission: Submission, strict: boolean): Decoded {
  const { object, known } = submission;
  const type = strict ? typeOf(resource) : undefined;
  if (type === undefined) {
    if (strict && submission.by !== 'apply') checkMeta(resource, submission);
    return { object, unknown: resource.rules.unknownFields?.(object) ?? [] };
  }
  try {
    return withEmptyManagers(object, decodeTyped(object, type, known));
  } catch (error) {
    if (error instanceof TypeMismatchError) return refuse(resource, submission, error.message);
    throw error;
  }
}

/** For YAML, each error is a warning of its own. */
const warningsIn = (problem: string): readonly string[] =>
  problem.startsWith(yamlProblem) ? problem.slice(yamlProblem.length).trim().split(/\n */) : [problem];

function problemsOf(submission: Submission, unknown: readonly string[]): readonly string[] {
  const { json, object, problems, by } = submission;
  const own = json === undefined ? (problems?.() ?? []) : strictProblems(json, object);
  const texts = unknown.map((path) => `unknown field "${path}"`);
  return [...own, ...(by === 'body' ? texts : texts.sort())];
}

/**
 * Decodes a submitted object by its kind. Values of wrong types are refused. Unknown fields are refused, warned of or ignored, as
 * `fieldValidation` says.
 *
 * @returns the object; for a built-in kind, without unknown fields.
 * @throws StatusError 400, or 422 for the result of a patch.
 */
export function acceptFields(
  { features, schema }: Pick<Cluster, 'features' | 'schema'>,
  exchange: Exchange,
  resource: ServedResource,
  submission: Submission,
): JsonObject {
  const { object, unknown } = decoded(resource, submission, schema);
  const directive = exchange.parameters.text('fieldValidation') || (features.modern ? 'Warn' : 'Ignore');
  const problems = directive === 'Ignore' ? [] : problemsOf(submission, unknown);
  if (problems.length > 0 && directive === 'Strict') {
    const said = problems.join(', ');
    if (submission.by === 'apply') throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${said}`);
    refuse(resource, submission, `strict decoding error: ${said}`);
  }
  warn(exchange.response, [...problems.flatMap(warningsIn), ...(submission.by === 'body' ? ownerWarnings(object) : [])]);
  return object;
}
