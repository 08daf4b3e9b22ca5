/**
 * Where an informer reports what it cannot tell anybody else. `console` is one.
 */
export interface Logger {
  /** Gets one line of text. */
  warn(message: string): void;
}
