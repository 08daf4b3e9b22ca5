/** Where an informer reports failures that have no observer. `console` is one. */
export interface Logger {
  /** Gets one line of text. */
  warn(message: string): void;
}
