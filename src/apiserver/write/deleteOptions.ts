import { decodeBody, jsonProblem, kindlessProblem } from '../http/decodeBody.js';
import type { QueryParameters } from '../http/queryParameters.js';
import { asJsonObject, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
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
  readonly uid: string;
  readonly resourceVersion: string;
}

const policies = ['Foreground', 'Background', 'Orphan'] as const;

function fromQuery(query: QueryParameters): JsonObject {
  const gracePeriodSeconds = query.integer('gracePeriodSeconds');
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.text('propagationPolicy') }),
    ...(query.has('orphanDependents') && { orphanDependents: query.flag('orphanDependents') }),
    dryRun: query.all('dryRun'),
    preconditions: { uid: query.text('uid'), resourceVersion: query.text('resourceVersion') },
  };
}

const optionTypes: Readonly<Record<string, readonly [type: string, isOf: (value: Json) => boolean]>> = {
  gracePeriodSeconds: ['int64', (value) => Number.isInteger(value)],
  orphanDependents: ['bool', (value) => typeof value === 'boolean'],
  propagationPolicy: ['v1.DeletionPropagation', (value) => typeof value === 'string'],
  dryRun: ['[]string', isJsonArray],
  preconditions: ['v1.Preconditions', isJsonObject],
};

const preconditionTypes: typeof optionTypes = {
  uid: ['types.UID', (value) => typeof value === 'string'],
  resourceVersion: ['string', (value) => typeof value === 'string'],
};

function checkTypes(options: JsonObject, types: typeof optionTypes, place: string): void {
  for (const [name, [type, isOf]] of Object.entries(types)) {
    const value = options[name] ?? null;
    if (value === null || isOf(value)) continue;
    const found = isJsonArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'number' && type === 'int64'
          ? `number ${String(value)}`
          : typeof value;
    throw badRequest(`json: cannot unmarshal ${found} into Go struct field ${place}.${name} of type ${type}`);
  }
}

function fromBody(contentType: string | undefined, body: Buffer): JsonObject {
  let decoded: Json;
  try {
    decoded = decodeBody(contentType, body, ['v1', 'DeleteOptions']);
  } catch (error) {
    throw error instanceof StatusError
      ? error
      : badRequest(`couldn't get version/kind; json parse error: ${jsonProblem(body.toString(), error)}`);
  }
  if (decoded === null) decoded = {};
  if (!isJsonObject(decoded)) throw badRequest(kindlessProblem(decoded));
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = decoded;
  if (kind !== 'DeleteOptions' && kind !== '') {
    const scheme = '"k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"';
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme ${scheme}`);
  }
  checkTypes(decoded, optionTypes, 'DeleteOptions');
  checkTypes(asJsonObject(decoded['preconditions']), preconditionTypes, 'Preconditions.preconditions');
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
  const dryRuns = isJsonArray(dryRun) ? dryRun : [];
  errors.push(...dryRunErrors(dryRuns));
  if (errors.length > 0) throw invalidOptions('DeleteOptions', ...errors);
  const { uid, resourceVersion } = asJsonObject(preconditions);
  return {
    dryRun: dryRuns.length > 0,
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? (gracePeriodSeconds < 0 ? 1 : Math.floor(gracePeriodSeconds)) : undefined,
    propagationPolicy: policy ?? (orphanDependents === true ? 'Orphan' : orphanDependents === false ? 'Background' : undefined),
    accepted: orphanDependents === false,
    uid: typeof uid === 'string' ? uid : '',
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
  };
}
