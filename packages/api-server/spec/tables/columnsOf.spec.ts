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

  it('shows an unknown age where there is no creation time', () => {
    expect(columnsOf({ group: '', plural: 'configmaps' }).map((column) => column.cell({ metadata: { name: 'x' } }, now))).toEqual([
      'x',
      0,
      '<unknown>',
    ]);
  });
});
