import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createWorkQueue } from '../../src/workqueue/createWorkQueue.js';
import { exponentialFailure } from '../../src/workqueue/exponentialFailure.js';
import { fastSlow } from '../../src/workqueue/fastSlow.js';
import { maxOf } from '../../src/workqueue/maxOf.js';
import type { RateLimiter } from '../../src/workqueue/rateLimiter.js';
import { buildClientGo, type ClientGo, hasGo, seed } from './clientGo.js';

interface Script {
  readonly limiter: 'exponential' | 'fastSlow' | 'longer';
  readonly baseMs: number;
  readonly maxMs: number;
  readonly fastMs: number;
  readonly slowMs: number;
  readonly maxAttempts: number;
  readonly steps: readonly { readonly do: 'add' | 'get' | 'done' | 'shutDown' | 'when' | 'forget'; readonly item: string }[];
}
interface Result {
  readonly item: string;
  readonly shutdown: boolean;
  readonly length: number;
  readonly waitMs: number;
  readonly requeues: number;
}

const does = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('add' as const, 'get' as const, 'done' as const, 'when' as const) },
  { weight: 3, arbitrary: fc.constant('forget' as const) },
  { weight: 1, arbitrary: fc.constant('shutDown' as const) },
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

/** What this library makes of a script. */
function resultsOf(one: Script): readonly Result[] {
  const queue = createWorkQueue<string>();
  const limiter = limiterOf(one);
  return one.steps.map((step) => {
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
    if (step.do === 'when') waitMs = Math.trunc(limiter.when(step.item));
    if (step.do === 'forget') limiter.forget(step.item);
    return { item, shutdown, length: queue.len(), waitMs, requeues: limiter.numRequeues(step.item) };
  });
}

/** Leaves out the calls of `done` for items that nobody works on: they throw here, and do nothing in client-go. */
function disciplined(one: Script): Script {
  const kept: Script['steps'][number][] = [];
  const dry = createWorkQueue<string>();
  const processing = new Set<string>();
  for (const step of one.steps) {
    if (step.do === 'done' && !processing.has(step.item)) continue;
    kept.push(step);
    if (step.do === 'add') dry.add(step.item);
    if (step.do === 'get') {
      const item = dry.tryGet()?.item;
      if (item !== undefined) processing.add(item);
    }
    if (step.do === 'done' && processing.delete(step.item)) dry.done(step.item);
    if (step.do === 'shutDown') dry.shutDown();
  }
  return { ...one, steps: kept };
}

(hasGo ? describe : describe.skip)("work queues, next to client-go's", () => {
  let clientGo: ClientGo;
  beforeAll(() => {
    clientGo = buildClientGo();
  }, 600_000);
  afterAll(() => clientGo.remove());

  it(`queue, hand out, count and wait the same, seed ${String(seed)} (WQ, LM)`, () => {
    const scripts = fc.sample(script.map(disciplined), { numRuns: 2_000, seed });
    const theirs = clientGo.run('queue', scripts);
    scripts.forEach((one, at) => expect({ script: one, results: resultsOf(one) }).toEqual({ script: one, results: theirs[at] }));
  });
});
