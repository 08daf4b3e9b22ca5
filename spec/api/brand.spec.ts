import { describe, expect, it } from '@jest/globals';
import { brand } from '../../src/api/brand.js';

class OfOneBuild {
  readonly name = 'a';
}
class OfAnother {
  readonly name = 'a';
}
class Other {
  readonly name = 'a';
}
brand(OfOneBuild, 'Branded');
brand(OfAnother, 'Branded');
brand(Other, 'Other');

describe('brand', () => {
  it('has classes of one brand know the instances of each other, and no others', () => {
    expect([new OfOneBuild() instanceof OfAnother, new OfAnother() instanceof OfOneBuild]).toEqual([true, true]);
    expect([new Other(), { name: 'a' }, null, undefined, 'a', () => 'a'].map((value) => value instanceof (OfOneBuild as never))).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  it('shows nothing of itself', () => {
    const branded = new OfOneBuild();
    expect(JSON.stringify(branded)).toBe('{"name":"a"}');
    expect([Object.keys(branded), Object.getOwnPropertySymbols(branded)]).toEqual([['name'], []]);
  });
});
