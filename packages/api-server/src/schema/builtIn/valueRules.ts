import { asJsonObject, asString, isJsonArray, type Json } from '../../json.js';
import { invalidValue, notSupported, type FieldError } from '../../status/statusErrors.js';
import { nameProblems, qualifiedNameProblems, type NameSyntax } from '../../write/nameProblem.js';
import { packedFieldRules } from './packedFieldRules.js';
import type { TypeNode } from './typeNode.js';
import { unpack } from './unpack.js';

/** A rule for the value of a field. The rules were measured: see workshop/tools/fieldRules.ts. */
export interface ValueRule {
  /** The allowed values. */
  readonly options?: readonly string[];
  /** The required syntax. */
  readonly syntax?: NameSyntax | 'qualified';
  readonly least?: number;
  readonly most?: number;
  /** The error message for a number out of bounds. */
  readonly problem?: string;
  /** The invalid value that revealed the rule. */
  readonly of?: string | number;
}

let unpacked: Readonly<Record<string, Readonly<Record<string, readonly ValueRule[]>>>> | undefined;

/** Enumerations that are refused at another place or for another reason: code checks these. */
const checkedElsewhere = new Set([
  'NodeSelectorRequirement.operator',
  'DaemonSetUpdateStrategy.type',
  'StatefulSetUpdateStrategy.type',
  'StatefulSetSpec.podManagementPolicy',
  'Taint.effect',
  'PersistentVolumeSpec.accessModes',
  'PersistentVolumeClaimSpec.accessModes',
  'ResourceQuotaSpec.scopes',
  'ScopedResourceSelectorRequirement.operator',
  'ScopedResourceSelectorRequirement.scopeName',
]);

/** Numbers that are not negative wherever they stand. */
const notNegative = new Set(
  (
    'minReadySeconds revisionHistoryLimit progressDeadlineSeconds startingDeadlineSeconds successfulJobsHistoryLimit failedJobsHistoryLimit ' +
    'ttlSecondsAfterFinished backoffLimitPerIndex maxFailedIndexes initialDelaySeconds failureThreshold successThreshold'
  ).split(' '),
);
const counted: readonly ValueRule[] = [{ least: 0, problem: 'must be greater than or equal to 0' }];

/** The syntax of names for which no rule was measured. */
const named: Readonly<Record<string, NameSyntax>> = { 'VolumeAttachmentSpec.attacher': 'subdomain', 'ParamRef.name': 'path' };

/** The rule of a count or of an enumeration in the definitions, for a field or the items of a list. */
function defined({ name }: TypeNode, field: string, { schema, form }: TypeNode): Readonly<Record<string, readonly ValueRule[]>> {
  if (notNegative.has(field)) return { [field]: counted };
  const syntax = named[`${name}.${field}`];
  if (syntax !== undefined) return { [field]: [{ syntax }] };
  const isList = form === 'list';
  const { enum: options } = isList ? asJsonObject(schema['items']) : schema;
  return isJsonArray(options) && !checkedElsewhere.has(`${name}.${field}`)
    ? { [isList ? `${field}[]` : field]: [{ options: options.map(asString) }] }
    : {};
}

/** The rules for the values of a struct, by field; `name[]` for the items of a list. Measured ones go before those of the definitions. */
export function valueRulesOf(type: TypeNode): Readonly<Record<string, readonly ValueRule[]>> {
  unpacked ??= unpack(packedFieldRules) as NonNullable<typeof unpacked>;
  const own = [...type.fields].map(([name, field]) => defined(type, name, field));
  return Object.assign({}, ...own, unpacked[type.definition]) as Readonly<Record<string, readonly ValueRule[]>>;
}

function problemsOf(text: string, syntax: NonNullable<ValueRule['syntax']>): readonly string[] {
  return syntax === 'qualified' ? qualifiedNameProblems(text) : nameProblems(text, syntax);
}

/** Validation errors of a field's value, which may stand anywhere. An empty string counts as absent. */
export function valueErrors(value: Json, rules: readonly ValueRule[]): readonly Omit<FieldError, 'field'>[] {
  const found: Omit<FieldError, 'field'>[] = [];
  for (const { options, syntax, least = -Infinity, most = Infinity, problem = '' } of rules) {
    if (typeof value === 'number') {
      if (problem === '' || (value >= least && value <= most)) continue;
      return [...found, invalidValue('', String(value), problem)];
    }
    if (typeof value !== 'string' || value === '') continue;
    if (options !== undefined && !options.includes(value)) found.push(notSupported('', JSON.stringify(value), options));
    if (syntax !== undefined) for (const one of problemsOf(value, syntax)) found.push(invalidValue('', JSON.stringify(value), one));
  }
  return found;
}
