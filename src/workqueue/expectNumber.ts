/**
 * What a number must be, beyond a number.
 */
export interface NumberRule {
  readonly min?: number;
  readonly above?: number;
  readonly integer?: boolean;
  /** Whether `Infinity` will do. */
  readonly infinite?: boolean;
}

function wordsOf({ min, above, integer = false, infinite = false }: NumberRule): string {
  const kind = integer ? 'an integer' : infinite ? 'a number or Infinity' : 'a finite number';
  if (above !== undefined) return `${kind} > ${above}`;
  return min === undefined ? kind : `${kind} >= ${min}`;
}

/**
 * Returns `value` if it keeps the rule.
 *
 * @throws TypeError that names the option, what it has to be and what it was.
 */
export function expectNumber(name: string, value: unknown, rule: NumberRule = {}): number {
  const { min = -Infinity, above = -Infinity, integer = false, infinite = false } = rule;
  const fits =
    typeof value === 'number' &&
    (Number.isFinite(value) || (infinite && value === Infinity)) &&
    value >= min &&
    (value > above || above === -Infinity) &&
    (!integer || Number.isInteger(value));
  if (!fits)
    throw new TypeError(
      `Expected \`${name}\` to be ${wordsOf(rule)}, got ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`,
    );
  return value;
}
