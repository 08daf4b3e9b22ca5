/** How deep the names of fields are checked. */
type Deep = readonly [0, 0, 0];

/**
 * The paths of an object's fields, as `fields` of a scope has them: `status.phase`, of lists without an index, and of maps also `metadata.labels[app]`. Names are checked
 * three levels deep.
 */
export type FieldPath<T, Left extends readonly 0[] = Deep> = unknown extends T
  ? string
  : Left extends readonly [0, ...infer Rest extends readonly 0[]]
    ? T extends readonly (infer Item)[]
      ? FieldPath<Item, Left>
      : T extends object
        ? { readonly [K in keyof T & string]: K | `${K}[${string}` | `${K}.${FieldPath<NonNullable<T[K]>, Rest>}` }[keyof T & string]
        : never
    : string;
