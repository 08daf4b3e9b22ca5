import { Observable } from 'rxjs';
import type { Outcome } from './outcome.js';
import { type ReconcileConfig, reconcileSettings } from './reconcileConfig.js';
import { ReconcileLoop } from './reconcileLoop.js';

/**
 * Runs a control loop: keys from any sources, one call per key at a time, failures retried later and later.
 *
 * ```text
 * sources     --a-b-a------------------|
 * reconcile     a---|                        first call for a
 *                 b-|                        b at once, with `concurrent: 2`
 *                   a--X     a-|             a again, since it was triggered meanwhile; failed, and retried after its backoff
 * outcomes    --s-s-(..)f----s-(e|)
 * ```
 *
 * Nothing happens before a subscription; each subscription runs a loop of its own, and unsubscribing ends it at once, aborting the
 * signals of the calls under way.
 *
 * - A key that is triggered while it waits is called once; one that is triggered during its call is called once more afterwards. So the
 *   last state always gets its call.
 * - A failing key backs off by `rateLimiter`. An event calls it sooner all the same; a failure before its backoff is over counts as another
 *   attempt but makes the backoff no longer.
 * - The notifications say what happens: `started`, `succeeded`, `failed`, and what is wrong with sources. They are never needed: the loop goes
 *   on whatever the subscriber does with them.
 * - It completes after `stop$`, or when all sources have completed and nothing is left to do. It fails when a cache cannot become
 *   synced, or when the rate limiter is broken. Errors of `reconcile` and of sources are notifications.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reconcile } from 'rx-informer/controller';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * reconcile({
 *   sources: { pods: pods.resource$ },
 *   caches: [pods],
 *   concurrent: 4,
 *   reconcile: async ({ key, signal }) => {
 *     const pod = pods.indexer.getByKey(key);
 *     if (pod === undefined) return {};
 *     await fetch('https://example.com/pods', { method: 'POST', body: key, signal });
 *     return { requeueAfterMs: 60_000 };
 *   },
 * }).subscribe((outcome) => console.log(outcome.type));
 * ```
 *
 * @throws TypeError when a number in the config is out of its range.
 *
 * @see controller-runtime's `Controller`, and the loop in client-go's examples/workqueue
 */
export function reconcile(config: ReconcileConfig): Observable<Outcome> {
  const settings = reconcileSettings(config);
  return new Observable((subscriber) => {
    const loop = new ReconcileLoop(settings, subscriber);
    subscriber.add(() => loop.abort());
    loop.begin();
  });
}
