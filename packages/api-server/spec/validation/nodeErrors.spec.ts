import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  node: { path: '/api/v1/nodes', body: { metadata: { name: 'x' }, spec: {} } },
  runtime: { path: '/apis/node.k8s.io/v1/runtimeclasses', body: { metadata: { name: 'x' }, handler: 'h' } },
  storage: { path: '/apis/storage.k8s.io/v1/storageclasses', body: { metadata: { name: 'x' }, provisioner: 'a.example/b' } },
  driver: { path: '/apis/storage.k8s.io/v1/csidrivers', body: { metadata: { name: 'x' }, spec: {} } },
  csiNode: { path: '/apis/storage.k8s.io/v1/csinodes', body: { metadata: { name: 'x' }, spec: { drivers: [] } } },
  attachment: {
    path: '/apis/storage.k8s.io/v1/volumeattachments',
    body: { metadata: { name: 'x' }, spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
  },
  template: {
    path: '/api/v1/namespaces/default/podtemplates',
    body: { metadata: { name: 'x' }, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } },
  },
  apiService: {
    path: '/apis/apiregistration.k8s.io/v1/apiservices',
    body: { metadata: { name: 'v9.a.example' }, spec: { group: 'a.example', version: 'v9', groupPriorityMinimum: 1, versionPriority: 1 } },
  },
};

const rules: readonly Rule[] = [
  [
    'node',
    'a taint has a key and an effect',
    { 'spec.taints': [{ key: '', effect: '' }] },
    ['metadata.taints[0].key: Invalid value', 'metadata.taints[0].key: Invalid value', 'metadata.taints[0].effect: Required value'],
  ],
  [
    'node',
    'an effect is one of three',
    { 'spec.taints': [{ key: 'a', effect: 'Never' }] },
    ['metadata.taints[0].effect: Unsupported value'],
  ],
  [
    'node',
    'a taint stands there once',
    {
      'spec.taints': [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', value: 'b', effect: 'NoSchedule' },
      ],
    },
    ['metadata.taints[1]: Duplicate value'],
  ],
  ['runtime', 'a handler is a label', { handler: 'A_' }, ['handler: Invalid value']],
  [
    'runtime',
    'what selects nodes are labels',
    { scheduling: { nodeSelector: { 'a b': 'c' } } },
    ['scheduling.nodeSelector: Invalid value'],
  ],
  [
    'runtime',
    'tolerations are such',
    { scheduling: { tolerations: [{ operator: 'Equal', value: 'a' }] } },
    ['scheduling.tolerations[0].operator: Invalid value'],
  ],
  ['storage', 'there is a provisioner', { provisioner: '' }, ['provisioner: Required value']],
  ['storage', 'with a name of its kind', { provisioner: 'a b' }, ['provisioner: Invalid value']],
  ['storage', 'volumes are kept or deleted', { reclaimPolicy: 'Burn' }, ['reclaimPolicy: Unsupported value']],
  ['storage', 'a mode is one of two', { volumeBindingMode: 'Soon' }, ['volumeBindingMode: Unsupported value']],
  [
    'storage',
    'topologies are told apart',
    {
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
        { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
      ],
    },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value'],
  ],
  ['driver', 'a mode is one of two', { 'spec.volumeLifecycleModes': ['Long'] }, ['spec.volumeLifecycleModes: Unsupported value']],
  [
    'csiNode',
    'topology keys are names',
    { 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: ['a', 'b c'] }] },
    ['spec.drivers[0]: Invalid value'],
  ],
  [
    'csiNode',
    'a count is not negative',
    { 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: [], allocatable: { count: -1 } }] },
    ['spec.drivers[0].allocatable.count: Invalid value'],
  ],
  [
    'attachment',
    'there is one',
    { 'spec.attacher': '', 'spec.nodeName': '' },
    ['spec.attacher: Required value', 'spec.nodeName: Invalid value'],
  ],
  ['attachment', 'a source is one thing', { 'spec.source': {} }, ['spec.source: Required value']],
  ['template', 'labels are labels', { 'template.metadata': { labels: { 'a b': 'c' } } }, ['template.labels: Invalid value']],
  ['template', 'there is a container', { 'template.spec.containers': [] }, ['template.spec.containers: Required value']],
  ['apiService', 'a name is that of its version', { 'spec.version': 'v8' }, ['metadata.name: Invalid value']],
  ['apiService', 'a local one is not spared', { 'spec.insecureSkipTLSVerify': true }, ['spec.insecureSkipTLSVerify: Invalid value']],
];

describe('validation of nodes, storage and what serves parts of the API', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it.each(Object.entries(bases))('takes what breaks no rule (%s)', async (_, base) => {
    expect(await createChanged(target, base, {})).toEqual([201, []]);
  });

  it.each(rules)('%s: %s', async (base, _, changes, said) => {
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, [...new Set(said)].sort()]);
  });
});
