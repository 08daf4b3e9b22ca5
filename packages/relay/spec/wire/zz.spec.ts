import { expect, it } from '@jest/globals';
import { ordering } from '../../src/wire/ordering.js';
import { jsonOf } from '../../src/wire/jsonOf.js';
it('orders what a page has as the relay does', () => {
  const values: unknown[] = [{ n: Infinity }, { n: 1 }, { n: -Infinity }, { n: NaN }, { n: 0 }, { n: [2, Infinity] }, { n: [2, 3] }, { n: new Date(NaN) }, { n: new Date(5)}, { n: new URL('https://b') }, { n: new URL('https://a') }, {n: '1'}, {n: new Date(1)}, {n: ()=>1}, {n: true}, {n: [undefined]}, {n: []}, {n: [null, 1]}, {n: {a: 1}}];
  for (const descending of [false, true]) {
    const compare = ordering({ orderBy: 'n', descending });
    for (const a of values) for (const b of values) {
      const [x, y] = [Math.sign(compare(a, b)), Math.sign(compare(jsonOf(a), jsonOf(b)))];
      if (x !== y) console.log(descending, a, b, x, y);
    }
  }
  expect(1).toBe(1);
});
