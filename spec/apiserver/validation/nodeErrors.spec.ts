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

// What is expected was answered by a kube-apiserver 1.36.3.
const rules: readonly Rule[] = [
  [
    'node',
    'a taint has a key and an effect',
    { 'spec.taints': [{ key: '', effect: '' }] },
    [
      'metadata.taints[0].key: Invalid value: "": name part must be non-empty',
      "metadata.taints[0].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'metadata.taints[0].effect: Required value',
    ],
  ],
  [
    'node',
    'an effect is one of three',
    { 'spec.taints': [{ key: 'a', effect: 'Never' }] },
    ['metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"'],
  ],
  [
    'node',
    'a value is one of labels',
    { 'spec.taints': [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] },
    [
      "metadata.taints[0].value: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
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
    [
      'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
    ],
  ],
  [
    'node',
    'ranges are ranges',
    { 'spec.podCIDR': 'x' },
    ['spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ],
  [
    'node',
    'there is one of each family',
    { 'spec.podCIDR': '10.0.0.0/8', 'spec.podCIDRs': ['10.0.0.0/8', '11.0.0.0/8'] },
    ['spec.podCIDRs: Invalid value: ["10.0.0.0/8","11.0.0.0/8"]: may specify no more than one CIDR for each IP family'],
  ],
  [
    'node',
    'there are two at most',
    { 'spec.podCIDR': '10.0.0.0/8', 'spec.podCIDRs': ['10.0.0.0/8', 'fd00::/64', 'fd01::/64'] },
    ['spec.podCIDRs: Invalid value: ["10.0.0.0/8","fd00::/64","fd01::/64"]: may specify no more than one CIDR for each IP family'],
  ],
  [
    'runtime',
    'a handler is a label',
    { handler: 'A_' },
    [
      "handler: Invalid value: \"A_\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ],
  ],
  [
    'runtime',
    'an overhead is not negative',
    { overhead: { podFixed: { cpu: '-1' } } },
    ['overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'runtime',
    'an overhead is of known resources',
    { overhead: { podFixed: { shoes: '1' } } },
    [
      'overhead.limits[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'overhead.limits[shoes]: Invalid value: "shoes": must be a standard resource for containers',
    ],
  ],
  [
    'runtime',
    'what selects nodes are labels',
    { scheduling: { nodeSelector: { 'a b': 'c' } } },
    [
      "scheduling.nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'runtime',
    'tolerations are such',
    { scheduling: { tolerations: [{ operator: 'Equal', value: 'a' }] } },
    [
      'scheduling.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
    ],
  ],
  ['storage', 'there is a provisioner', { provisioner: '' }, ['provisioner: Required value']],
  [
    'storage',
    'with a name of its kind',
    { provisioner: 'a b' },
    [
      "provisioner: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'storage',
    'volumes are kept or deleted',
    { reclaimPolicy: 'Burn' },
    ['reclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Retain"'],
  ],
  [
    'storage',
    'a mode is one of two',
    { volumeBindingMode: 'Soon' },
    ['volumeBindingMode: Unsupported value: "Soon": supported values: "Immediate", "WaitForFirstConsumer"'],
  ],
  ['storage', 'parameters have names', { parameters: { '': 'a' } }, ['parameters: Invalid value: "": field can not be empty.']],
  [
    'storage',
    'topologies are told apart',
    {
      allowedTopologies: [
        { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
        { matchLabelExpressions: [{ key: 'a', values: ['b'] }] },
      ],
    },
    ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  ],
  [
    'driver',
    'a mode is one of two',
    { 'spec.volumeLifecycleModes': ['Long'] },
    ['spec.volumeLifecycleModes: Unsupported value: "Long": supported values: "Persistent", "Ephemeral"'],
  ],
  [
    'driver',
    'a policy is one of three',
    { 'spec.fsGroupPolicy': 'Some' },
    ['spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"'],
  ],
  [
    'driver',
    'tokens are for different audiences',
    { 'spec.tokenRequests': [{ audience: 'a' }, { audience: 'a' }] },
    ['spec.tokenRequests[1].audience: Duplicate value: "a"'],
  ],
  [
    'driver',
    'and live ten minutes',
    { 'spec.tokenRequests': [{ audience: 'a', expirationSeconds: 599 }] },
    ['spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes'],
  ],
  [
    'csiNode',
    'drivers are told apart',
    {
      'spec.drivers': [
        { name: 'a', nodeID: 'n', topologyKeys: [] },
        { name: 'a', nodeID: 'n', topologyKeys: [] },
      ],
    },
    ['spec.drivers[1].name: Duplicate value: "a"'],
  ],
  [
    'csiNode',
    'a driver has a name',
    { 'spec.drivers': [{ name: 'a b', nodeID: '', topologyKeys: [] }] },
    [
      "spec.drivers[0].name: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      'spec.drivers[0].nodeID: Required value',
    ],
  ],
  [
    'csiNode',
    'topology keys are names that stand there once',
    { 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: ['a', 'a', 'b c'] }] },
    [
      'spec.drivers[0]: Duplicate value: "a"',
      "spec.drivers[0]: Invalid value: \"b c\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'csiNode',
    'a count is not negative',
    { 'spec.drivers': [{ name: 'a', nodeID: 'n', topologyKeys: [], allocatable: { count: -1 } }] },
    ['spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0'],
  ],
  [
    'attachment',
    'an attacher has a name',
    { 'spec.attacher': 'a b' },
    [
      "spec.attacher: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'attachment',
    'there is one',
    { 'spec.attacher': '', 'spec.nodeName': '' },
    [
      'spec.attacher: Required value',
      "spec.nodeName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'attachment',
    'a source is one thing',
    { 'spec.source': {} },
    ['spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName'],
  ],
  [
    'template',
    'labels are labels',
    { 'template.metadata': { labels: { 'a b': 'c' } } },
    [
      "template.labels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  ['template', 'there is a container', { 'template.spec.containers': [] }, ['template.spec.containers: Required value']],
  [
    'apiService',
    'a name is that of its version',
    { 'spec.version': 'v8' },
    ['metadata.name: Invalid value: "v9.a.example": must be `spec.version+"."+spec.group`: "v8.a.example"'],
  ],
  [
    'apiService',
    'a local one is not spared',
    { 'spec.insecureSkipTLSVerify': true },
    ['spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify'],
  ],
  [
    'apiService',
    'priorities have an end',
    { 'spec.groupPriorityMinimum': 20001, 'spec.versionPriority': 1001 },
    [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000',
    ],
  ],
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
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, said]);
  });
});
