import type { Observable } from 'rxjs';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { expectStore, type StoreOf } from '../storeOf.js';
import { createSharedChanges, type SharedChanges, type ShareWithSnapshotOptions } from './sharedChanges.js';

const shareRules: OptionRules<ShareWithSnapshotOptions> = {
  trampoline: rules.withMethods('run', 'settle', 'tell', 'after'),
  resync: rules.boolean,
  resetOnRefCountZero: rules.either(rules.boolean, rules.function),
};

/**
 * Shares one subscription to the changes of a store among any number of subscribers, and gives each that comes later the content of `store` first.
 *
 * ```text
 * source   {+a +b}   {~a}   {-b}
 * first    {+a +b}   {~a}   {-b}
 * second        ^{+a +b}{~a}{-b}       the content, as one change with the cause `snapshot`
 * third                  ^{+a' +b}{-b}
 * ```
 *
 * - A subscriber from before the first change gets every change as it happens; where the store holds something from an earlier subscription to the
 *   source, the first one as a snapshot. A later subscriber gets a snapshot at once, then every later change: nothing twice, nothing left out, in order,
 *   also when it subscribes inside another subscriber's callback.
 * - Between the operator that changes the store (`scanToIndex`) and this one there must be nothing that delays. Where callbacks may cause
 *   changes, put the operator `trampoline` above both of them: then a callback finds in the store what it receives.
 * - A subscriber that throws does not affect the others.
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
 * const changes = reflect(pods).pipe(trampoline(), scanToIndex(indexer), shareWithSnapshot(indexer));
 * changes.subscribe(({ cause, events }) => console.log('early', cause, events.length));
 * changes.subscribe(({ cause, events }) => console.log('late', cause, events.length));
 * ```
 *
 * @throws TypeError when the store or an option is wrong.
 *
 * @see client-go: `sharedProcessor` in tools/cache/shared_informer.go
 */
export function shareWithSnapshot<T>(
  store: StoreOf<T>,
  options: ShareWithSnapshotOptions = {},
): (source: Observable<ResourceChange<T>>) => SharedChanges<T> {
  expectStore('shareWithSnapshot', store);
  checkOptions('shareWithSnapshot', options, shareRules);
  return (source) => createSharedChanges(source, store, options);
}
