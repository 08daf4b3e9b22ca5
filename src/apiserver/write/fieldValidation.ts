import type { Cluster } from '../cluster.js';
import type { Exchange } from '../http/exchange.js';
import { goOrdered } from '../protobuf/goOrder.js';
import { parseYaml } from '../http/parseYaml.js';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { decodeTyped, TypeMismatchError, type Decoded } from '../schema/builtIn/decodeTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { badRequest, bareError, invalid, invalidValue } from '../status/statusErrors.js';
import { strictProblems } from './strictProblems.js';
import { warn } from './warnings.js';

const schemeName = '"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30"';

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
  /** Validation errors of the YAML or the patch that it was read from, unknown fields aside. */
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
function ordered(value: Json, known: Json | undefined, asGo: Json | undefined, isMerge: boolean): Json {
  if (value === known) return asGo ?? value;
  if (isJsonArray(value)) {
    const before = isJsonArray(known) ? new Set(known) : undefined;
    return value.map((item) => (before?.has(item) === true || !isMerge ? item : sorted(item)));
  }
  if (!isJsonObject(value)) return value;
  if (!isJsonObject(known)) return isMerge ? sorted(value) : value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(
    names.map((name) => [name, ordered(value[name] ?? null, known[name], isJsonObject(asGo) ? asGo[name] : undefined, isMerge)]),
  );
}

function patchedText({ groupVersion, kind, custom }: ServedResource, { object, known, by }: Submission): string {
  // These are maps all through.
  if (custom !== undefined) return JSON.stringify(sorted(object));
  return JSON.stringify(ordered(object, known, known && goOrdered(known, groupVersion, kind), by === 'merge'));
}

function refuse(resource: ServedResource, submission: Submission, problem: string): never {
  const { kind, version } = resource;
  const { by, shown } = submission;
  if (by === 'apply') throw bareError(`failed to create typed patch object: ${problem}`);
  if (by === 'body') throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
  const text = shown?.() ?? patchedText(resource, submission);
  throw invalid('', '', '', [invalidValue('patch', JSON.stringify(text), problem)]);
}

/**
 * What a patch has made, as the kind that it was: a strategic patch cannot change that.
 *
 * @throws StatusError 422 where another patch has made it a kind that is not there.
 */
export function ofKind(resource: ServedResource, submission: Submission): Submission {
  const { object, by } = submission;
  const { kind, groupVersion: apiVersion } = resource;
  if (object['kind'] === kind && object['apiVersion'] === apiVersion) return submission;
  if (by === 'strategic') return { ...submission, object: { ...object, kind, apiVersion } };
  const asked = JSON.stringify(object['kind'] ?? kind);
  const version = JSON.stringify(object['apiVersion'] ?? apiVersion);
  if (asked === JSON.stringify(kind) && version === JSON.stringify(apiVersion)) return submission;
  return refuse(resource, submission, `no kind ${asked} is registered for version ${version} in scheme ${schemeName}`);
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
function orderedIn(resource: ServedResource, submission: Submission, unknown: readonly string[]): readonly string[] {
  if (resource.custom !== undefined || unknown.length < 2) return unknown.map(unknownText);
  return strictProblems(Buffer.from(patchedText(resource, submission)), submission.object, unknown);
}

function problemsOf(resource: ServedResource, submission: Submission, unknown: readonly string[]): readonly string[] {
  const { json, object, problems, by } = submission;
  // A built-in kind is decoded once: what is wrong is met in the order of the text.
  if (json !== undefined && resource.custom === undefined) return strictProblems(json, object, unknown);
  if (by === 'json' || by === 'merge') return [...(problems?.() ?? []), ...orderedIn(resource, submission, unknown)];
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
  const problems = problemsOf(resource, submission, unknown);
  if (problems.length === 0) return object;
  if (directive === 'Strict' && submission.by === 'apply')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problems.join(', ')}`);
  if (directive === 'Strict') refuse(resource, submission, `strict decoding error: ${problems.join(', ')}`);
  warn(exchange.response, problems.flatMap(warningsIn));
  return object;
}
