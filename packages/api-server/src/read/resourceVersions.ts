import { bareError, badRequest, tooLargeResourceVersion } from '../status/statusErrors.js';
import type { Cluster } from '../cluster.js';
import { largestVersion } from '../write/objectMeta.js';

const waitMs = 3_000;

/**
 * Parses a resourceVersion; undefined when it is absent.
 *
 * @throws StatusError 400 if `strict`, like newer servers, otherwise 500.
 */
export function parseResourceVersion(text: string, strict: boolean): number | undefined {
  if (text === '') return undefined;
  const problem = !/^\d+$/.test(text) ? 'invalid syntax' : BigInt(text) > largestVersion ? 'value out of range' : undefined;
  if (problem === undefined) return Number(text);
  const message = `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${problem}`;
  throw strict ? badRequest(`invalid resource version: ${message}`) : bareError(message);
}

/** Waits until the store has reached a version, at most as long as the API server does. Resolves with whether it has. */
export function reached({ store, clock }: Cluster, resourceVersion: number): Promise<boolean> {
  if (store.resourceVersion >= resourceVersion) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (result: boolean): void => {
      timer.unsubscribe();
      forget();
      resolve(result);
    };
    const timer = clock.schedule(() => finish(false), waitMs);
    const forget = store.onChange(() => {
      if (store.resourceVersion >= resourceVersion) finish(true);
    });
  });
}

/**
 * Waits until the store has reached a version.
 *
 * @throws StatusError 504 when the version is not reached in time.
 */
export async function waitForResourceVersion(cluster: Cluster, resourceVersion: number): Promise<void> {
  if (await reached(cluster, resourceVersion)) return;
  throw tooLargeResourceVersion(resourceVersion, cluster.store.resourceVersion);
}
