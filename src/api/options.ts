/** The rule for the value of one option. An absent or undefined option is valid unless it is required. */
export interface OptionRule {
  /** The valid values, as the end of "Expected `name` to be ...". */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Whether error messages must not show the value. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

/** Options with the defaults filled in. */
export type Complete<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** A rule for each option of `O`, and for no other name. */
export type OptionRules<O> = { readonly [Name in keyof Required<O>]: OptionRule };

/** A value for an error message: short, and without the contents of objects. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'symbol' ? 'a symbol' : String(value);
}

/** Checks a required argument: throws a TypeError with its name, the valid values and the actual value. */
export function expectArgument(owner: string, name: string, value: unknown, rule: OptionRule): void {
  if (value !== undefined && rule.holds(value)) return;
  const shown = rule.secret === true && value !== undefined ? 'something else' : describeValue(value);
  throw new TypeError(`Expected \`${name}\` of \`${owner}\` to be ${rule.expected}, got ${shown}`);
}

/**
 * Checks the options of a public function: an object with known names and valid values.
 *
 * Every public function uses it: a misspelt name must never be ignored, since a wrong `namespace` would watch a whole cluster.
 *
 * @param owner - the function, as users call it.
 * @throws TypeError that names the option, its valid values and the actual value, or the known name most similar to an unknown one.
 */
export function checkOptions<O extends object>(owner: string, options: O, rules: OptionRules<O>): void {
  const given: unknown = options;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`Expected the options of \`${owner}\` to be an object, got ${describeValue(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof O] : undefined;
    if (rule === undefined) throw unknownOption(owner, name, Object.keys(rules));
    if (value !== undefined) expectArgument(owner, name, value, rule);
  }
  for (const [name, rule] of Object.entries<OptionRule>(rules)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (rule.required === true && value === undefined) expectArgument(owner, name, value, rule);
  }
}

function unknownOption(owner: string, name: string, known: readonly string[]): TypeError {
  const hint = similarTo(name, known) || `; it has ${known.length === 0 ? 'none' : known.map((option) => `\`${option}\``).join(', ')}`;
  return new TypeError(`Unknown option \`${name}\` of \`${owner}\`${hint}`);
}

/** The limits of a number. */
interface NumberRule {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly integer?: boolean;
  /** Whether `Infinity` is valid. */
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

/** The rules for `checkOptions`. */
interface Rules extends Readonly<Record<Plain, OptionRule>> {
  /** Milliseconds, 0 or more, or `Infinity`. */
  readonly durationMs: OptionRule;
  readonly number: (rule?: NumberRule) => OptionRule;
  /** Milliseconds with limits. */
  readonly durationOf: (rule: NumberRule) => OptionRule;
  readonly oneOf: (...values: readonly string[]) => OptionRule;
  /** An object that has these methods. */
  readonly withMethods: (...names: readonly string[]) => OptionRule;
  readonly listOf: (rule: OptionRule, what: string) => OptionRule;
  readonly either: (...choices: readonly OptionRule[]) => OptionRule;
  /** Makes the option required. */
  readonly required: (rule: OptionRule) => OptionRule;
}

const isIterable = (value: unknown): boolean =>
  typeof (value as Partial<Iterable<unknown>> | null | undefined)?.[Symbol.iterator] === 'function';

/** The random numbers of an option `random`. What is no number from 0 up to 1 would make waits without an end: a half takes its place. */
export function randomOf(random: () => unknown = Math.random): () => number {
  return () => {
    try {
      const drawn = random();
      return typeof drawn === 'number' && drawn >= 0 && drawn <= 1 ? drawn : 0.5;
    } catch {
      return 0.5;
    }
  };
}

export const rules: Rules = {
  any: { expected: 'anything', holds: () => true },
  string: { expected: 'a string', holds: (value) => typeof value === 'string' },
  nonEmptyString: { expected: 'a non-empty string', holds: (value) => typeof value === 'string' && value !== '' },
  boolean: { expected: 'a boolean', holds: (value) => typeof value === 'boolean' },
  function: { expected: 'a function', holds: (value) => typeof value === 'function' },
  object: { expected: 'an object', holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  scheduler: {
    expected: 'an RxJS scheduler',
    holds: (value) => hasMethods(value, ['now', 'schedule']) && Number.isFinite((value as { now(): unknown }).now()),
  },
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

/** The edit distance: characters inserted, removed, replaced, or swapped with the next one. */
function editDistance(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const exchanged = isExchanged ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, exchanged, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The end of an error message about an unknown word: `; did you mean ...?` with at most three similar words, or nothing. */
export function similarTo(word: string, known: Iterable<string>): string {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const seen = new Set<string>();
  const similar = [...known]
    // Of words that differ only in case, the first one.
    .filter((candidate) => !seen.has(candidate.toLowerCase()) && seen.add(candidate.toLowerCase()))
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => `\`${candidate}\``);
  return similar.length === 0 ? '' : `; did you mean ${similar.join(' or ')}?`;
}

type Defined<O> = { readonly [Name in keyof O]?: Exclude<O[Name], undefined> };

/** The options that are not undefined, so that undefined ones do not override defaults. */
export function definedOf<O extends object>(options: O): Defined<O> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<O>;
}
