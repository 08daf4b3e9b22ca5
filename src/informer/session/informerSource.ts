import type { Observable } from 'rxjs';
import type { ListerWatcher } from '../../api/listerWatcher.js';
import type { SourceEvent } from '../../api/events.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { WarmStart } from '../warm/warmStart.js';
import type { Verifier } from '../verify/verifier.js';
import type { OwnWrites } from './writesView.js';

/** What an informer asks of whom. */
export interface SourceOrigin {
  readonly client: object;
  /** In words: namespaces and selectors. */
  readonly selection: string;
  /** Whether two informers with this origin are sure to have the same objects. */
  readonly isComparable: boolean;
  /** Whether nothing makes less of the objects of the cluster. */
  readonly isWhole: boolean;
}

/** Where an informer's objects come from. */
export interface InformerSource<T> {
  readonly event$: Observable<SourceEvent<T>>;
  /** The objects share among themselves what they are to share, and that is frozen. */
  readonly comesShared?: boolean;
  /** What the objects are, for messages: `pods`, `deployments.apps`. */
  readonly resource: string;
  /** The scopes to wait for, where there are several; a live set where they change. */
  readonly scopes?: ReadonlySet<string> | undefined;
  /** In whose turns its events are taken in; by default in some that the informer makes. */
  readonly turns?: Trampoline | undefined;
  /** What is asked of whom, where that is known. */
  readonly origin?: SourceOrigin | undefined;
  /** How to list it once more, for `verify`. */
  readonly verifiable?: {
    /** The scopes that count at the moment, by the names that source events have. */
    readonly scopes: () => readonly string[];
    /** Lists one of them with the selectors of the informer, metadata alone or as the informer does. */
    readonly lister: (scope: string, metadataOnly: boolean) => Pick<ListerWatcher<T>, 'list'>;
  };
  /** The writes that the lister is to show at once. */
  readonly ownWrites?: OwnWrites<T> | undefined;
  /** What begins it with the content of an earlier run. */
  readonly warm?: WarmStart<T, never> | undefined;
  /** What verifies its cache by itself. */
  readonly verifier?: Verifier | undefined;
}
