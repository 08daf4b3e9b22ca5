/** Pages do not use WebAssembly: it saves less time than it takes to load. */
export const vectorScan = (): undefined => undefined;
