import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequest, GoldenRequests } from '../goldenCase.js';
import { reconciled } from './updates.js';

type Shown = NonNullable<GoldenRequest['shown']>;
type Container = Readonly<Record<string, unknown>>;

const patch =
  (type: string) =>
  (body: unknown, shown?: Shown): GoldenRequest => ({ headers: { 'content-type': `application/${type}` }, body, ...(shown && { shown }) });

const json = patch('json-patch+json');
const merge = patch('merge-patch+json');
const strategic = patch('strategic-merge-patch+json');
const apply = patch('apply-patch+yaml');

const data = ({ data: shown }: AnyJson): unknown => shown;
const podSpec = (body: AnyJson): { readonly containers: readonly Container[] } =>
  (body.spec['template'] as { readonly spec: { readonly containers: readonly Container[] } }).spec;
const containerNames = (body: AnyJson): unknown => podSpec(body).containers.map(({ name }) => name);
const env = (body: AnyJson): unknown => podSpec(body).containers[0]?.['env'];
const finalizers = ({ metadata }: AnyJson): unknown => metadata.finalizers;
const inTemplate = (spec: object): object => ({ spec: { template: { spec } } });
const containers = (...list: readonly object[]): object => inTemplate({ containers: list });
const operation = (op: string, path: string, rest: object = {}): readonly object[] => [{ op, path, ...rest }];

interface Managed {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: object;
}

const managed = ({ metadata }: AnyJson): readonly Managed[] =>
  (metadata as unknown as { readonly managedFields: readonly Managed[] }).managedFields;
const owners = (body: AnyJson): unknown =>
  managed(body).map(({ manager, operation: how, fieldsV1 }) => [manager, how, JSON.stringify(fieldsV1)]);
const path = '/spec/template/spec/containers';

const jsonPatches: GoldenRequests = {
  'patch json': json(operation('add', '/data/j', { value: '1' }), data),
  'patch json test fail': json(operation('test', '/data/j', { value: '2' })),
  'patch json missing path': json(operation('remove', '/data/nope')),
  'patch json replace missing': json(operation('replace', '/data/zz', { value: '1' })),
  'patch json add deep missing': json(operation('add', '/nope/deep/er', { value: '1' })),
  'patch json unknown op': json(operation('frobnicate', '/data/j', { value: '1' })),
  'patch json not array': json({}),
  'patch json to invalid': json(operation('replace', '/data', { value: 'x' })),
  'patch json replace missing annotation': {
    ...json(operation('replace', '/metadata/annotations/x', { value: '1' }), ({ metadata }) => metadata.annotations),
    before: (replay) => reconciled(replay, 'd1', '3', { replicas: 4 }),
  },
  'patch json replace missing label (no labels)': json(operation('replace', '/metadata/annotations/x', { value: '1' })),
  'patch json replace missing top': json(operation('replace', '/immutable', { value: false }), ({ immutable }) => immutable),
  'patch json remove missing': json(operation('remove', '/data/nope')),
  'patch json copy': json(operation('copy', '/data/cp', { from: '/data/a' }), data),
  'patch json move missing': json(operation('move', '/data/mv', { from: '/data/nope' })),
  'patch json test missing null': json(operation('test', '/data/nope', { value: null }), () => 1),
  'patch json index -': json(operation('add', `${path}/-`, { value: { name: 'z', image: 'n' } }), containerNames),
  'patch json index out': json(operation('replace', `${path}/9/image`, { value: 'n' })),
  'patch json index negative': json(operation('remove', `${path}/-1`), containerNames),
};

const mergePatches: GoldenRequests = {
  'patch merge': merge({ data: { m: '1', b: null } }, data),
  'patch merge array body': merge([]),
  'patch merge broken': merge('{"a":'),
  'patch merge wrong type': merge({ data: { a: 1 } }),
  'patch merge rv conflict': merge({ metadata: { resourceVersion: '1' } }),
  'patch merge uid conflict': merge({ metadata: { uid: 'zz' } }),
  'patch merge name': merge({ metadata: { name: 'c9' } }),
  'patch merge missing': merge({ data: {} }),
  'patch merge invalid label': merge({ metadata: { labels: { a: '!!' } } }),
  'patch json content type': { body: { data: {} } },
  'patch text': { body: '{}', headers: { 'content-type': 'text/plain' } },
  'patch force without apply': merge({ data: {} }),
  'patch status via main': {
    ...merge({ status: { replicas: 9 } }, ({ status }) => status['replicas']),
    before: (replay) => reconciled(replay, 'd1', '3', { replicas: 4 }),
  },
  'patch status': merge({ spec: { replicas: 9 }, status: { replicas: 5 } }, ({ status, spec }) => [status['replicas'], spec['replicas']]),
  'patch finalizer on live': merge({ metadata: { finalizers: ['x.com/f'] } }, finalizers),
  'patch merge generation': merge({ metadata: { generation: 99 } }, ({ metadata }) => metadata.generation),
  'patch merge generation spec': merge({ spec: { replicas: 4 } }, ({ metadata }) => metadata.generation),
  'patch pod status phase': merge(
    { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    ({ status }) => status,
  ),
  'patch pod resize': merge({ spec: { containers: [] } }),
  'patch cm immutable': merge({ immutable: true }, ({ immutable }) => immutable),
  'patch cm immutable change': merge({ data: { a: '9' } }),
  'patch ns labels': merge({ metadata: { labels: { l: '1' } } }, ({ metadata }) => metadata.labels),
  'patch ss immutable': merge({ spec: { serviceName: 'other' } }),
  'patch add finalizer while deleting': merge({ metadata: { finalizers: ['x.com/f', 'x.com/g'] } }),
  'patch remove finalizer': merge({ metadata: { finalizers: null } }, ({ metadata }) => metadata.finalizers === undefined),
  'patch release hold': merge({ metadata: { finalizers: null } }, () => 1),
  '405 patch coll': merge({}),
  'update then managedFields': {
    ...merge({ spec: { replicas: 5 } }, owners),
    before: async (replay) => {
      const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const condition = (type: string): object => ({ type, status: 'True', reason: 'R', message: 'm', ...times });
      const counts = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1, terminatingReplicas: 0 };
      await reconciled(replay, 'da', '2', { ...counts, conditions: ['Available', 'Progressing'].map(condition) });
    },
  },
};

const strategicPatches: GoldenRequests = {
  'patch strategic': strategic(containers({ name: 'side', image: 'n' }), containerNames),
  'patch strategic $patch delete': strategic(containers({ name: 'side', $patch: 'delete' }), containerNames),
  'patch strategic no merge key': strategic(containers({ image: 'x' })),
  'patch pod ephemeral': strategic(
    { spec: { ephemeralContainers: [{ name: 'e', image: 'n' }] } },
    ({ spec }) => (spec['ephemeralContainers'] as readonly unknown[]).length,
  ),
  'patch strategic env merge': strategic(
    containers({
      name: 'c',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    }),
    env,
  ),
  'patch strategic env merge 2': strategic(
    containers({
      name: 'c',
      env: [
        { name: 'A', $patch: 'delete' },
        { name: 'B', value: '3' },
      ],
    }),
    env,
  ),
  'patch strategic replace directive': strategic(containers({ name: 'only', image: 'o' }, { $patch: 'replace' }), containerNames),
  'patch strategic retainKeys': strategic(
    { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    ({ spec }) => spec['strategy'],
  ),
  'patch strategic setElementOrder': strategic(
    inTemplate({ '$setElementOrder/containers': [{ name: 'n2' }, { name: 'only' }], containers: [{ name: 'n2', image: 'n2' }] }),
    containerNames,
  ),
  'patch strategic finalizers': strategic({ metadata: { finalizers: ['x.com/a'] } }, finalizers),
  'patch strategic finalizers 2': strategic({ metadata: { finalizers: ['x.com/b'] } }, finalizers),
  'patch strategic deleteFromPrimitiveList': strategic(
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['x.com/a', 'x.com/b'] } },
    finalizers,
  ),
  'patch strategic ownerReferences': strategic(
    {
      metadata: {
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never', uid: '22222222-2222-2222-2222-222222222222' }],
      },
    },
    ({ metadata }) => metadata.ownerReferences?.length,
  ),
};

const applied = (name: string, rest: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...rest });
const appliedDeployment = (list: readonly object[], rest: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'da' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers: list } }, ...rest },
});
const c = { name: 'c', image: 'i' };

const applies: GoldenRequests = {
  'patch apply new': apply(applied('ap', { data: { a: '1' } }), data),
  'patch apply same': apply(applied('ap', { data: { a: '1' } }), data),
  'patch apply conflict': apply(applied('ap', { data: { a: '2' } })),
  'patch apply force': apply(applied('ap', { data: { a: '2' } }), (body) => [body.data, owners(body)]),
  'patch apply no manager': apply(applied('ap', {})),
  'patch apply no apiVersion': apply({ metadata: { name: 'ap' } }),
  'patch apply unknown field': apply(applied('ap', { foo: 1 })),
  'patch apply managedFields': apply({ ...applied('ap', {}), metadata: { name: 'ap', managedFields: [{ manager: 'x' }] } }),
  'patch apply name mismatch': apply(applied('apx', {})),
  'patch apply nested new deploy': apply(appliedDeployment([{ ...c, ports: [{ containerPort: 80 }] }]), (body) =>
    managed(body).map(({ manager, operation: how, subresource = null, fieldsV1 }) => [manager, how, subresource, JSON.stringify(fieldsV1)]),
  ),
  'patch apply drop field': apply(appliedDeployment([c]), (body) => [
    podSpec(body).containers[0]?.['ports'] ?? null,
    body.metadata.generation,
  ]),
  'patch apply replicas conflict': apply(appliedDeployment([c], { replicas: 2 })),
  'patch apply dup list key': apply(appliedDeployment([c, c])),
};

/** Requests that patch objects. */
export const patches: GoldenRequests = { ...jsonPatches, ...mergePatches, ...strategicPatches, ...applies };
