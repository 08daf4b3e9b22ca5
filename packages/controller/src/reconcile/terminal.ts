import { expectArgument, messageOf, rules } from 'rx-informer/internal';

/** The member of an error that says when to retry; the same in both module formats. */
const retryMs: unique symbol = Symbol.for('rx-informer.retryMs');

/** An error that says when its key is to be tried again. */
class AdvisedError extends Error {
  readonly [retryMs]: number;

  constructor(cause: unknown, afterMs: number) {
    super(messageOf(cause), { cause });
    this[retryMs] = afterMs;
  }
}

/**
 * An error after which `reconcile` does not retry: the key is called again by its next trigger. For what only a person, or another version of the object, can
 * mend.
 *
 * @param error - The reason: an error, or a text.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reconcile, terminal } from '@rx-informer/controller';
 *
 * const maps = createInformer(createClient(), resources.core.v1.configmaps);
 * reconcile({
 *   sources: { maps },
 *   reconcile: async ({ key }) => {
 *     const map = maps.lister.get(key);
 *     if (map !== undefined && map.data?.['size'] === undefined) throw terminal(`${key} has no size`);
 *   },
 * }).subscribe();
 * ```
 *
 * @see controller-runtime's `reconcile.TerminalError`
 */
export function terminal(error: unknown): Error {
  return new AdvisedError(error, Infinity);
}

/**
 * An error after which `reconcile` retries after `ms` milliseconds (at least 1), instead of the backoff of `rateLimiter`. It counts as a failed attempt.
 *
 * @param error - The reason: an error, or a text.
 *
 * @example
 * ```ts
 * import { reconcile, retryAfter } from '@rx-informer/controller';
 *
 * reconcile({
 *   sources: [['default/web']],
 *   reconcile: async ({ signal }) => {
 *     const { status } = await fetch('https://example.com/web', { signal });
 *     if (status === 503) throw retryAfter(30_000, 'example.com is being maintained');
 *   },
 * }).subscribe();
 * ```
 *
 * @throws TypeError when `ms` is not a number of at least 0.
 *
 * @see kopf's `TemporaryError`
 */
export function retryAfter(ms: number, error: unknown): Error {
  expectArgument('retryAfter', 'ms', ms, rules.number({ min: 0 }));
  return new AdvisedError(error, Math.max(ms, 1));
}

/** How deep causes are looked through. */
const maxDepth = 16;

/** When to retry, by an error or one of its causes: `Infinity` for never, undefined when it does not say. */
export function retryMsOf(error: unknown): number | undefined {
  let each = error;
  try {
    for (let depth = 0; depth < maxDepth && typeof each === 'object' && each !== null; depth += 1) {
      const { [retryMs]: afterMs, cause } = each as { readonly [retryMs]?: unknown; readonly cause?: unknown };
      if (typeof afterMs === 'number') return afterMs;
      each = cause;
    }
  } catch {
    // An error that cannot be read says nothing.
  }
  return undefined;
}
