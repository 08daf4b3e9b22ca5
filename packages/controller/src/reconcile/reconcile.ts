import { Observable } from 'rxjs';
import { inProduction } from 'rx-informer/internal';
import type { Outcome } from './outcome.js';
import { type ReconcileConfig, reconcileSettings } from './reconcileConfig.js';
import { ReconcileLoop } from './reconcileLoop.js';

/**
 * Runs a control loop: takes keys from any sources, calls `reconcile` for each, once at a time, and retries failures with increasing delays.
 *
 * ```text
 * sources     --a-b-a------------------|
 * reconcile     a---|                        first call for a
 *                 b-|                        b at once, with `concurrent: 2`
 *                   a--X     a-|             a again, since it was triggered meanwhile; fails, and is retried after its backoff
 * outcomes    --s-s-(..)f----s-(e|)
 * ```
 *
 * Nothing happens before a subscription; outside of production, a warning is logged if there is none within 3 s. Each subscription runs a loop of its own. Unsubscribing ends it
 * at once and aborts the signals of running calls.
 *
 * - A key that is triggered several times while it is queued is called once; one that is triggered during its call is called once more afterwards. So the
 *   last state always gets a call.
 * - A failing key backs off by `rateLimiter`. An event triggers an earlier call; if that fails too, it counts as another
 *   attempt but does not lengthen the backoff.
 * - The notifications report progress: `started`, `succeeded`, `failed`, and problems of sources. Handling them is optional: the loop does not
 *   depend on it.
 * - It completes after `stop$`, or when all sources have completed and nothing is queued or running. It fails when a cache cannot
 *   sync, or when the rate limiter throws. Errors of `reconcile` and of sources are notifications.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reconcile } from '@rx-informer/controller';
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

/** `reconcile` without the warning, for callers that may subscribe late, or never. */
export function controlLoop(config: ReconcileConfig): Observable<Outcome> {
  const settings = reconcileSettings(config);
  return new Observable((subscriber) => {
    const loop = new ReconcileLoop(settings, subscriber);
    subscriber.add(() => loop.abort());
    loop.begin();
  });
}

/** Warns of a loop without subscribers; the result cancels the warning. */
function remindOf(sources: readonly string[]): () => void {
  const warn = (): void =>
    console.warn(
      `rx-informer: the Observable of \`reconcile\` (sources: ${sources.join(', ')}) has not been subscribed to for ${forgottenAfterMs / 1000} s. ` +
        'Nothing happens before that: call `.subscribe()`.',
    );
  // Real time, whatever the loop's scheduler; the timer does not keep the process alive.
  // eslint-disable-next-line no-restricted-globals -- see above
  const timer: unknown = setTimeout(warn, forgottenAfterMs);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}

/** How long after its creation a loop without subscribers is considered forgotten. */
const forgottenAfterMs = 3_000;
