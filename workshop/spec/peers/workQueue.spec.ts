import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createWorkQueue, exponentialFailure, fastSlow, maxOf, type RateLimiter } from 'rx-informer/workqueue';
import { buildClientGo, type ClientGo, hasGo, seed } from './clientGo.js';

interface Script {
  readonly limiter: 'exponential' | 'fastSlow' | 'longer';
  readonly baseMs: number;
  readonly maxMs: number;
  readonly fastMs: number;
  readonly slowMs: number;
  readonly maxAttempts: number;
  readonly steps: readonly { readonly do: 'add' | 'get' | 'done' | 'shutDown' | 'drain' | 'when' | 'forget'; readonly item: string }[];
}
interface Result {
  readonly item: string;
  readonly shutdown: boolean;
  readonly length: number;
  /** The calls of drain that have returned. */
  readonly drained: number;
  readonly waitMs: number;
  readonly requeues: number;
}

const does = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('add' as const, 'get' as const, 'done' as const, 'when' as const) },
  { weight: 3, arbitrary: fc.constant('forget' as const) },
  { weight: 1, arbitrary: fc.constantFrom('shutDown' as const, 'drain' as const) },
);
const script: fc.Arbitrary<Script> = fc.record({
  limiter: fc.constantFrom('exponential', 'fastSlow', 'longer'),
  baseMs: fc.integer({ min: 1, max: 1_000 }),
  maxMs: fc.integer({ min: 1_000, max: 1_000_000 }),
  fastMs: fc.integer({ min: 1, max: 100 }),
  slowMs: fc.integer({ min: 100, max: 10_000 }),
  maxAttempts: fc.integer({ min: 0, max: 5 }),
  steps: fc.array(fc.record({ do: does, item: fc.constantFrom('a', 'b', 'c', 'd') }), { minLength: 1, maxLength: 120 }),
});

function limiterOf({ limiter, baseMs, maxMs, fastMs, slowMs, maxAttempts }: Script): RateLimiter<string> {
  const exponential = exponentialFailure({ baseMs, maxMs });
  const slow = fastSlow({ fastMs, slowMs, maxFastAttempts: maxAttempts });
  return limiter === 'exponential' ? exponential : limiter === 'fastSlow' ? slow : maxOf([exponential, slow]);
}

/** The result of this library for a script. */
async function resultsOf(one: Script): Promise<readonly Result[]> {
  const queue = createWorkQueue<string>();
  const limiter = limiterOf(one);
  const results: Result[] = [];
  let drained = 0;
  for (const step of one.steps) {
    let item = '';
    let shutdown = false;
    let waitMs = 0;
    if (step.do === 'add') queue.add(step.item);
    if (step.do === 'get') {
      const taken = queue.tryGet();
      item = taken?.item ?? '';
      shutdown = taken?.shutdown ?? false;
    }
    if (step.do === 'done') queue.done(step.item);
    if (step.do === 'shutDown') queue.shutDown();
    if (step.do === 'drain') void queue.shutDownWithDrain().then(() => (drained += 1));
    if (step.do === 'when') waitMs = Math.trunc(limiter.when(step.item));
    if (step.do === 'forget') limiter.forget(step.item);
    await Promise.resolve();
    results.push({ item, shutdown, length: queue.len(), drained, waitMs, requeues: limiter.numRequeues(step.item) });
  }
  return results;
}

/**
 * Removes calls of `done` for items that are not being processed: they throw here, and do nothing in client-go. And calls of `drain` while
 * another one may be pending: client-go forgets the second one.
 */
function disciplined(one: Script): Script {
  const kept: Script['steps'][number][] = [];
  const dry = createWorkQueue<string>();
  const processing = new Set<string>();
  let drains = false;
  for (const step of one.steps) {
    if ((step.do === 'done' && !processing.has(step.item)) || (step.do === 'drain' && drains)) continue;
    kept.push(step);
    if (step.do === 'add') dry.add(step.item);
    if (step.do === 'get') {
      const item = dry.tryGet()?.item;
      if (item !== undefined) processing.add(item);
    }
    if (step.do === 'done' && processing.delete(step.item)) dry.done(step.item);
    if (step.do === 'shutDown' || step.do === 'drain') dry.shutDown();
    drains = step.do === 'drain' || (drains && step.do !== 'shutDown');
  }
  return { ...one, steps: kept };
}

/** What client-go's results come to here: a drain that waits is over when nothing is queued either, or by `shutDown`. */
function withLongerDrains(theirs: readonly Result[], { steps }: Script): readonly Result[] {
  let drained = 0;
  let processing = 0;
  return theirs.map((result, at) => {
    const did = steps[at]?.do;
    if (result.item !== '') processing += 1;
    if (did === 'done') processing -= 1;
    if (did === 'drain' || did === 'shutDown' || (processing === 0 && result.length === 0)) drained = result.drained;
    return { ...result, drained };
  });
}

(hasGo ? describe : describe.skip)("work queues, next to client-go's", () => {
  let clientGo: ClientGo;
  beforeAll(() => {
    clientGo = buildClientGo();
  }, 600_000);
  afterAll(() => clientGo.remove());

  it(`queue, hand out, drain, count and wait the same, seed ${String(seed)} (WQ, LM)`, async () => {
    const scripts = fc.sample(script.map(disciplined), { numRuns: 2_000, seed });
    const theirs = clientGo.run('queue', scripts) as readonly (readonly Result[])[];
    for (const [at, one] of scripts.entries()) {
      expect({ script: one, results: await resultsOf(one) }).toEqual({ script: one, results: withLongerDrains(theirs[at] ?? [], one) });
    }
  });

  it('release both of two drains, of which client-go releases one (WQ-07)', async () => {
    const steps = (['add', 'get', 'drain', 'drain', 'done'] as const).map((one) => ({ do: one, item: 'a' }));
    const one: Script = { limiter: 'exponential', baseMs: 1, maxMs: 1_000, fastMs: 1, slowMs: 1, maxAttempts: 1, steps };
    const [theirs] = clientGo.run('queue', [one]) as readonly (readonly Result[])[];
    expect(theirs?.at(-1)?.drained).toBe(1);
    expect((await resultsOf(one)).at(-1)?.drained).toBe(2);
  });
});
