import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { parseYaml } from '../http/parseYaml.js';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeTyped, TypeMismatchError, type Decoded } from '../schema/builtIn/decodeTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { badRequest, bareError, invalid, invalidValue } from '../status/statusErrors.js';
import { strictProblems } from './strictProblems.js';
import { warn } from './warnings.js';

const yamlProblem = 'yaml: unmarshal errors:\n';

/** What Go's reader says of names that stand twice in a YAML text, if there are any. */
export function yamlProblems(text: string): readonly string[] {
  const { duplicates } = parseYaml(text);
  return duplicates.length === 0 ? [] : [`${yamlProblem}${duplicates.map((line) => `  ${line}`).join('\n')}`];
}

/** An object as it came in. */
export interface Submission {
  readonly object: JsonObject;
  /** The object as it was stored, where this one was made of it by a patch. */
  readonly known?: JsonObject | undefined;
  /** The JSON that it was read from; undefined when it was no JSON. */
  readonly json?: Buffer | undefined;
  /** What is wrong with the YAML or the patch that it was read from, unknown fields aside. */
  readonly problems?: (() => readonly string[]) | undefined;
  /** How it came about. */
  readonly by: 'body' | 'apply' | 'json' | 'merge' | 'strategic';
  /** The patch as Go prints it, where that is what is shown of it. */
  readonly shown?: (() => string) | undefined;
}

/** A value with the names of its objects in order. */
function sorted(value: Json): Json {
  if (isJsonArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] ?? null)]));
}

/** What a patch has made of a value, as Go writes it: the names of what it has touched are in order, all else is left as it was. */
function ordered(value: Json, known: Json | undefined, isMerge: boolean): Json {
  if (value === known) return value;
  if (isJsonArray(value)) {
    const before = isJsonArray(known) ? new Set(known) : undefined;
    return value.map((item) => (before?.has(item) === true || !isMerge ? item : sorted(item)));
  }
  if (!isJsonObject(value)) return value;
  if (!isJsonObject(known)) return isMerge ? sorted(value) : value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null, known[name], isMerge)]));
}

const patchedText = ({ object, known, by }: Submission): string => JSON.stringify(ordered(object, known, by === 'merge'));

function refuse({ kind, version }: ServedResource, submission: Submission, problem: string): never {
  const { by, shown } = submission;
  if (by === 'apply') throw bareError(`failed to create typed patch object: ${problem}`);
  if (by === 'body') throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
  const text = shown?.() ?? patchedText(submission);
  throw invalid('', '', '', [invalidValue('patch', JSON.stringify(text), problem)]);
}

function decoded(resource: ServedResource, submission: Submission, strict: boolean): Decoded {
  const { object, known } = submission;
  const type = strict ? typeOf(resource) : undefined;
  if (type === undefined) return { object, unknown: resource.rules.unknownFields?.(object) ?? [] };
  try {
    return decodeTyped(object, type, known);
  } catch (error) {
    if (error instanceof TypeMismatchError)
      return refuse(resource, submission, submission.by === 'strategic' ? error.restored : error.message);
    throw error;
  }
}

/** Of a YAML each finding is a warning of its own. */
const warningsIn = (problem: string): readonly string[] =>
  problem.startsWith(yamlProblem)
    ? problem
        .slice(yamlProblem.length)
        .split('\n')
        .map((line) => line.trim())
    : [problem];

const unknownText = (path: string): string => `unknown field "${path}"`;

/** What a patch has made is read like a body, in its order. */
function orderedIn(submission: Submission, unknown: readonly string[], isCustom: boolean): readonly string[] {
  if (isCustom || unknown.length < 2) return unknown.map(unknownText);
  return strictProblems(Buffer.from(patchedText(submission)), submission.object, unknown);
}

function problemsOf(submission: Submission, unknown: readonly string[], isCustom: boolean): readonly string[] {
  const { json, object, problems, by } = submission;
  // A built-in kind is decoded once: what is wrong is met in the order of the text.
  if (json !== undefined && !isCustom) return strictProblems(json, object, unknown);
  if (by === 'json' || by === 'merge') return [...(problems?.() ?? []), ...orderedIn(submission, unknown, isCustom)];
  const own = json === undefined ? (problems?.() ?? []) : strictProblems(json, object);
  const texts = unknown.map(unknownText);
  return [...own, ...(by === 'strategic' ? texts.sort() : texts)];
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
  const problems = problemsOf(submission, unknown, resource.custom !== undefined);
  if (problems.length === 0) return object;
  if (directive === 'Strict' && submission.by === 'apply')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problems.join(', ')}`);
  if (directive === 'Strict') refuse(resource, submission, `strict decoding error: ${problems.join(', ')}`);
  warn(exchange.response, problems.flatMap(warningsIn));
  return object;
}
