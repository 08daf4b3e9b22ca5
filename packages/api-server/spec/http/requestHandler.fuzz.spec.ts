import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openTarget, type Target } from '../support/target.js';
import { runs } from '../../../../spec/tier.js';

const words = fc.constantFrom(
  'api',
  'apis',
  'v1',
  'apps',
  'namespaces',
  'default',
  'pods',
  'configmaps',
  'deployments',
  'watch',
  'status',
  'scale',
  'finalize',
  'log',
);
const junk = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', '%', '%2F', '%zz', '..', '.', '__proto__', 'constructor', '\u0000', 'ü', '%00', '*'),
);
const pathOf = fc
  .array(fc.oneof({ weight: 4, arbitrary: words }, junk), { maxLength: 8 })
  .map((parts) => `/${parts.map((part) => encodeURI(part)).join('/')}`);
const goodPath = fc.constantFrom(
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/configmaps/a',
  '/apis/apps/v1/namespaces/default/deployments/a/scale',
  '/apis/apps/v1/namespaces/default/deployments/a/status',
  '/api/v1/namespaces/a',
  '/api/v1/namespaces/a/finalize',
  '/api/v1/namespaces/default/pods/a/eviction',
  '/api/v1/namespaces/default/pods/a/binding',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a',
);
const names = fc.constantFrom(
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'labelSelector',
  'fieldSelector',
  'timeoutSeconds',
  'sendInitialEvents',
  'dryRun',
  'allowWatchBookmarks',
  'pretty',
  'force',
  'fieldManager',
  'fieldValidation',
  'gracePeriodSeconds',
  'propagationPolicy',
  'orphanDependents',
  'includeObject',
  'verbose',
);
const values = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    'true',
    'All',
    'Exact',
    'a=b',
    'a in (',
    '99999999999999999999',
    'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiJ4In0',
  ),
);
const query = fc
  .array(fc.tuple(names, values), { maxLength: 4 })
  .map((pairs) => new URLSearchParams(pairs.filter(([name]) => name !== 'timeoutSeconds')).toString());
const metadata = fc.record(
  {
    name: fc.oneof(fc.constant('a'), fc.jsonValue()),
    namespace: fc.oneof(fc.constant('default'), fc.jsonValue()),
    labels: fc.jsonValue(),
    finalizers: fc.oneof(fc.constant(['example.com/f']), fc.jsonValue()),
    ownerReferences: fc.jsonValue(),
    resourceVersion: fc.jsonValue(),
    deletionTimestamp: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const spec = fc.oneof(
  fc.jsonValue(),
  fc.record({
    replicas: fc.jsonValue(),
    selector: fc.jsonValue(),
    versions: fc.jsonValue(),
    names: fc.jsonValue(),
    group: fc.jsonValue(),
    finalizers: fc.jsonValue(),
  }),
);
const body = fc.oneof(
  fc
    .record({ kind: fc.jsonValue(), apiVersion: fc.jsonValue(), metadata, spec, status: fc.jsonValue() }, { requiredKeys: ['metadata'] })
    .map((value) => JSON.stringify(value)),
  fc
    .array(
      fc.record({
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        path: fc.constantFrom('/metadata', '/spec', '/data/a/b', '', '/metadata/labels/-', '/a~'),
        from: fc.constantFrom('/spec', '/x', ''),
        value: fc.jsonValue(),
      }),
    )
    .map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
  fc.constantFrom(
    'k8s\0junk',
    '{"__proto__":{"a":1},"metadata":{"name":"a"}}',
    '&a [*a]',
    'a: &a [b]\nc: *a\n',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  ),
);
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/yaml',
      'application/merge-patch+json',
      'application/json-patch+json',
      'application/strategic-merge-patch+json',
      'application/apply-patch+yaml',
      'application/vnd.kubernetes.protobuf',
      'x',
      ';;;',
    ),
    accept: fc.constantFrom(
      '*/*',
      'application/yaml',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'x',
      ',,;q=',
      'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
    ),
  },
  { requiredKeys: [] },
);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  path: fc.oneof(pathOf, goodPath),
  query,
  body,
  headers,
});

describe('createRequestHandler', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it('answers any request, blames none on itself, and lives on', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query: text, body: content, headers: sent }) => {
        const bodyless = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
        const { code, json } = await target.request(`${path}?${text}&timeoutSeconds=-1`, {
          method,
          headers: sent,
          ...(!bodyless && { body: content }),
        });
        expect(code).toBeGreaterThanOrEqual(200);
        expect(json.reason).not.toBe('InternalError');
      }),
      { numRuns: runs(500) },
    );
    expect((await target.request('/healthz')).text).toBe('ok');
    expect((await target.must('/api/v1/namespaces/default')).kind).toBe('Namespace');
  }, 600_000);
});
