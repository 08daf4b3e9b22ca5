import type { InformerError } from '../errors/informerError.js';
import type { LeaveReason } from './resourceEvent.js';

/** Why a list begins. */
export type InitReason =
  /** No list of this subscription has been complete yet. */
  | 'first'
  /** The server no longer keeps the version to resume from. */
  | 'expired'
  /** The last list or watch failed in a way that a list repairs. */
  | 'error'
  /** A periodic consistent list (`relistPeriodMs`). */
  | 'period';

/** The state of a source's link to the server. */
export type LinkState = 'listing' | 'watching' | 'retrying';

/**
 * What a source of objects emits.
 *
 * ```text
 * ( init ( page | added | modified | deleted )* ( ready ( added | modified | deleted | bookmark )* )? )*      status anywhere
 * ```
 *
 * - `init`: a list begins; everything known before is on probation.
 * - `page`: some objects of that list, with their keys where those are not made of metadata. Between `init` and `ready`, `added`, `modified` and `deleted` change only the half-received list.
 * - `ready`: the list is complete; objects of this scope that did not come are gone. An `init` without a `ready` before the next `init`
 *   abandons what came between.
 * - `added`, `modified`, `deleted`, `bookmark`: from the watch.
 * - `status`: the state of the link, failures included; never an Rx error.
 *
 * `scope` is the namespace or selector of one reflector; an absent one is `''`.
 */
export type SourceEvent<T> =
  | { readonly type: 'init'; readonly scope: string; readonly reason: InitReason; readonly previousResourceVersion: string }
  | {
      readonly type: 'page';
      readonly scope?: string;
      readonly items: readonly T[];
      /** The key of each item, in the order of `items`. Without it, keys are made of the items. */
      readonly keys?: readonly string[];
    }
  | { readonly type: 'ready'; readonly scope: string; readonly resourceVersion: string }
  | {
      readonly type: 'added' | 'modified' | 'deleted';
      readonly scope?: string;
      readonly object: T;
      readonly resourceVersion: string;
      /** The key of the object, where it is not made of the object's metadata: in relays and views. */
      readonly key?: string;
      /** Of `deleted`: why the object has left, although it has not been deleted. Only its key counts then. */
      readonly reason?: LeaveReason;
    }
  | { readonly type: 'bookmark'; readonly scope?: string; readonly resourceVersion: string }
  | SourceStatus;

/** The state of a source's link, and what happened to it. */
export interface SourceStatus {
  readonly type: 'status';
  readonly scope?: string;
  readonly state: LinkState;
  readonly error?: InformerError | undefined;
  /** How many attempts in a row have failed, from 1. */
  readonly attempt?: number | undefined;
  /** When the next attempt begins, in milliseconds of the scheduler's clock. */
  readonly nextAttemptAt?: number | undefined;
}
