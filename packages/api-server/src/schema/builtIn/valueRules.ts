import type { Json } from '../../json.js';
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

/** The rules for the values of a struct, by field; `name[]` for the items of a list. */
export function valueRulesOf({ definition }: TypeNode): Readonly<Record<string, readonly ValueRule[]>> {
  unpacked ??= unpack(packedFieldRules) as NonNullable<typeof unpacked>;
  return unpacked[definition] ?? {};
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
