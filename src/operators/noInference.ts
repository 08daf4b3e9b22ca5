/**
 * `T`, but no place to infer it from: in a `pipe` it then comes from the source, so that a predicate for any object keeps the type of a pod.
 */
export type NoInference<T> = [T][T extends unknown ? 0 : never];
