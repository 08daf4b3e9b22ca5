import type { Observable } from 'rxjs';
import type { SourceEvent } from '../../api/events.js';
import type { Trampoline } from '../../rx/trampoline.js';
import type { Plugs, Relisting } from '../parts/part.js';

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
  /** How to list again. */
  readonly relisting?: Relisting | undefined;
  readonly plugs?: Plugs | undefined;
}
