/** Pages have none: what it saves is less than what it takes to load. */
export const vectorScan = (): undefined => undefined;
