/**
 * Where an informer reports what it cannot tell anybody else. `console` is one.
 */
export interface Logger {
  warn(message: string): void;
}
