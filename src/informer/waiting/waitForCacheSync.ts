import { checkOptions } from '../../api/options.js';
import { type WaitOptions, waitRules } from './waitFor.js';
import { errorOf } from '../../api/errors/informerError.js';

/** What can be waited for: an informer, the registration of a handler, or anything of the user's own. */
export interface Syncable {
  readonly name: string;
  /** Whether it is in sync now. */
  hasSynced(): boolean;
  /** Settles when it is in sync, or cannot get there. */
  whenSynced(options?: WaitOptions): Promise<void>;
}

/** What the wait for one of several has come to. */
export interface SyncOutcome {
  readonly name: string;
  readonly synced: boolean;
  /** Why it has not synced: the failure of its last attempt, that it was stopped, or the signal's reason. */
  readonly reason?: Error;
}

/** What a wait for several has come to. */
export interface CacheSyncResult {
  /** Whether all of them have synced. */
  readonly synced: boolean;
  /** One for each, in the order asked for. */
  readonly outcomes: readonly SyncOutcome[];
  /** Names all that have not synced, ascending, and has the first reason as its cause; undefined when all have. */
  readonly error: Error | undefined;
}

async function outcomeOf(awaited: Syncable, options: WaitOptions): Promise<SyncOutcome> {
  const { name } = awaited;
  if (awaited.hasSynced()) return { name, synced: true };
  try {
    await awaited.whenSynced(options);
    return { name, synced: true };
  } catch (reason) {
    return { name, synced: false, reason: errorOf(reason) };
  }
}

function failureOf(outcomes: readonly SyncOutcome[]): Error | undefined {
  const missing = outcomes.filter(({ synced }) => !synced);
  const [first] = missing;
  if (first === undefined) return undefined;
  const names = missing.map(({ name }) => name).sort();
  return new Error(`Failed to sync ${names.join(', ')}: ${first.reason?.message ?? ''}`, { cause: first.reason });
}

/**
 * Starts informers, and waits until all of them have synced: for all at once, and for each as long as the options allow.
 *
 * It never rejects but for a wrong option: what has not synced, and why, is in the result. What has synced already counts, also when the signal is aborted. No
 * informers at all are in sync.
 *
 * @example
 * ```ts
 * import { waitForCacheSync, type SharedInformer } from 'rx-informer';
 *
 * declare const pods: SharedInformer<object>;
 * declare const nodes: SharedInformer<object>;
 * const { error } = await waitForCacheSync([pods, nodes], { timeoutMs: 10_000 });
 * if (error !== undefined) throw error;
 * ```
 *
 * @see client-go: `WaitForCacheSync`, `WaitFor` and `SyncResult` in tools/cache
 */
export async function waitForCacheSync(informers: Iterable<Syncable>, options: WaitOptions = {}): Promise<CacheSyncResult> {
  checkOptions('waitForCacheSync', options, waitRules);
  const outcomes = await Promise.all([...informers].map((awaited) => outcomeOf(awaited, options)));
  const error = failureOf(outcomes);
  return { synced: error === undefined, outcomes, error };
}
