import type { Test } from './harness.js';

/** What a test that did not end in time fails with. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

async function within(work: () => unknown, patienceMs: number): Promise<void> {
  const result = work();
  // A test that is over when it returns must not wait for a turn: most are.
  if (typeof (result as PromiseLike<unknown> | undefined)?.then !== 'function') return;
  let timer: NodeJS.Timeout | undefined;
  const from = performance.eventLoopUtilization();
  const late = new Promise((_, reject) => {
    // Only time in which nothing was done counts: another one's work on this machine is no reason to give up.
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

/** Runs a test with all that stands around it, `beforeAll` included; resolves with the failure, undefined when it passes. No step may be idle for longer than `patienceMs`. */
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
