import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { definitionName, definitions } from '../../../src/schema/builtIn/definitions.js';

describe('definitions', () => {
  it('are those of workshop/tools/schemas, packed', () => {
    const source = readFileSync(new URL('../../../../../workshop/tools/schemas/kubernetes-1.36.json', import.meta.url), 'utf8');
    expect(definitions()).toEqual(JSON.parse(source));
  });

  it('are found by kind', () => {
    expect(definitionName('apps', 'v1', 'Deployment')).toBe('io.k8s.api.apps.v1.Deployment');
    expect(definitionName('apps', 'v2', 'Deployment')).toBeUndefined();
  });
});
