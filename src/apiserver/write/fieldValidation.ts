import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeTyped, TypeMismatchError, type Decoded } from '../schema/builtIn/decodeTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { badRequest, bareError, invalid, invalidValue } from '../status/statusErrors.js';
import { duplicateNames } from './duplicateNames.js';
import { warn } from './warnings.js';

/** An object as it came in. */
export interface Submission {
  readonly object: JsonObject;
  /** The object as it was stored, where this one was made of it by a patch. */
  readonly known?: JsonObject | undefined;
  /** The JSON that it was read from; undefined when it was no JSON. */
  readonly json?: Buffer | undefined;
  /** How it came about. */
  readonly by: 'body' | 'patch' | 'apply';
}

/** A value with the names of its objects in order, as Go writes maps; metadata is left as the server has written it. */
function sorted(value: Json | undefined): Json {
  if (!isJsonObject(value)) return value ?? null;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, name === 'metadata' ? inner : sorted(inner)]));
}

function refuse({ kind, version }: ServedResource, { object, by }: Submission, problem: string): never {
  if (by === 'apply') throw bareError(`failed to create typed patch object: ${problem}`);
  if (by === 'patch') throw invalid('', '', '', [invalidValue('patch', JSON.stringify(JSON.stringify(sorted(object))), problem)]);
  throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
}

function decoded(resource: ServedResource, submission: Submission, strict: boolean): Decoded {
  const { object, known } = submission;
  const type = strict ? typeOf(resource) : undefined;
  if (type === undefined) return { object, unknown: resource.rules.unknownFields?.(object) ?? [] };
  try {
    return decodeTyped(object, type, known);
  } catch (error) {
    if (error instanceof TypeMismatchError) return refuse(resource, submission, error.message);
    throw error;
  }
}

function problemsOf({ json, object }: Submission, unknown: readonly string[]): readonly string[] {
  const duplicates = json === undefined ? [] : duplicateNames(json, object);
  return [...duplicates.map((path) => `duplicate field "${path}"`), ...unknown.map((path) => `unknown field "${path}"`)];
}

/**
 * Reads a submitted object as its kind says: a value of another type is refused, and fields that the kind does not have are dealt with as
 * `fieldValidation` asks: refused, warned of, or left out without a word.
 *
 * @returns the object without the fields that a built-in kind does not have.
 * @throws StatusError 400, or 422 when a patch has made the object.
 */
export function acceptFields(
  { features, schema }: Pick<Cluster, 'features' | 'schema'>,
  exchange: Exchange,
  resource: ServedResource,
  submission: Submission,
): JsonObject {
  const { object, unknown } = decoded(resource, submission, schema);
  const directive = exchange.parameters.text('fieldValidation') || (features.modern ? 'Warn' : 'Ignore');
  if (directive === 'Ignore') return object;
  const problems = problemsOf(submission, unknown);
  if (problems.length === 0) return object;
  if (directive === 'Strict') refuse(resource, submission, `strict decoding error: ${problems.join(', ')}`);
  warn(exchange.response, problems);
  return object;
}
