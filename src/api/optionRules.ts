/** The rule for the value of one option. An absent or undefined option is valid unless it is required. */
export interface OptionRule {
  /** The valid values, as the end of "Expected `name` to be ...". */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Whether error messages must not show the value. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

export const any: OptionRule = { expected: 'anything', holds: () => true };
export const string: OptionRule = { expected: 'a string', holds: (value) => typeof value === 'string' };
export const nonEmptyString: OptionRule = { expected: 'a non-empty string', holds: (value) => typeof value === 'string' && value !== '' };
export const boolean: OptionRule = { expected: 'a boolean', holds: (value) => typeof value === 'boolean' };
const aFunction: OptionRule = { expected: 'a function', holds: (value) => typeof value === 'function' };
export const object: OptionRule = {
  expected: 'an object',
  holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const hasMethods = (value: unknown, names: readonly string[]): boolean =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function');

export const scheduler: OptionRule = {
  expected: 'an RxJS scheduler',
  holds: (value) => hasMethods(value, ['now', 'schedule']) && Number.isFinite((value as { now(): unknown }).now()),
};
export const observable: OptionRule = { expected: 'an Observable', holds: (value) => hasMethods(value, ['subscribe', 'pipe']) };
export const signal: OptionRule = {
  expected: 'an AbortSignal',
  holds: (value) => hasMethods(value, ['addEventListener']) && 'aborted' in (value as object),
};
export const iterable: OptionRule = {
  expected: 'iterable',
  holds: (value) => typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === 'function',
};

/** Milliseconds, 0 or more, or `Infinity`. */
export const durationMs: OptionRule = {
  expected: 'a number of milliseconds >= 0 or Infinity',
  holds: (value) => typeof value === 'number' && value >= 0,
};

/** The limits of a number. */
interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly integer?: boolean;
  /** Whether `Infinity` is valid. */
  readonly infinite?: boolean;
}

function wordsOf({ min, max, above, integer = false, infinite = false }: NumberRule): string {
  const kind = integer ? 'an integer' : infinite ? 'a number' : 'a finite number';
  const bounds = [above === undefined ? (min === undefined ? '' : ` >= ${min}`) : ` > ${above}`, max === undefined ? '' : ` and <= ${max}`];
  return `${kind}${bounds.join('')}${infinite ? ' or Infinity' : ''}`;
}

export function number(rule: NumberRule = {}): OptionRule {
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

/** Milliseconds with limits. */
export function durationOf(rule: NumberRule): OptionRule {
  return { ...number(rule), expected: wordsOf(rule).replace('number', 'number of milliseconds') };
}

const withLast = (texts: readonly string[], word: string): string => texts.join(', ').replace(/, ([^,]*)$/, ` ${word} $1`);

export function oneOf(...values: readonly string[]): OptionRule {
  const quoted = values.map((value) => `'${value}'`);
  return { expected: withLast(quoted, 'or'), holds: (value) => values.some((known) => known === value) };
}

/** An object that has these methods. */
export function withMethods(...names: readonly string[]): OptionRule {
  const noun = names.length === 1 ? 'method' : 'methods';
  return { expected: `an object with the ${noun} ${withLast(names, 'and')}`, holds: (value) => hasMethods(value, names) };
}

export function listOf(rule: OptionRule, what: string): OptionRule {
  return { expected: `a list of ${what}`, holds: (value) => Array.isArray(value) && value.every((item) => rule.holds(item)) };
}

export function either(...choices: readonly OptionRule[]): OptionRule {
  return {
    expected: choices.map(({ expected }) => expected).join(', or '),
    holds: (value) => choices.some((choice) => choice.holds(value)),
  };
}

/** Makes the option required. */
export function required(rule: OptionRule): OptionRule {
  return { ...rule, required: true };
}

export { aFunction as function };
