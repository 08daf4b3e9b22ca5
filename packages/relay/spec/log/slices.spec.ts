import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { ScopeLog } from '../../src/log/scopeLog.js';
import { Slices } from '../../src/log/slices.js';
import { monotonicScheduler } from '../../../../src/rx/schedulerOf.js';

const change = (name: string, value: unknown) => ({ key: name, group: '', value });

describe('Slices', () => {
  it('looks once at each position of the log whether the entries of a slice have been replaced', () => {
    const log = new ScopeLog('log');
    log.apply(['a', 'b', 'c'].map((name) => change(name, name)));
    const textOf = (entries: readonly { readonly key: string }[]): string => entries.map(({ key }) => key).join('');
    const slices = new Slices({ log, scheduler: monotonicScheduler, length: 2, lengthOf: () => 1, textOf });
    const texts = (): (string | undefined)[] => [slices.next(0).chunk?.text, slices.next(2).chunk?.text];
    expect(texts()).toEqual(['ab', 'c']);
    let looks = 0;
    for (const entry of log.since(0)) {
      let isReplaced = false;
      const replaced = { get: () => ((looks += 1), isReplaced), set: (value: boolean) => void (isReplaced = value) };
      Object.defineProperty(entry, 'replaced', replaced);
    }
    expect(texts()).toEqual(['ab', 'c']);
    expect(looks).toBe(0);
    log.apply([change('d', 'd')]);
    expect([slices.next(2), slices.next(2)].map(({ chunk }) => chunk?.text)).toEqual(['c', 'c']);
    expect(looks).toBe(1);
    log.apply([change('b', 'other')]);
    expect(texts()).toEqual(['a', 'c']);
    slices.forget();
  });

  it('keeps the last ones, and not a copy of the whole log', () => {
    const log = new ScopeLog('log');
    log.apply(Array.from({ length: 20 }, (_, at) => change(`${at}`, at)));
    let made = 0;
    const textOf = (): string => ((made += 1), 'x'.repeat(2 ** 20));
    const slices = new Slices({ log, scheduler: new VirtualTimeScheduler(), length: 1, lengthOf: () => 1, textOf });
    const madeBy = (...positions: readonly number[]): number => {
      made = 0;
      for (const at of positions) slices.next(at);
      return made;
    };
    const all = [...log.since(0)].map(({ seq }) => seq - 1);
    expect([madeBy(...all), madeBy(...all.slice(-8)), madeBy(...all.slice(0, 8)), madeBy(...all.slice(0, 8))]).toEqual([20, 0, 8, 0]);
    slices.forget();
    expect(madeBy(...all.slice(0, 8))).toBe(8);
    slices.forget();
  });
});
