import * as all from './optionRules.js';

/** The rules for `checkOptions`. Pages import them one by one, so that they load no others. */
export const rules: typeof all = all;

/** Options with the defaults filled in. */
export type Complete<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** A rule for each option of `O`, and for no other name. */
export type OptionRules<O> = { readonly [Name in keyof Required<O>]: all.OptionRule };

/** A value for an error message: short, and without the contents of objects. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}

/** Checks a required argument: throws a TypeError with its name, the valid values and the actual value. */
export function expectArgument(owner: string, name: string, value: unknown, rule: all.OptionRule): void {
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
  if (!all.object.holds(given)) throw new TypeError(`Expected the options of \`${owner}\` to be an object, got ${describeValue(given)}`);
  for (const name of Object.keys(options)) if (!Object.hasOwn(rules, name)) throw unknownOption(owner, name, Object.keys(rules));
  for (const [name, rule] of Object.entries<all.OptionRule>(rules)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (rule.required === true || value !== undefined) expectArgument(owner, name, value, rule);
  }
}

function unknownOption(owner: string, name: string, known: readonly string[]): TypeError {
  const hint = similarTo(name, known) || `; it has ${known.length === 0 ? 'none' : known.map((option) => `\`${option}\``).join(', ')}`;
  return new TypeError(`Unknown option \`${name}\` of \`${owner}\`${hint}`);
}

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
