import { filter, map, type SchedulerLike } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { rules } from '../../api/options/rules.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { SharedInformer } from '../sharedInformer.js';
import { createProgress, type EventCondition, eventsEnded } from './until.js';
import { waitFor } from './waitFor.js';
import { type WaitOptions, waitRules } from './waitOptions.js';

/** Options of `waitUntil`. */
export interface WaitUntilOptions<T> extends WaitOptions {
  /** Called once, when the informer has synced: `true` ends the wait, as there is nothing to wait for. Without it, the wait is not for sync. */
  readonly precondition?: ((indexer: IndexReader<T>) => boolean) | undefined;
  /** The clock of `timeoutMs`. Default: RxJS's `asyncScheduler` on a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Starts an informer if need be, and waits until its events have met these conditions, one after the other.
 *
 * @returns the event that met the last one; undefined when the precondition held. Rejects with what a condition throws, with the signal's reason,
 * with an InformerError `ERR_TIMEOUT` after `timeoutMs`, or `ERR_STOPPED` when the informer is stopped.
 *
 * @example
 * ```ts
 * import { waitUntil, type KubernetesObject, type SharedInformer } from 'rx-informer';
 *
 * declare const pods: SharedInformer<KubernetesObject>;
 * await waitUntil(pods, [(event) => event.type === 'deleted' && event.key === 'default/web'], {
 *   precondition: (indexer) => indexer.getByKey('default/web') === undefined,
 *   timeoutMs: 60_000,
 * });
 * ```
 *
 * @see client-go: `UntilWithSync` in tools/watch
 */
export async function waitUntil<T>(
  informer: Pick<SharedInformer<T>, 'name' | 'resource$' | 'indexer'>,
  conditions: readonly EventCondition<T>[],
  options: WaitUntilOptions<T> = {},
): Promise<ResourceEvent<T> | undefined> {
  checkOptions<WaitUntilOptions<T>>('waitUntil', options, { ...waitRules, precondition: rules.function, scheduler: rules.scheduler });
  const { precondition, scheduler, ...bounds } = options;
  const progress = createProgress(conditions)();
  let met: ResourceEvent<T> | undefined;
  let synced = false;
  let holds = false;
  const isOver = (event: ResourceEvent<T>): boolean => {
    if (met === undefined && progress.take(event)) met = event;
    if (event.type === 'synced' && !synced) {
      synced = true;
      holds = precondition?.(informer.indexer) === true;
    }
    return holds || (met !== undefined && (synced || precondition === undefined));
  };
  const outcome = informer.resource$.pipe(
    filter(isOver),
    map(() => (holds ? undefined : met)),
  );
  // With a precondition, everything may be met while it has not synced.
  const missing = (): string => (met === undefined ? progress.missing() : 'the precondition');
  const tooLate = (): InformerError =>
    new InformerError({ code: 'ERR_TIMEOUT', message: `${informer.name} did not meet ${missing()} within ${bounds.timeoutMs ?? 0} ms` });
  return waitFor(outcome, bounds, {
    owner: 'waitUntil',
    scheduler: schedulerOf(scheduler),
    ended: () => eventsEnded(missing()),
    tooLate,
  });
}
