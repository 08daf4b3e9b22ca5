/**
 * `T`, but no place to infer it from: in a `pipe` it then comes from the source, so that a predicate for any object keeps the type of a pod.
 * TypeScript has a `NoInfer` of its own only since 5.4, and the declarations are for 5.0 and later.
 */
export type NoInference<T> = [T][T extends unknown ? 0 : never];
