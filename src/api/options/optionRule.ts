/** What the value of one option has to be. An absent option, or one that is `undefined`, is right unless it is required. */
export interface OptionRule {
  /** What is expected, as the end of "Expected `name` to be ...". */
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
  /** Whether error messages must not show the value. */
  readonly secret?: boolean;
  readonly required?: boolean;
}

/** A rule for each option of `O`, and for no other name. */
export type OptionRules<O> = { readonly [Name in keyof Required<O>]: OptionRule };
