import type { ListerWatcher } from '../../api/listerWatcher.js';

/** How to list once more what an informer has in its cache. */
export interface Verifiable<T> {
  /** The scopes that count at the moment, by the names that source events have. */
  readonly scopes: () => readonly string[];
  /** Lists one of them with the selectors of the informer, metadata alone or as the informer does. */
  readonly lister: (scope: string, metadataOnly: boolean) => Pick<ListerWatcher<T>, 'list'>;
}
