import { decodeBody, jsonProblem, kindlessProblem, kindTypeProblem } from '../http/decodeBody.js';
import type { QueryParameters } from '../http/queryParameters.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, jsonType, listAt, type Json, type JsonObject } from '../json.js';
import { ProtobufError } from '../protobuf/wireReader.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, invalidOptions, invalidValue, notSupported, type FieldError } from '../status/statusErrors.js';
import { dryRunErrors } from './writeOptions.js';

/** How an object is deleted. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: 'Foreground' | 'Background' | 'Orphan' | undefined;
  /** Whether to answer 202 while the deletion takes time: for the deprecated `orphanDependents: false`. */
  readonly accepted: boolean;
  /** Undefined for any: an empty text is a precondition that no object meets. */
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

/** The options of a deletion that has none. */
export const noDeleteOptions: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: undefined,
  accepted: false,
  uid: undefined,
  resourceVersion: undefined,
};

/** The options of the deletions by controllers. */
export const inBackground: DeleteOptions = { ...noDeleteOptions, propagationPolicy: 'Background' };

const policies = ['Foreground', 'Background', 'Orphan'] as const;

function fromQuery(query: QueryParameters): JsonObject {
  const gracePeriodSeconds = query.integer('gracePeriodSeconds');
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.text('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: query.flag('orphanDependents') }),
    dryRun: query.all('dryRun'),
    preconditions: { uid: query.text('uid') || null, resourceVersion: query.text('resourceVersion') || null },
  };
}

type OptionTypes = Readonly<Record<string, readonly [type: string, isOf: (value: unknown) => boolean, within?: OptionTypes]>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTruth = (value: unknown): boolean => typeof value === 'boolean';
const isInt64 = (value: unknown): boolean => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 63;

const preconditionTypes: OptionTypes = { uid: ['a string', isText], resourceVersion: ['a string', isText] };

const optionTypes: OptionTypes = {
  gracePeriodSeconds: ['a whole number', isInt64],
  orphanDependents: ['a boolean', isTruth],
  propagationPolicy: ['a string', isText],
  dryRun: ['a list of strings', isJsonArray],
  preconditions: ['an object', isJsonObject, preconditionTypes],
  ignoreStoreReadErrorWithClusterBreakingPotential: ['a boolean', isTruth],
};

/** Refuses a value of a wrong type: the first one, in the order of the document. */
function checkTypes(options: JsonObject, types: OptionTypes, place: string): void {
  const refuse = (value: unknown, name: string, type: string): never => {
    throw badRequest(`${place}.${name}: expected ${type}, got ${jsonType(value)}`);
  };
  for (const [name, value] of Object.entries(options)) {
    const [type = '', isOf, within] = Object.hasOwn(types, name) ? (types[name] ?? []) : [];
    if (isOf === undefined || value === null) continue;
    if (!isOf(value)) refuse(value, name, type);
    if (within !== undefined) checkTypes(asJsonObject(value), within, `${place}.${name}`);
    for (const item of listAt(value)) if (item !== null && !isText(item)) refuse(item, name, type);
  }
}

function checkDeleteKind(options: JsonObject): void {
  const problem = kindTypeProblem(options);
  if (problem !== '') throw badRequest(problem);
  const [kind, apiVersion] = [asString(options['kind']), asString(options['apiVersion'])];
  if (apiVersion.split('/').length > 2) throw badRequest(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind === '' || kind === 'DeleteOptions') return;
  throw badRequest(`${kind} in version ${JSON.stringify(apiVersion)} cannot be handled as DeleteOptions`);
}

function fromBody(contentType: string | undefined, body: Buffer): JsonObject {
  let decoded: Json;
  try {
    decoded = decodeBody(contentType, body, ['v1', 'DeleteOptions']);
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw badRequest(error instanceof ProtobufError ? error.message : jsonProblem(error));
  }
  if (decoded === null) decoded = {};
  if (!isJsonObject(decoded)) throw badRequest(kindlessProblem(decoded));
  checkDeleteKind(decoded);
  checkTypes(decoded, optionTypes, 'DeleteOptions');
  return decoded;
}

/**
 * Parses the options of a delete: from the body when there is one, otherwise from the query.
 *
 * @throws StatusError 400 or 422
 */
export function deleteOptionsOf(query: QueryParameters, contentType: string | undefined, body: Buffer): DeleteOptions {
  const options = body.length > 0 ? fromBody(contentType, body) : fromQuery(query);
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = options;
  const errors: FieldError[] = [];
  if (orphanDependents !== undefined && orphanDependents !== null && propagationPolicy !== undefined && propagationPolicy !== null) {
    errors.push(
      invalidValue('propagationPolicy', JSON.stringify(propagationPolicy), 'orphanDependents and deletionPropagation cannot be both set'),
    );
  }
  const policy = policies.find((known) => known === propagationPolicy);
  if (propagationPolicy !== undefined && propagationPolicy !== null && policy === undefined) {
    errors.push(notSupported('propagationPolicy', JSON.stringify(propagationPolicy), [...policies, 'nil']));
  }
  const dryRuns = listAt(dryRun).map((value) => value ?? '');
  errors.push(...dryRunErrors(dryRuns));
  if (errors.length > 0) throw invalidOptions('DeleteOptions', ...errors);
  const { uid, resourceVersion } = asJsonObject(preconditions);
  return {
    dryRun: dryRuns.length > 0,
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? (gracePeriodSeconds < 0 ? 1 : Math.floor(gracePeriodSeconds)) : undefined,
    propagationPolicy: policy ?? (orphanDependents === true ? 'Orphan' : orphanDependents === false ? 'Background' : undefined),
    accepted: orphanDependents === false,
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
  };
}
