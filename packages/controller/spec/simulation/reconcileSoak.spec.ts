import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { concatMap, EMPTY, from, map, mergeMap, of, throwError, timer, VirtualTimeScheduler } from 'rxjs';

import { reconcile } from '../../src/reconcile/reconcile.js';
import { exponentialFailure } from 'rx-informer/workqueue';
import type { QueueReadings } from 'rx-informer/internal';
import { fail } from '../reconcile/outcomeLog.js';
import { runs } from '../../../../spec/tier.js';

/** A small generator of chance (mulberry32), so that a run can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('reconcile, under load', () => {
  it('brings thousands of keys with random failures through 16 workers and loses none, in bounded memory', () => {
    const keys = runs(10_000);
    const concurrent = 16;
    const random = randomOf(20_240);
    const scheduler = new VirtualTimeScheduler();
    // The desired version of each key, which grows with each trigger, and the actual one.
    const wanted = new Uint8Array(keys);
    const reached = new Uint8Array(keys);
    const running = new Set<string>();
    const twiceAtOnce: string[] = [];
    let calls = 0;
    let failures = 0;
    let maxRunning = 0;
    let maxWaiting = 0;
    let read: (() => QueueReadings) | undefined;
    let completed = false;

    const trigger = (key: number): string => {
      wanted[key] = (wanted[key] ?? 0) + 1;
      return String(key);
    };
    // Ten waves trigger all keys, five more trigger some of them again; then the source fails.
    const keyOf = (wave: number, at: number): number => (wave < 10 ? wave * (keys / 10) + at : Math.floor(random() * keys));
    const waveOf = (wave: number): string[] => Array.from({ length: keys / 10 }, (_, at) => trigger(keyOf(wave, at)));
    const waves = timer(0, 4_000, scheduler).pipe(
      concatMap((wave) => (wave < 15 ? from(waveOf(wave)) : throwError(() => new Error('a failing source')))),
    );

    reconcile({
      sources: { waves },
      concurrent,
      scheduler,
      rateLimiter: exponentialFailure({ baseMs: 5, maxMs: 1_000 }),
      metrics: { opened: (readings) => (read = readings), depth: (depth) => (maxWaiting = Math.max(maxWaiting, depth)) },
      reconcile: ({ key }) => {
        if (running.has(key)) twiceAtOnce.push(key);
        running.add(key);
        maxRunning = Math.max(maxRunning, running.size);
        calls += 1;
        const version = wanted[Number(key)] ?? 0;
        return timer(random() * 10, scheduler).pipe(
          mergeMap(() => {
            running.delete(key);
            if (random() < 0.2) {
              failures += 1;
              return throwError(() => new Error('no luck'));
            }
            reached[Number(key)] = version;
            return random() < 0.05 ? of({ requeueAfterMs: 500 }) : EMPTY;
          }),
        );
      },
    }).subscribe({ error: fail, complete: () => (completed = true) });
    scheduler.flush();

    expect(completed).toBe(true);
    expect(reached.every((version, key) => version === wanted[key])).toBe(true);
    expect(twiceAtOnce).toEqual([]);
    expect(read?.()).toEqual({ depth: 0, processing: 0, unfinishedWorkMs: 0, longestRunningMs: 0, longestRunningItem: undefined });
    expect(maxRunning).toBe(concurrent);
    expect(maxWaiting).toBeLessThanOrEqual(keys);
    expect(calls).toBeGreaterThan(keys);
    expect(failures).toBeGreaterThan(keys / 10);
    // No call leads to another but by a failure, a requeue or a trigger.
    expect(calls).toBeLessThan(3 * keys);
  });

  it('ends with every trigger answered, whatever the timing: no key twice at once, never more at once than allowed', () => {
    const event = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), afterMs: fc.nat(12) });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 40, size: 'max' }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer(),
        (events, concurrent, seed) => {
          const random = randomOf(seed);
          const scheduler = new VirtualTimeScheduler();
          const running = new Set<string>();
          const wanted = new Map<string, number>();
          const reached = new Map<string, number>();
          const history: string[] = [];
          let completed = false;
          const trigger = (key: string): string => {
            wanted.set(key, (wanted.get(key) ?? 0) + 1);
            return key;
          };
          const answer = (key: string, version: number) => {
            running.delete(key);
            if (random() < 0.4) return throwError(() => new Error('no luck'));
            reached.set(key, version);
            if (random() < 0.7) return EMPTY;
            history.push(`${key} asks`);
            return of({ requeueAfterMs: 1 + Math.floor(random() * 30) });
          };
          reconcile({
            sources: [from(events).pipe(concatMap(({ key, afterMs }) => timer(afterMs, scheduler).pipe(map(() => trigger(key)))))],
            concurrent,
            scheduler,
            rateLimiter: exponentialFailure({ baseMs: 2, maxMs: 40 }),
            reconcile: ({ key }) => {
              expect(running.has(key)).toBe(false);
              running.add(key);
              expect(running.size).toBeLessThanOrEqual(concurrent);
              history.push(`${key} starts`);
              const version = wanted.get(key) ?? 0;
              return timer(Math.floor(random() * 15), scheduler).pipe(mergeMap(() => answer(key, version)));
            },
          }).subscribe({ error: fail, complete: () => (completed = true) });
          scheduler.flush();

          expect(completed).toBe(true);
          expect(running.size).toBe(0);
          expect(history.filter((line) => line.endsWith('at once'))).toEqual([]);
          expect(reached).toEqual(wanted);
          // Every requested requeue has happened.
          for (const key of wanted.keys()) expect(history.lastIndexOf(`${key} starts`)).toBeGreaterThan(history.lastIndexOf(`${key} asks`));
        },
      ),
    );
  });
});
