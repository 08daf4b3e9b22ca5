declare global {
  /** Older libraries of TypeScript lack it; where they have it, this is the same declaration once more. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

export {};
