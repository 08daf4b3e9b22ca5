import { describe, expect, it } from '@jest/globals';
import { similarTo } from '../../../src/api/options.js';

const known = ['pods', 'deployments', 'daemonsets', 'deployment', 'Deployment', 'nodes'];

describe('similarTo', () => {
  it.each([
    ['deploymnets', '; did you mean `deployments` or `deployment`?'],
    ['DEPLOYMENT', '; did you mean `deployment` or `deployments`?'],
    ['pdos', '; did you mean `pods`?'],
    ['pod', '; did you mean `pods`?'],
    ['nods', '; did you mean `pods` or `nodes`?'],
    ['certificates', ''],
    ['', ''],
  ])('suggests for %j', (word, expected) => {
    expect(similarTo(word, known)).toBe(expected);
  });
});
