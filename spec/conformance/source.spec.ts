import { describe, expect, it } from '@jest/globals';
import { reflect } from '../../src/source/reflect.js';
import { sourceConformance } from '../../src/testing/sourceConformance.js';

describe('sourceConformance', () => {
  it.each(sourceConformance.map((testCase) => [testCase.name, testCase] as const))('reflect %s', (_, { run }) => {
    expect(() => run(reflect)).not.toThrow();
  });
});
