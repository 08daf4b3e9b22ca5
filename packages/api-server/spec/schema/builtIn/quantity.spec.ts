import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatQuantity, parseQuantity } from '../../../src/schema/builtIn/quantity.js';

const canonical = (text: string): string | undefined => {
  const quantity = parseQuantity(text);
  return quantity && formatQuantity(quantity);
};

describe('parseQuantity', () => {
  it.each([
    ['1', '1'],
    ['0.5', '500m'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1e3', '1e3'],
    ['0', '0'],
    ['0Gi', '0'],
    ['-2k', '-2k'],
    ['1000k', '1M'],
    ['0.1n', '1n'],
  ])('reads %s as %s', (text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it.each(['abc', '', 'Gi', '1.2.3', '1 Gi', '--1', '1e', '1KI', '0x10'])('refuses %j', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('keeps the amount, and its form once it has been given one', () => {
    const suffix = fc.constantFrom('', 'm', 'k', 'M', 'Ki', 'Mi', 'Gi', 'e3', 'E-2');
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(999), suffix, (whole, fraction, unit) => {
        const text = `${String(whole)}.${String(fraction)}${unit}`;
        const shown = canonical(text) ?? '';
        expect(parseQuantity(shown)?.nano).toBe(parseQuantity(text)?.nano);
        expect(canonical(shown)).toBe(shown);
      }),
    );
  });
});
