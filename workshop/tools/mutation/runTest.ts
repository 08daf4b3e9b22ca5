import type { Test } from './harness.js';

/** The error of a test that did not end in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

async function within(work: () => unknown, patienceMs: number): Promise<void> {
  const result = work();
  // Most tests are synchronous: do not wait for a turn of the event loop.
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return;
  let timer: NodeJS.Timeout | undefined;
  const from = performance.eventLoopUtilization();
  const late = new Promise((_, reject) => {
    // Only idle time counts: work of other processes on this machine is no reason to give up.
    const look = (): void => {
      if (performance.eventLoopUtilization(from).idle >= patienceMs) reject(new TimeoutError('Timed out'));
      else timer = setTimeout(look, patienceMs / 4);
    };
    look();
  });
  try {
    await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a test with all its hooks, including `beforeAll`. Resolves with the failure, or undefined when it passes. No step may be idle for
 * longer than `patienceMs`.
 */
export async function runTest({ work, suite }: Test, patienceMs: number): Promise<unknown> {
  const suites = [suite];
  for (let at = suite.parent; at !== undefined; at = at.parent) suites.unshift(at);
  let failure: unknown;
  const attempt = async (step: () => unknown): Promise<void> => {
    try {
      await within(step, patienceMs);
    } catch (error) {
      failure ??= error ?? new Error('undefined was thrown');
    }
  };
  for (const one of suites) for (const step of [...one.beforeAll, ...one.beforeEach]) await attempt(step);
  if (failure === undefined) await attempt(work);
  for (const one of suites.reverse()) for (const step of [...one.afterEach, ...one.afterAll]) await attempt(step);
  return failure;
}
