import { filter, map, type SchedulerLike } from 'rxjs';
import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import type { ResourceEvent } from '../../api/events.js';
import { checkOptions, expectArgument, rules } from '../../api/options.js';
import type { IndexReader } from '../../cache/store/store.js';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { SharedInformer } from '../sharedInformer.js';
import { waitFor, type WaitOptions, waitRules } from './waitFor.js';

/** Whether an event meets the condition. */
export type EventCondition<T> = (event: ResourceEvent<T>) => boolean;

/** Options of `waitUntil`. */
export interface WaitUntilOptions<T> extends WaitOptions {
  /** Called once, when the informer has synced: `true` ends the wait successfully. Without it, events count before the sync, too. */
  readonly precondition?: ((indexer: IndexReader<T>) => boolean) | undefined;
  /** The clock of `timeoutMs`. @defaultValue RxJS's `asyncScheduler` on a monotonic clock */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Starts an informer if necessary, and waits until its events have met these conditions in order. The event that meets a condition is passed to the next one as
 * well; later events follow.
 *
 * @returns the event that met the last one; undefined when the precondition was true. Rejects with the error of a condition, with the signal's reason,
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
 * @see client-go: `UntilWithoutRetry` and `UntilWithSync` in tools/watch
 */
export async function waitUntil<T>(
  informer: Pick<SharedInformer<T>, 'name' | 'resource$' | 'indexer'>,
  conditions: readonly EventCondition<T>[],
  options: WaitUntilOptions<T> = {},
): Promise<ResourceEvent<T> | undefined> {
  checkOptions<WaitUntilOptions<T>>('waitUntil', options, { ...waitRules, precondition: rules.function, scheduler: rules.scheduler });
  expectArgument('waitUntil', 'informer', informer, rules.object);
  expectArgument('waitUntil', 'conditions', conditions, rules.listOf(rules.function, 'functions'));
  const { precondition, scheduler, ...bounds } = options;
  /** How many conditions have been met, and the event that met the last of all. */
  let count = 0;
  let met: ResourceEvent<T> | undefined;
  let synced = false;
  let holds = false;
  const isOver = (event: ResourceEvent<T>): boolean => {
    // One event may meet several conditions.
    while (conditions[count]?.(event) === true) count += 1;
    if (count === conditions.length) met ??= event;
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
  // With a precondition, all conditions may be met before the sync.
  const missing = (): string => {
    if (met !== undefined) return 'the precondition';
    const name = conditions[count]?.name ?? '';
    return `condition ${count + 1} of ${conditions.length}${name === '' ? '' : ` (\`${name}\`)`}`;
  };
  const failed = (code: InformerErrorCode, message: string): InformerError => new InformerError({ code, message });
  return waitFor(outcome, bounds, {
    owner: 'waitUntil',
    scheduler: schedulerOf(scheduler),
    ended: () => failed('ERR_STOPPED', `The events ended before ${missing()} was met`),
    tooLate: () => failed('ERR_TIMEOUT', `${informer.name} did not meet ${missing()} within ${bounds.timeoutMs ?? Infinity} ms`),
  });
}
