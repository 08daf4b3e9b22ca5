import { describe, expect, it } from '@jest/globals';
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
});
