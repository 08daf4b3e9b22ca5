import { describe, expect, it } from '@jest/globals';
import type { Trace, TraceStep } from 'rx-informer/pipeline';
import { combinedSinks, combineTraces } from '../../src/metrics/combineTraces.js';

const step: TraceStep = { stage: 'closed', at: 1, name: 'pods', resource: 'pods' };

describe('combineTraces', () => {
  it('gives each step to each trace, in order', () => {
    const got: string[] = [];
    const trace =
      (name: string): Trace =>
      ({ stage }) =>
        void got.push(`${name} ${stage}`);
    combineTraces(trace('one'), trace('two'))(step);
    expect(got).toEqual(['one closed', 'two closed']);
  });

  it('gives a step to the others when one throws, and then throws that error', () => {
    const got: string[] = [];
    const failing: Trace = () => {
      throw new Error('no');
    };
    const trace = combineTraces(failing, () => void got.push('two'));
    expect(() => trace(step)).toThrow('no');
    expect(got).toEqual(['two']);
  });

  it('refuses what is no trace', () => {
    expect(() => combineTraces(undefined as never)).toThrow(/Expected `traces`/);
  });
});

describe('combinedSinks', () => {
  it('calls the method of each sink that has it, with its own `this`', () => {
    class Sink {
      readonly depths: number[] = [];
      depth(value: number): void {
        this.depths.push(value);
      }
    }
    const [one, two] = [new Sink(), new Sink()];
    const both = combinedSinks<Partial<Sink & { adds(): void }>>(['depth', 'adds'], one, undefined, two);
    both.depth?.(5);
    both.adds?.();
    expect([one.depths, two.depths]).toEqual([[5], [5]]);
  });
});
