import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Trampoline } from '../../src/rx/trampoline.js';
import { runs } from '../tier.js';

describe('Trampoline', () => {
  it('runs an action at once when nothing is under way', () => {
    const seen: string[] = [];
    new Trampoline().run(() => seen.push('a'));
    expect(seen).toEqual(['a']);
  });

  it('ends a turn for everybody before the next one begins', () => {
    const seen: string[] = [];
    const trampoline = new Trampoline();
    const change = (name: string, then?: () => void): void =>
      trampoline.run(() => {
        seen.push(`change ${name}`);
        trampoline.after(() => seen.push(`after ${name}`));
        trampoline.notify(() => {
          seen.push(`notify ${name} 1`);
          then?.();
        });
        trampoline.notify(() => seen.push(`notify ${name} 2`));
        trampoline.settle(2, () => seen.push(`settle ${name} second`));
        trampoline.settle(1, () => seen.push(`settle ${name} first`));
      });
    change('a', () => change('b'));
    const turn = (name: string): string[] => [
      `change ${name}`,
      `settle ${name} first`,
      `settle ${name} second`,
      `notify ${name} 1`,
      `notify ${name} 2`,
      `after ${name}`,
    ];
    expect(seen).toEqual([...turn('a'), ...turn('b')]);
  });

  it('gives work outside of any turn a turn of its own', () => {
    const seen: string[] = [];
    const trampoline = new Trampoline();
    trampoline.notify(() => seen.push('notify'));
    trampoline.settle(0, () => seen.push('settle'));
    trampoline.after(() => seen.push('after'));
    expect(seen).toEqual(['notify', 'settle', 'after']);
    expect(trampoline.isBusy()).toBe(false);
  });

  it('settles what settling has made stale, lowest level first', () => {
    const seen: string[] = [];
    const trampoline = new Trampoline();
    trampoline.run(() => {
      trampoline.notify(() => seen.push('notify'));
      trampoline.settle(1, () => {
        seen.push('1');
        trampoline.settle(3, () => seen.push('3'));
        trampoline.settle(2, () => seen.push('2'));
      });
    });
    expect(seen).toEqual(['1', '2', '3', 'notify']);
  });

  it('throws the first error when everything else has run', () => {
    const seen: string[] = [];
    const trampoline = new Trampoline();
    const run = (): void =>
      trampoline.run(() => {
        trampoline.notify(() => {
          throw new Error('first');
        });
        trampoline.notify(() => seen.push('told'));
        trampoline.run(() => {
          throw new Error('second');
        });
      });
    expect(run).toThrow('first');
    expect(seen).toEqual(['told']);
    trampoline.run(() => seen.push('next'));
    expect(seen).toEqual(['told', 'next']);
  });

  it('shares turns with those that have joined, directly or through others', () => {
    const seen: string[] = [];
    const [a, b, c] = [new Trampoline(), new Trampoline(), new Trampoline()];
    a.join(b);
    c.join(b);
    a.run(() => {
      c.run(() => seen.push('c'));
      seen.push('a');
    });
    expect(seen).toEqual(['a', 'c']);
  });

  it('ends an inner turn within the outer one that it joins, whichever of them joins', () => {
    for (const joins of ['outer', 'inner'] as const) {
      const seen: string[] = [];
      const [outer, inner] = [new Trampoline(), new Trampoline()];
      outer.run(() => {
        outer.notify(() => seen.push('outer told'));
        inner.run(() => {
          inner.notify(() => seen.push('inner told'));
          if (joins === 'outer') outer.join(inner);
          else inner.join(outer);
          inner.run(() => seen.push('next turn'));
          expect(outer.isBusy()).toBe(true);
        });
        expect(outer.isBusy()).toBe(true);
        seen.push('outer changed');
      });
      expect(seen).toEqual(['outer changed', 'outer told', 'inner told', 'next turn']);
      expect([outer.isBusy(), inner.isBusy()]).toEqual([false, false]);
    }
  });

  it('runs every turn to its end before the next one of its graph, whatever joins when (property)', () => {
    // Each turn has an earlier turn as its cause, or none.
    const turn = fc.record({ causedBy: fc.nat(12), at: fc.nat(3), joins: fc.option(fc.tuple(fc.nat(3), fc.nat(3)), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 12 }), (turns) => {
        const trampolines = Array.from({ length: 4 }, () => new Trampoline());
        const at = (index: number): Trampoline => trampolines[index] as Trampoline;
        const order: string[] = [];
        const problems: string[] = [];
        const play = (number: number): void => {
          const { at: place, joins } = turns[number] as (typeof turns)[number];
          at(place).run(() => {
            let changed = false;
            order.push(`change ${number}`);
            at(place).notify(() => {
              order.push(`notify ${number}`);
              if (!changed) problems.push(`turn ${number} told before it had changed anything`);
            });
            at(place).after(() => order.push(`after ${number}`));
            if (joins !== undefined) at(joins[0]).join(at(joins[1]));
            for (const [child, { causedBy }] of turns.entries()) if (child > number && causedBy === number) play(child);
            changed = true;
          });
        };
        for (const [number, { causedBy }] of turns.entries()) if (causedBy >= number) play(number);

        const joined = turns.filter(({ joins }) => joins !== undefined).length;
        // Trampolines that join during a turn may notify of it while the rest of its action still runs on the stack.
        expect(joined === 0 ? problems : []).toEqual([]);
        expect(order.filter((step) => step.startsWith('after'))).toHaveLength(turns.length);
        for (const number of turns.keys()) {
          const [change, notify, after] = ['change', 'notify', 'after'].map((phase) => order.indexOf(`${phase} ${number}`));
          expect([change, notify, after]).toEqual([change, notify, after].sort((a = 0, b = 0) => a - b));
        }
        for (const trampoline of trampolines) expect(trampoline.isBusy()).toBe(false);
      }),
      { numRuns: runs(300) },
    );
  });

  it('settles what a turn has begun before the callback goes on that has caused it, when both are joined in it', () => {
    const [outer, inner] = [new Trampoline(), new Trampoline()];
    const order: string[] = [];
    outer.run(() => {
      outer.notify(() => {
        inner.run(() => {
          inner.notify(() => order.push('inner told'));
          inner.join(outer);
          inner.settle(1, () => order.push('settled'));
        });
        order.push('callback goes on');
      });
      outer.notify(() => order.push('outer told'));
    });
    expect(order).toEqual(['settled', 'callback goes on', 'outer told', 'inner told']);
  });

  /** All trampolines and queues that something refers to, directly or through others. */
  function reachable(from: object): number {
    const seen = new Set<object>([from]);
    for (const object of seen)
      for (const value of Object.values(object)) if (typeof value === 'object' && value !== null) seen.add(value as object);
    return [...seen].filter((object) => object instanceof Trampoline).length;
  }

  it('lets go of 200,000 that have joined and left, busy or not, and runs a turn behind them', () => {
    const [pods, services] = [new Trampoline(), new Trampoline()];
    services.join(pods);
    for (let at = 0; at < 200_000; at += 1) {
      const short = new Trampoline();
      if (at % 2 === 0) short.run(() => short.join(pods));
      else pods.join(short);
    }
    const seen: string[] = [];
    services.run(() => {
      pods.run(() => seen.push('later'));
      seen.push('now');
    });
    expect(seen).toEqual(['now', 'later']);
    expect(reachable(pods) + reachable(services)).toBeLessThanOrEqual(4);
  });

  it('keeps the way to the root short in any order of joins (property)', () => {
    const join = fc.tuple(fc.nat(199), fc.nat(199));
    fc.assert(
      fc.property(fc.array(join, { maxLength: 400 }), (joins) => {
        const all = Array.from({ length: 200 }, () => new Trampoline());
        const groups = all.map((_, at) => at);
        for (const [a, b] of joins) {
          all[a]?.join(all[b] as Trampoline);
          const [from, to] = [groups[a], groups[b]];
          for (const [at, group] of groups.entries()) if (group === from) groups[at] = to as number;
        }
        // The logarithm of 200, and itself.
        expect(Math.max(...all.map(reachable))).toBeLessThanOrEqual(9);
        all[0]?.run(() => expect(all.map((trampoline) => trampoline.isBusy())).toEqual(groups.map((group) => group === groups[0])));
      }),
    );
  });

  it('settles 100,000 actions of as many levels in their order', () => {
    const trampoline = new Trampoline();
    const seen: number[] = [];
    trampoline.run(() => {
      for (let level = 99_999; level >= 0; level -= 1) trampoline.settle(level, () => seen.push(level));
    });
    expect(seen.every((level, at) => level === at)).toBe(true);
    expect(seen).toHaveLength(100_000);
  });

  it('runs everything else, however many actions of whichever phase throw (property)', () => {
    const action = fc.record({ phase: fc.constantFrom('run', 'settle', 'notify', 'after'), throws: fc.boolean(), nested: fc.nat(3) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const trampoline = new Trampoline();
        let ran = 0;
        let expected = 0;
        const add = (phase: string, throws: boolean, nested: number): void => {
          expected += 1;
          const work = (): void => {
            ran += 1;
            if (nested > 0) add(phase, throws, nested - 1);
            if (throws) throw new RangeError('Maximum call stack size exceeded');
          };
          if (phase === 'run') trampoline.run(work);
          else if (phase === 'settle') trampoline.settle(nested, work);
          else if (phase === 'notify') trampoline.notify(work);
          else trampoline.after(work);
        };
        const play = (): void => trampoline.run(() => actions.forEach(({ phase, throws, nested }) => add(phase, throws, nested)));
        let thrown: unknown;
        try {
          play();
        } catch (error) {
          thrown = error;
        }
        expect(thrown instanceof RangeError).toBe(actions.some(({ throws }) => throws));
        expect([ran, trampoline.isBusy()]).toEqual([expected, false]);
      }),
    );
  });
});
