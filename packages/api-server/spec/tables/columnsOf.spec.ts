import { describe, expect, it } from '@jest/globals';
import type { UnstructuredObject } from 'rx-informer';
import { columnsOf } from '../../src/tables/columnsOf.js';

const now = Date.parse('2026-01-01T00:00:10Z');
const metadata = { name: 'x', creationTimestamp: '2026-01-01T00:00:05Z' };

function row(group: string, plural: string, object: UnstructuredObject): Record<string, unknown> {
  return Object.fromEntries(columnsOf({ group, plural }).map((column) => [column.name, column.cell({ metadata, ...object }, now)]));
}

function names(group: string, plural: string, wide: boolean): string[] {
  return columnsOf({ group, plural })
    .filter((column) => column.priority > 0 === wide)
    .map((column) => column.name);
}

describe('columnsOf', () => {
  it.each([
    ['', 'pods', 'Name Ready Status Restarts Age', 'IP,Node,Nominated Node,Readiness Gates'],
    ['', 'services', 'Name Type Cluster-IP External-IP Port(s) Age', 'Selector'],
    ['', 'nodes', 'Name Status Roles Age Version', 'Internal-IP,External-IP,OS-Image,Kernel-Version,Container-Runtime'],
    ['', 'secrets', 'Name Type Data Age', ''],
    ['apps', 'deployments', 'Name Ready Up-to-date Available Age', 'Containers,Images,Selector'],
    ['apps', 'replicasets', 'Name Desired Current Ready Age', 'Containers,Images,Selector'],
    ['batch', 'jobs', 'Name Status Completions Duration Age', 'Containers,Images,Selector'],
    ['batch', 'cronjobs', 'Name Schedule Timezone Suspend Active Last Schedule Age', 'Containers,Images,Selector'],
    ['autoscaling', 'horizontalpodautoscalers', 'Name Reference Targets MinPods MaxPods Replicas Age', ''],
    ['policy', 'poddisruptionbudgets', 'Name Min Available Max Unavailable Allowed Disruptions Age', ''],
    ['rbac.authorization.k8s.io', 'roles', 'Name Created At', ''],
    ['rbac.authorization.k8s.io', 'clusterrolebindings', 'Name Role Age', 'Users,Groups,ServiceAccounts'],
    ['storage.k8s.io', 'storageclasses', 'Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age', ''],
    ['networking.k8s.io', 'networkpolicies', 'Name Pod-Selector Age', ''],
    ['', 'resourcequotas', 'Name Request Limit Age', ''],
    ['', 'componentstatuses', 'Name Status Message Error', ''],
    ['storage.k8s.io', 'csistoragecapacities', 'Name Created At', ''],
    ['example.com', 'pods', 'Name Age', ''],
    ['coordination.k8s.io', 'leases', 'Name Holder Age', ''],
    ['example.com', 'widgets', 'Name Age', ''],
  ])('has the columns that kubectl shows for %s/%s (row 55)', (group, plural, narrow, wide) => {
    expect(names(group, plural, false).join(' ')).toBe(narrow);
    expect(names(group, plural, true).join(',')).toBe(wide);
  });

  it('sums a pod up', () => {
    const pod = {
      spec: { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n1' },
      status: {
        phase: 'Running',
        podIP: '10.0.0.1',
        containerStatuses: [
          { ready: true, restartCount: 2, state: { running: {} } },
          { ready: false, restartCount: 1, state: {} },
        ],
      },
    };
    expect(row('', 'pods', pod)).toMatchObject({
      Name: 'x',
      Ready: '1/2',
      Status: 'Running',
      Restarts: '3',
      Age: '5s',
      IP: '10.0.0.1',
      Node: 'n1',
      'Nominated Node': '<none>',
    });
  });

  it.each([
    [{ status: { phase: 'Pending' } }, 'Pending'],
    [{ status: { phase: 'Running', containerStatuses: [{ state: { waiting: { reason: 'CrashLoopBackOff' } } }] } }, 'CrashLoopBackOff'],
    [{ status: { phase: 'Failed', reason: 'Evicted' } }, 'Evicted'],
    [{ status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] } }, 'ExitCode:3'],
    [{ status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 137, signal: 9 } } }] } }, 'Signal:9'],
    [
      {
        spec: { initContainers: [{}, {}] },
        status: { phase: 'Pending', initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }] },
      },
      'Init:1/2',
    ],
    [{ metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' }, status: { phase: 'Running' } }, 'Terminating'],
  ])('says of a pod %j that it is %s', (pod, status) => {
    expect(row('', 'pods', pod)['Status']).toBe(status);
  });

  it('sums up services, deployments and jobs', () => {
    const service = {
      spec: { type: 'NodePort', clusterIP: '10.1.1.1', ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }], selector: { app: 'web' } },
    };
    expect(row('', 'services', service)).toMatchObject({
      Type: 'NodePort',
      'Cluster-IP': '10.1.1.1',
      'External-IP': '<none>',
      'Port(s)': '80:30080/TCP',
      Selector: 'app=web',
    });
    const deployment = { spec: { replicas: 3 }, status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 2 } };
    expect(row('apps', 'deployments', deployment)).toMatchObject({ Ready: '2/3', 'Up-to-date': 3, Available: 2 });
    const job = { spec: { completions: 2 }, status: { succeeded: 1, startTime: '2026-01-01T00:00:00Z' } };
    expect(row('batch', 'jobs', job)).toMatchObject({ Completions: '1/2', Duration: '10s' });
  });

  it('shows a place for a container without an image', () => {
    const containers = [{ name: 'a' }, { name: 'b', image: 'x' }];
    expect(row('apps', 'deployments', { spec: { template: { spec: { containers } } } })).toMatchObject({ Containers: 'a,b', Images: ',x' });
  });

  it('sums up what surrounds the workloads', () => {
    const metric = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } };
    const scaler = { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 3, metrics: [metric] } };
    expect(row('autoscaling', 'horizontalpodautoscalers', scaler)).toMatchObject({
      Reference: 'Deployment/web',
      Targets: 'cpu: <unknown>/80%',
      MinPods: '<unset>',
      MaxPods: 3,
      Replicas: 0,
    });
    expect(row('policy', 'poddisruptionbudgets', { spec: { minAvailable: 1 } })).toMatchObject({
      'Min Available': '1',
      'Max Unavailable': 'N/A',
      'Allowed Disruptions': 0,
    });
    const binding = {
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [
        { kind: 'ServiceAccount', namespace: 'default', name: 'robot' },
        { kind: 'User', name: 'eve' },
      ],
    };
    expect(row('rbac.authorization.k8s.io', 'rolebindings', binding)).toMatchObject({
      Role: 'Role/reader',
      Users: 'eve',
      Groups: '',
      ServiceAccounts: 'default/robot',
    });
    const quota = { status: { hard: { pods: '3', 'limits.cpu': '2', cpu: '1' }, used: { pods: '1' } } };
    expect(row('', 'resourcequotas', quota)).toMatchObject({ Request: 'cpu: 0/1, pods: 1/3', Limit: 'limits.cpu: 0/2' });
    const slice = { addressType: 'IPv4', ports: [{ port: 80 }], endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }] };
    expect(row('discovery.k8s.io', 'endpointslices', slice)).toMatchObject({
      AddressType: 'IPv4',
      Ports: '80',
      Endpoints: '10.0.0.1,10.0.0.2',
    });
    expect(row('networking.k8s.io', 'networkpolicies', { spec: { podSelector: {} } })).toMatchObject({ 'Pod-Selector': '<none>' });
  });

  it.each([
    [{}, 'Running'],
    [{ status: { conditions: [{ type: 'Suspended', status: 'True' }] } }, 'Suspended'],
    [
      {
        status: {
          conditions: [
            { type: 'Suspended', status: 'False' },
            { type: 'Complete', status: 'True' },
          ],
        },
      },
      'Complete',
    ],
    [{ status: { conditions: [{ type: 'Failed', status: 'True' }] } }, 'Failed'],
  ])('says of a job %j that it is %s', (job, status) => {
    expect(row('batch', 'jobs', job)['Status']).toBe(status);
  });

  // The rows of kube-apiserver 1.37.2 for the same objects.
  const ended = { terminated: { reason: 'Error', exitCode: 1, finishedAt: '2026-01-01T00:00:00Z' } };
  const runs = { ready: true, state: { running: {} } };
  const succeeded = { state: { terminated: { reason: 'Completed', exitCode: 0 } } };
  const sidecars = {
    spec: { containers: [{}], initContainers: [{ name: 's', restartPolicy: 'Always' }, { name: 'i' }] },
    status: {
      phase: 'Running',
      initContainerStatuses: [
        { name: 's', started: true, restartCount: 2, lastState: ended, ...runs },
        { name: 'i', restartCount: 5, ...succeeded },
      ],
      containerStatuses: [{ restartCount: 1, ...runs }],
    },
  };
  const stuck = { name: 'i', restartCount: 4, lastState: ended, state: { waiting: { reason: 'ImagePullBackOff' } } };
  const metric = (type: string, name: string, target: object, current?: object): readonly [object, object] => {
    const field = type.replace(/^./, (first) => first.toLowerCase());
    return [{ type, [field]: { name, target } }, current === undefined ? {} : { type, [field]: { name, current } }];
  };
  const scaler = (...metrics: readonly (readonly [object, object])[]): UnstructuredObject => ({
    spec: { metrics: metrics.map(([wanted]) => wanted) },
    status: { currentMetrics: metrics.map(([, current]) => current) },
  });
  const selector = {
    matchLabels: { z: '1', b: '2' },
    matchExpressions: [
      { key: 'k', operator: 'In', values: ['b', 'a'] },
      { key: 'j', operator: 'NotIn', values: ['a'] },
      { key: 'i', operator: 'Exists' },
      { key: 'h', operator: 'DoesNotExist' },
    ],
  };
  const ports = [80, 81, 82, 83].map((port) => ({ port }));
  const isDefault = { metadata: { name: 'x', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } } };
  const available = (status: string, reason = ''): UnstructuredObject => ({
    status: { conditions: [{ type: 'Available', status, reason }] },
  });
  const shown: readonly (readonly [string, UnstructuredObject, Record<string, unknown>])[] = [
    ['/pods', sidecars, { Ready: '2/2', Status: 'Running', Restarts: '3 (10s ago)' }],
    [
      '/pods',
      { ...sidecars, status: { phase: 'Pending', initContainerStatuses: [stuck], containerStatuses: [{ restartCount: 9 }] } },
      { Ready: '0/2', Status: 'Init:ImagePullBackOff', Restarts: '4 (10s ago)' },
    ],
    [
      '/pods',
      // It was initialized, and its first container is at work again.
      {
        ...sidecars,
        status: {
          phase: 'Running',
          conditions: [{ type: 'Initialized', status: 'True' }],
          initContainerStatuses: [stuck],
          containerStatuses: [{ ready: true, restartCount: 9, state: { running: {} } }],
        },
      },
      { Ready: '1/2', Status: 'Init:ImagePullBackOff', Restarts: '9' },
    ],
    [
      '/pods',
      { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] } },
      { Status: 'SchedulingGated' },
    ],
    ['/pods', { spec: { containers: [{}] }, status: { phase: 'Running', containerStatuses: [{ ready: true }] } }, { Ready: '0/1' }],
    ['/pods', { status: { phase: 'Failed', containerStatuses: [succeeded, { state: ended }] } }, { Status: 'Error' }],
    [
      '/pods',
      { metadata: { deletionTimestamp: 'T' }, status: { phase: 'Succeeded', containerStatuses: [succeeded] } },
      { Status: 'Completed' },
    ],
    ['apps/replicasets', { spec: { selector } }, { Selector: 'b=2,!h,i,j notin (a),k in (a,b),z=1' }],
    [
      '/endpoints',
      { subsets: [{ addresses: [{ ip: 'a' }, { ip: 'b' }], ports: ports.slice(2) }] },
      { Endpoints: 'a:82,b:82,a:83 + 1 more...' },
    ],
    ['/endpoints', { subsets: [{ notReadyAddresses: [{ ip: 'a' }], ports }] }, { Endpoints: '' }],
    ['discovery.k8s.io/endpointslices', { ports }, { Ports: '80,81,82 + 1 more...' }],
    ['discovery.k8s.io/endpointslices', { ports: [{ name: 'web' }, {}] }, { Ports: 'web,*' }],
    [
      '/events',
      {
        series: { count: 5, lastObservedTime: '2026-01-01T00:00:08Z' },
        eventTime: '2026-01-01T00:00:01Z',
        reportingComponent: 'a',
        reportingInstance: 'b',
      },
      { 'Last Seen': '2s', 'First Seen': '9s', Count: 5, Source: 'a, b' },
    ],
    ['/events', {}, { 'Last Seen': '<unknown>', Count: 1, Source: '' }],
    [
      'autoscaling/horizontalpodautoscalers',
      scaler(
        metric('Resource', 'cpu', { averageUtilization: 50 }, { averageUtilization: 33 }),
        metric('ContainerResource', 'memory', { averageValue: '1Gi' }, { averageValue: '1500Mi' }),
      ),
      { Targets: 'cpu: 33%/50%, memory: 1500Mi/1Gi' },
    ],
    [
      'autoscaling/horizontalpodautoscalers',
      scaler(
        metric('External', '', { value: '30' }, { value: '5' }),
        metric('Object', '', { averageValue: '3' }),
        metric('Pods', '', { averageValue: '1' }),
      ),
      { Targets: '5/30, <unknown>/3 (avg) + 1 more...' },
    ],
    [
      'autoscaling/horizontalpodautoscalers',
      scaler(metric('Pods', '', { averageValue: '2500m' }, { averageValue: '1' })),
      { Targets: '1/2500m' },
    ],
    ['networking.k8s.io/ingressclasses', isDefault, { Name: 'x (default)', Parameters: '<none>' }],
    ['networking.k8s.io/ingressclasses', { spec: { parameters: { apiGroup: 'a.b', kind: 'C', name: 'd' } } }, { Parameters: 'C.a.b/d' }],
    ['apiregistration.k8s.io/apiservices', { spec: { service: { namespace: 'a', name: 'b' } } }, { Service: 'a/b', Available: 'Unknown' }],
    ['apiregistration.k8s.io/apiservices', available('True', 'Passed'), { Service: 'Local', Available: 'True' }],
    ['apiregistration.k8s.io/apiservices', available('False', 'ServiceNotFound'), { Available: 'False (ServiceNotFound)' }],
  ];
  it.each(shown)('shows of %s %j what kube-apiserver shows (row 55)', (kind, object, expected) => {
    const [group = '', plural = ''] = kind.split('/');
    expect(row(group, plural, object)).toMatchObject(expected);
  });

  it('shows an unknown age where there is no creation time', () => {
    expect(columnsOf({ group: '', plural: 'configmaps' }).map((column) => column.cell({ metadata: { name: 'x' } }, now))).toEqual([
      'x',
      0,
      '<unknown>',
    ]);
  });
});
