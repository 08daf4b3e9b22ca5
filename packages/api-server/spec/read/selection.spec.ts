import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/example.com/v1/widgets';

describe('the selection of custom resources', () => {
  let target: Target;
  beforeEach(async () => {
    target = await openTarget();
  });
  afterEach(() => target.close());

  const versions = (defaults: object): readonly object[] => [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec: { type: 'object', properties: { color: { type: 'string', ...defaults } } } },
        },
      },
      selectableFields: [{ jsonPath: '.spec.color' }],
    },
  ];
  const named = async (color: string): Promise<readonly string[]> =>
    (await target.must(`${widgets}?fieldSelector=spec.color=${color}`)).items.map(({ metadata }) => metadata.name);

  it('selects by the defaults of the definition as it is now', async () => {
    const names = { plural: 'widgets', kind: 'Widget' };
    const spec = { group: 'example.com', scope: 'Cluster', names, versions: versions({}) };
    await target.post(definition, { metadata: { name: `widgets.${spec.group}` }, spec });
    for (const name of ['x', 'y'])
      await target.post(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name }, spec: {} });
    expect(await named('red')).toEqual([]);
    for (const color of ['red', 'blue']) {
      await target.merge(`${definition}/widgets.${spec.group}`, { spec: { versions: versions({ default: color }) } });
      expect((await target.must(`${widgets}/x`)).spec).toEqual({ color });
      expect(await named(color)).toEqual(['x', 'y']);
    }
  });
});
