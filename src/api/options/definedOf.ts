type Defined<O> = { readonly [Name in keyof O]?: Exclude<O[Name], undefined> };

/** The options that are not undefined: one that is does not hide another one. */
export function definedOf<O extends object>(options: O): Defined<O> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Defined<O>;
}
