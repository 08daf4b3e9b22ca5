import { checkOptions, expectArgument, rules } from '../../api/options.js';
import { type WaitOptions, waitRules } from './waitFor.js';
import { errorOf } from '../../api/errors/informerError.js';

/** An informer, the registration of a handler, or anything else with these members. */
export interface Syncable {
  readonly name: string;
  /** Whether it has synced. */
  hasSynced(): boolean;
  /** Resolves when it has synced; rejects when it cannot. */
  whenSynced(options?: WaitOptions): Promise<void>;
}

type Outcome = Awaited<ReturnType<typeof waitForCacheSync>>['outcomes'][number];

async function outcomeOf(awaited: Syncable, options: WaitOptions): Promise<Outcome> {
  const { name } = awaited;
  if (awaited.hasSynced()) return { name, synced: true };
  try {
    await awaited.whenSynced(options);
    return { name, synced: true };
  } catch (reason) {
    return { name, synced: false, reason: errorOf(reason) };
  }
}

function failureOf(outcomes: readonly Outcome[]): Error | undefined {
  const missing = outcomes.filter(({ synced }) => !synced);
  const [first] = missing;
  if (first === undefined) return undefined;
  const names = missing.map(({ name }) => name).sort();
  return new Error(`Failed to sync ${names.join(', ')}: ${first.reason?.message ?? ''}`, { cause: first.reason });
}

/**
 * Starts informers, and waits concurrently until each has synced or the options end its wait.
 *
 * It rejects only for a wrong option: the result says what has not synced, and why. An informer that has synced already counts, even if the signal is aborted. An
 * empty list is in sync.
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
export async function waitForCacheSync(
  informers: Iterable<Syncable>,
  options: WaitOptions = {},
): Promise<{
  /** Whether all of them have synced. */
  readonly synced: boolean;
  /** One result for each, in the given order; `reason`: its last failure, that it was stopped, or the signal's reason. */
  readonly outcomes: readonly { readonly name: string; readonly synced: boolean; readonly reason?: Error }[];
  /** An error that names all that have not synced, ascending, with the first reason as its cause; undefined when all have. */
  readonly error: Error | undefined;
}> {
  checkOptions('waitForCacheSync', options, waitRules);
  expectArgument('waitForCacheSync', 'informers', informers, rules.iterable);
  const awaited = [...informers];
  expectArgument('waitForCacheSync', 'informers', awaited, rules.listOf(rules.withMethods('hasSynced', 'whenSynced'), 'informers'));
  const outcomes = await Promise.all(awaited.map((each) => outcomeOf(each, options)));
  const error = failureOf(outcomes);
  return { synced: error === undefined, outcomes, error };
}
