import { defer, filter, type OperatorFunction, take, throwIfEmpty } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/** Whether an event brings what is waited for. */
export type EventCondition<T> = (event: ResourceEvent<T>) => boolean;

interface Progress<T> {
  /** Takes the next event; returns whether all conditions are met. */
  readonly take: (event: ResourceEvent<T>) => boolean;
  /** Names the condition that is not met yet. */
  readonly missing: () => string;
}

/**
 * Follows events until each of these conditions has been met, one after the other.
 *
 * @returns a function that takes an event, and tells whether it has met the last one.
 * @throws TypeError when a condition is no function.
 */
export function createProgress<T>(conditions: readonly EventCondition<T>[]): () => Progress<T> {
  for (const condition of conditions) {
    if (typeof condition !== 'function') throw new TypeError(`Expected \`conditions\` to be functions, got ${typeof condition}`);
  }
  return () => {
    let next = 0;
    return {
      take: (event) => {
        // What an event has met, it may go on from.
        while (conditions[next]?.(event) === true) next += 1;
        return next === conditions.length;
      },
      missing: () => {
        const name = conditions[next]?.name ?? '';
        return `condition ${next + 1} of ${conditions.length}${name === '' ? '' : ` (\`${name}\`)`}`;
      },
    };
  };
}

/** The error of a wait whose events have ended. */
export function eventsEnded(missing: string): InformerError {
  return new InformerError({ code: 'ERR_STOPPED', message: `The events ended before ${missing} was met` });
}

/**
 * Waits for conditions to be met, one after the other: emits the event that meets the last one, and completes.
 *
 * ```text
 * source                       +a  ~a  ~b  ~a
 * until(isReady, isDone)                   (e|)     ~a is ready with the second event, and done with the fourth
 * ```
 *
 * - Each condition is called with the event that has met the one before it, and then with each later one.
 * - What a condition throws, is the error of the result. A source that completes too early is an InformerError `ERR_STOPPED`. To bound the wait,
 *   use `timeout`.
 *
 * @example
 * ```ts
 * import { firstValueFrom, timeout } from 'rxjs';
 * import { until, type KubernetesObject, type SharedInformer } from 'rx-informer';
 *
 * declare const pods: SharedInformer<KubernetesObject>;
 * const gone = await firstValueFrom(
 *   pods.resource$.pipe(
 *     until((event) => event.type === 'deleted' && event.key === 'default/web'),
 *     timeout(60_000),
 *   ),
 * );
 * ```
 *
 * @throws TypeError when a condition is no function.
 *
 * @see client-go: `UntilWithoutRetry` in tools/watch
 */
export function until<T>(...conditions: readonly EventCondition<T>[]): OperatorFunction<ResourceEvent<T>, ResourceEvent<T>> {
  const begin = createProgress(conditions);
  return (source) =>
    defer(() => {
      const { take: isMet, missing } = begin();
      return source.pipe(
        filter(isMet),
        take(1),
        throwIfEmpty(() => eventsEnded(missing())),
      );
    });
}
