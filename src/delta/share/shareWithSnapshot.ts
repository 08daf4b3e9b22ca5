import { type MonoTypeOperatorFunction, share, type ShareConfig } from 'rxjs';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { SnapshotSubject } from './snapshotSubject.js';
import type { StoreOf } from '../storeOf.js';

/**
 * Options of `shareWithSnapshot`.
 */
export interface ShareWithSnapshotOptions {
  /** Whether subscribers are told `resync` updates; by default they are not. */
  readonly resync?: boolean | undefined;
  /** When to leave the source after the last subscriber has left, as in `share`; at once by default. */
  // eslint-disable-next-line rxjs-x/finnish -- the name and the type of share's option
  readonly resetOnRefCountZero?: ShareConfig<unknown>['resetOnRefCountZero'] | undefined;
}

/**
 * Shares one subscription to resource events among any number of subscribers, and tells each that comes later the content of `store` first.
 *
 * ```text
 * source   +a  +b  synced     ~a    -b
 * first    +a  +b  synced     ~a    -b
 * second               ^(+a +b synced)
 *                                   -b       subscribed before ~a: it gets +a ~a; after it: +a' alone
 * ```
 *
 * - A subscriber from before the first change is told everything as it happens. A later one is told each object in the store as `added` with
 *   `initial: true`, then `synced` (as soon as there has been one), then what happens after that: nothing twice, nothing left out, in order,
 *   also when it subscribes inside another subscriber's handler, in the middle of the events of one change.
 * - What happens while its snapshot is being told waits behind it. A subscriber that throws does not harm the others.
 * - Between the operator that changes the store (`scanToIndex`) and this one there must be nothing that delays, and above both of them, where
 *   handlers may cause changes, a `trampoline`.
 * - Errors and completion go to all. The source is subscribed to with the first subscriber and left with the last, by the rules of `share`;
 *   after an error the next subscriber starts it again, after completion it is completed at once.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, reflect, scanToIndex, shareWithSnapshot, trampoline, type ListerWatcher } from 'rx-informer/pipeline';
 *
 * declare const pods: ListerWatcher<KubernetesObject>;
 * const indexer = createIndexer<KubernetesObject>();
 * const events = reflect(pods).pipe(trampoline(), scanToIndex(indexer), shareWithSnapshot(indexer));
 * events.subscribe((event) => console.log('early', event.type));
 * events.subscribe((event) => console.log('late', event.type));
 * ```
 *
 * @see client-go: `sharedProcessor` in tools/cache/shared_informer.go
 */
export function shareWithSnapshot<T>(
  store: StoreOf<T>,
  options: ShareWithSnapshotOptions = {},
): MonoTypeOperatorFunction<ResourceEvent<T>> {
  const { resync, resetOnRefCountZero = true } = options;
  return share({
    connector: () => {
      const subject = new SnapshotSubject(store);
      const events = subject.observe({ resync });
      return {
        next: (event) => subject.next(event),
        error: (error) => subject.error(error),
        complete: () => subject.complete(),
        subscribe: (observer) => events.subscribe(observer),
      };
    },
    resetOnError: true,
    resetOnComplete: false,
    resetOnRefCountZero,
  });
}
