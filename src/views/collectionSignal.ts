/**
 * The current value of a collection, or of one of its keys, and a subscription to each later one: a signal in the shape that most frameworks have.
 */
export interface CollectionSignal<D> {
  /** The current value; undefined before the collection is complete. Without subscribers, the value that it had last. */
  (): D | undefined;
  readonly value: D | undefined;
  /** The current value, for signals that are read by a method. */
  get(): D | undefined;
  /** The current value, without being tracked. */
  peek(): D | undefined;
  /** Calls `run` with the current value now, and with each other one, until the returned function is called. Keeps the collection up so long. */
  subscribe(run: (value: D | undefined) => void): () => void;
}
