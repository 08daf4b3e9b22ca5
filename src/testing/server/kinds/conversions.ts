import type { Conversion } from './servedResource.js';

/** A resource that is stored as another one. */
export interface StoredElsewhere extends Conversion {
  readonly bucketId: string;
}

/** How a version is translated to the one that is stored; undefined when only `apiVersion` differs. */
export function conversionOf(_group: string, _version: string, _plural: string): StoredElsewhere | undefined {
  return undefined;
}
