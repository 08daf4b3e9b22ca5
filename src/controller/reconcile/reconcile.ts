import { Observable } from 'rxjs';
import { inProduction } from '../../api/inProduction.js';
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
 * Nothing happens before a subscription, and outside of production there is a warning when none comes for 3 s; each subscription runs a loop of its own, and unsubscribing ends it at once, aborting the
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
  const outcome$ = controlLoop(config);
  if (inProduction()) return outcome$;
  const remember = remindOf(Object.keys(config.sources));
  return new Observable((subscriber) => {
    remember();
    outcome$.subscribe(subscriber);
  });
}

/** `reconcile` for who may subscribe much later, or never. */
export function controlLoop(config: ReconcileConfig): Observable<Outcome> {
  const settings = reconcileSettings(config);
  return new Observable((subscriber) => {
    const loop = new ReconcileLoop(settings, subscriber);
    subscriber.add(() => loop.abort());
    loop.begin();
  });
}

/** Warns of a loop that nobody subscribes to; the result is to be called when somebody does. */
function remindOf(sources: readonly string[]): () => void {
  const warn = (): void =>
    console.warn(
      `rx-informer: the Observable of \`reconcile\` (sources: ${sources.join(', ')}) has not been subscribed to for ${forgottenAfterMs / 1000} s. ` +
        'Nothing happens before that: call `.subscribe()`.',
    );
  // Real time, whatever scheduler the loop has, and no reason for a process to go on.
  // eslint-disable-next-line no-restricted-globals -- see above
  const timer: unknown = setTimeout(warn, forgottenAfterMs);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}

/** Whoever has not subscribed by then has probably forgotten it. */
const forgottenAfterMs = 3_000;
