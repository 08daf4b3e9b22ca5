import type { Observable } from 'rxjs';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { WarmCache } from '../warm/warmCache.js';
import type { Verifier } from '../verify/verifier.js';
import type { OwnWrites } from './writesView.js';

/** The client and the selection of an informer. */
export interface SourceOrigin {
  readonly client: object;
  /** The selection in words: namespaces and selectors. */
  readonly selection: string;
  /** Whether two informers with this origin certainly have the same objects. */
  readonly isComparable: boolean;
  /** Whether it has whole objects, without selection or transform. */
  readonly isWhole: boolean;
}

/** The source of an informer. */
export interface InformerSource<T> {
  readonly event$: Observable<SourceEvent<T>>;
  /** Whether objects arrive with shared, frozen parts. */
  readonly comesShared?: boolean;
  /** The resource, for messages: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** The scopes to wait for, if there are several; a Set that changes with them. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** The trampoline in which events are applied; by default the informer makes one. */
  readonly turns?: Trampoline | undefined;
  /** The client and the selection, if known. */
  readonly origin?: SourceOrigin | undefined;
  /** How to list again, for `verify`. */
  readonly verifiable?: {
    /** The current scopes, as named in source events. */
    readonly scopes: () => readonly string[];
    /** Lists one of them with the informer's selectors, metadata alone or as the informer does. */
    readonly lister: (scope: string, metadataOnly: boolean) => Pick<ListerWatcher<T>, 'list'>;
  };
  /** The client's writes, for `readYourWrites`. */
  readonly ownWrites?: OwnWrites<T> | undefined;
  /** Restores the content of an earlier run. */
  readonly warm?: WarmCache<T, never> | undefined;
  /** Verifies the cache automatically. */
  readonly verifier?: Verifier | undefined;
}
