import type { OptionRule } from './optionRule.js';

/** What a number must be, beyond a number. */
interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly integer?: boolean;
  /** Whether `Infinity` will do. */
  readonly infinite?: boolean;
}

const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');

function wordsOf({ min, max, above, integer = false, infinite = false }: NumberRule): string {
  const kind = integer ? 'an integer' : infinite ? 'a number' : 'a finite number';
  const bounds = [above === undefined ? (min === undefined ? '' : ` >= ${min}`) : ` > ${above}`, max === undefined ? '' : ` and <= ${max}`];
  return `${kind}${bounds.join('')}${infinite ? ' or Infinity' : ''}`;
}

function number(rule: NumberRule = {}): OptionRule {
  const { min = -Infinity, max = Infinity, above, integer = false, infinite = false } = rule;
  return {
    expected: wordsOf(rule),
    holds: (value) =>
      typeof value === 'number' &&
      (value === Infinity ? infinite : Number.isFinite(value) && (!integer || Number.isInteger(value))) &&
      value >= min &&
      value <= max &&
      (above === undefined || value > above),
  };
}

const quoted = (values: readonly string[]): string =>
  values
    .map((value) => `'${value}'`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');

type Plain = 'any' | 'string' | 'nonEmptyString' | 'boolean' | 'function' | 'object' | 'scheduler' | 'observable' | 'signal' | 'iterable';

/** The rules that `checkOptions` is given. */
interface Rules extends Readonly<Record<Plain, OptionRule>> {
  /** Milliseconds, 0 or more; `Infinity` is for ever. */
  readonly durationMs: OptionRule;
  readonly number: (rule?: NumberRule) => OptionRule;
  /** Milliseconds, bounded. */
  readonly durationOf: (rule: NumberRule) => OptionRule;
  readonly oneOf: (...values: readonly string[]) => OptionRule;
  /** An object that has these methods. */
  readonly withMethods: (...names: readonly string[]) => OptionRule;
  readonly listOf: (rule: OptionRule, what: string) => OptionRule;
  readonly either: (...choices: readonly OptionRule[]) => OptionRule;
  /** The option must not be left out. */
  readonly required: (rule: OptionRule) => OptionRule;
}

const isIterable = (value: unknown): boolean =>
  typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === 'function';

export const rules: Rules = {
  any: { expected: 'anything', holds: () => true },
  string: { expected: 'a string', holds: (value) => typeof value === 'string' },
  nonEmptyString: { expected: 'a non-empty string', holds: (value) => typeof value === 'string' && value !== '' },
  boolean: { expected: 'a boolean', holds: (value) => typeof value === 'boolean' },
  function: { expected: 'a function', holds: (value) => typeof value === 'function' },
  object: { expected: 'an object', holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  scheduler: { expected: 'an RxJS scheduler', holds: (value) => hasMethods(value, ['now', 'schedule']) },
  observable: { expected: 'an Observable', holds: (value) => hasMethods(value, ['subscribe', 'pipe']) },
  signal: { expected: 'an AbortSignal', holds: (value) => hasMethods(value, ['addEventListener']) && 'aborted' in (value as object) },
  iterable: { expected: 'iterable', holds: isIterable },
  durationMs: { ...number({ min: 0, infinite: true }), expected: 'a number of milliseconds >= 0 or Infinity' },
  number,
  durationOf: (rule) => ({ ...number(rule), expected: wordsOf(rule).replace('number', 'number of milliseconds') }),
  oneOf: (...values) => ({ expected: quoted(values), holds: (value) => values.some((known) => known === value) }),
  withMethods: (...names) => ({
    expected: `an object with the ${names.length === 1 ? 'method' : 'methods'} ${names.join(', ').replace(/, ([^,]*)$/, ' and $1')}`,
    holds: (value) => hasMethods(value, names),
  }),
  listOf: (rule, what) => ({
    expected: `a list of ${what}`,
    holds: (value) => Array.isArray(value) && value.every((item) => rule.holds(item)),
  }),
  either: (...choices) => ({
    expected: choices.map(({ expected }) => expected).join(', or '),
    holds: (value) => choices.some((choice) => choice.holds(value)),
  }),
  required: (rule) => ({ ...rule, required: true }),
};
