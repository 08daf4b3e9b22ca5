import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { delay, from, map, of, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import type { ObjectEvent } from '../../../src/operators/keys/groupByKey.js';
import { mergeMapByKey } from '../../../src/operators/keys/mergeMapByKey.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('mergeMapByKey', () => {
  it('runs the work of one key in order, and that of different keys at the same time', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.mergeMapByKey;
      const source = hot(inputs.source, values);
      const subs = '^--------------!';
      const work = cold(inputs.work);
      const told = mergeMapByKey((event: ObjectEvent<KubernetesObject>) => work.pipe(map(() => `${event.type} ${event.key}`)));
      expectObservable(source.pipe(told)).toBe(outputs.result, { 1: 'added a', 2: 'updated a', 3: 'added b' });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('keeps to the concurrency', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const source = hot('(ab)-|', values);
      const work = cold(' --(r|)');
      const expected = '  --a-b|';
      expectObservable(source.pipe(mergeMapByKey((event) => work.pipe(map(() => event.key)), { concurrency: 1 }))).toBe(expected);
    });
  });

  it('ends with the error of the work', () => {
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b--|', values);
      const subs = '      ^--!   ';
      const work = cold(' --#    ');
      expectObservable(source.pipe(mergeMapByKey(() => work))).toBe('---#');
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('ends with what the work throws', () => {
    marbles(({ hot, expectObservable }) => {
      const failing = mergeMapByKey<KubernetesObject, never>(() => {
        throw new Error('no');
      });
      expectObservable(hot('-a-', values).pipe(failing)).toBe('-#', undefined, new Error('no'));
    });
  });

  it('takes a source that emits and completes at once', () => {
    marbles(({ expectObservable }) => {
      const events = ['a', 's', 'A', 'x'].map((name) => values[name] as ResourceEvent<KubernetesObject>);
      expectObservable(from(events).pipe(mergeMapByKey((event) => of(event.type)))).toBe('(aud|)', {
        a: 'added',
        u: 'updated',
        d: 'deleted',
      });
    });
  });

  it.each([
    { title: 'of one key', keyOf: () => 'a', concurrency: Infinity },
    { title: 'of many keys', keyOf: (at: number) => String(at), concurrency: 1 },
  ])('works through a long queue $title whose work is done at once', ({ keyOf, concurrency }) => {
    const gate = new Subject<number>();
    const source = new Subject<ResourceEvent<KubernetesObject>>();
    let begun = 0;
    let told = 0;
    const work = () => {
      begun += 1;
      return begun === 1 ? gate : of(begun);
    };
    source.pipe(mergeMapByKey(work, { concurrency })).subscribe(() => (told += 1));
    for (let at = 0; at < 20_000; at += 1) source.next({ type: 'added', key: keyOf(at), object: {}, initial: false, inferred: false });
    gate.complete();

    expect(told).toBe(19_999);
  });

  it('changes nothing about the events when the work only takes time', () => {
    checkOperatorLaw({
      operator: (scheduler) => mergeMapByKey((event) => of(event).pipe(delay(3, scheduler)), { concurrency: 2 }),
      restMs: 1_000,
    });
  });

  it.each([0, -1, NaN])('refuses a concurrency of %d', (concurrency) => {
    expect(() => mergeMapByKey(() => of(1), { concurrency })).toThrow(
      `Expected \`concurrency\` to be at least 1, got ${String(concurrency)}`,
    );
  });

  it('never runs two pieces of work for one key at once, and loses none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), ms: fc.nat(5), gap: fc.nat(3) })),
        fc.integer({ min: 1, max: 4 }),
        (plan, concurrency) => {
          const scheduler = new VirtualTimeScheduler();
          const source = new Subject<ResourceEvent<KubernetesObject>>();
          const busy = new Set<string>();
          const seen: Record<string, number[]> = { a: [], b: [], c: [] };
          let most = 0;
          let at = 0;
          source
            .pipe(
              mergeMapByKey(
                (event) => {
                  const number = Number(event.object.metadata?.resourceVersion ?? '0');
                  expect(busy.has(event.key)).toBe(false);
                  busy.add(event.key);
                  most = Math.max(most, busy.size);
                  return timer(plan[number]?.ms ?? 0, scheduler).pipe(
                    map(() => {
                      busy.delete(event.key);
                      seen[event.key]?.push(number);
                    }),
                  );
                },
                { concurrency },
              ),
            )
            .subscribe();
          plan.forEach(({ key, gap }, number) => {
            at += gap;
            scheduler.schedule(() => {
              source.next({
                type: 'added',
                key,
                object: { metadata: { resourceVersion: String(number) } },
                initial: false,
                inferred: false,
              });
            }, at);
          });
          scheduler.flush();
          expect(most).toBeLessThanOrEqual(concurrency);
          for (const key of ['a', 'b', 'c']) {
            expect(seen[key]).toEqual(plan.flatMap((step, number) => (step.key === key ? [number] : [])));
          }
        },
      ),
    );
  });
});
