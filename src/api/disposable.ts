declare global {
  /** Missing in older TypeScript libraries; identical where it exists. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export {};
