import { between, hex, letters, oneOf, scramble, time, uid } from './madeUp.js';
import { managed } from './managed.js';
import { inTurn, type Json, type Traffic } from './traffic.js';

const imagesPerNode = 50;
const teams = ['shop', 'search', 'platform', 'data', 'payments'];

/** The images of the nodes, largest first, as kubelets report them. */
const images = Array.from({ length: 300 }, (_, at) => {
  const repository = `registry.example.com/${oneOf(at, teams)}/app-${at % 120}`;
  return {
    names: [`${repository}@sha256:${hex(at + 5, 64)}`, `${repository}:v1.${at % 40}.${at % 9}`],
    sizeBytes: between(at * 3 + 1, 2_000_000, 900_000_000),
  };
}).sort((a, b) => b.sizeBytes - a.sizeBytes);

function imagesOf(at: number): readonly object[] {
  return images.filter((_, image) => scramble(at * 1009 + image) % images.length < imagesPerNode + 12).slice(0, imagesPerNode);
}

const quantities = (cpu: string, memory: string) => ({
  cpu,
  'ephemeral-storage': '95491281146',
  'hugepages-1Gi': '0',
  'hugepages-2Mi': '0',
  memory,
  pods: '110',
});

function conditions(created: number, beat: number): readonly object[] {
  const condition = (type: string, status: string, reason: string, message: string, at: number) => ({
    ...{ type, status, lastHeartbeatTime: time(4_000_000 + beat * 300 + at), lastTransitionTime: time(created + at), reason, message },
  });
  return [
    condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available', 0),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure', 0),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available', 0),
    condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status', 0),
  ];
}

function node(at: number, beat: number, resourceVersion: number): Json {
  const name = `gke-prod-pool-${at % 6}-${hex(at % 6, 8)}-${letters(at, 4)}`;
  const zone = `eu-central-1${'abc'[at % 3] ?? ''}`;
  const created = at * 977;
  const memory = `${between(at, 60_000_000, 65_000_000)}Ki`;
  return {
    metadata: {
      name,
      uid: uid(at + 31_000),
      resourceVersion: String(resourceVersion),
      creationTimestamp: time(created),
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': oneOf(at, ['m6i.4xlarge', 'm6i.8xlarge', 'c6i.8xlarge']),
        'topology.ebs.csi.aws.com/zone': zone,
        'topology.kubernetes.io/region': 'eu-central-1',
        'topology.kubernetes.io/zone': zone,
      },
      annotations: {
        'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"i-0${hex(at, 16)}"}`,
        'node.alpha.kubernetes.io/ttl': '0',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      managedFields: [
        managed('kubelet', created, 'metadata.annotations..,metadata.labels..,metadata.labels.kubernetes_io/hostname,spec.providerID'),
        managed('kube-controller-manager', created + 9, 'metadata.annotations.ttl,spec.podCIDR,spec.podCIDRs'),
        managed('kubelet', 4_000_000 + beat * 300, 'status.conditions.Ready.lastHeartbeatTime,status.images', 'status'),
      ],
    },
    spec: {
      podCIDR: `10.${at >> 8}.${at & 255}.0/24`,
      podCIDRs: [`10.${at >> 8}.${at & 255}.0/24`],
      providerID: `aws:///${zone}/i-0${hex(at, 16)}`,
    },
    status: {
      capacity: quantities('16', memory),
      allocatable: quantities('15890m', memory),
      conditions: conditions(created, beat),
      addresses: [
        { type: 'InternalIP', address: `10.${at >> 8}.${at & 255}.17` },
        { type: 'Hostname', address: name },
        { type: 'InternalDNS', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
      nodeInfo: {
        machineID: hex(at + 1, 32),
        systemUUID: uid(at + 91_000),
        bootID: uid(at + 92_000),
        kernelVersion: '6.1.141-155.222.amzn2023.x86_64',
        osImage: 'Amazon Linux 2023.7.20250623',
        containerRuntimeVersion: 'containerd://1.7.27',
        kubeletVersion: 'v1.36.2',
        kubeProxyVersion: 'v1.36.2',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
      images: imagesOf(at),
    },
  };
}

/** Every node in turn reports its status. */
export const heartbeats: Traffic = {
  path: '/api/v1/nodes',
  apiVersion: 'v1',
  kind: 'Node',
  objects: 1_500,
  warmUp: 3_000,
  events: 6_000,
  target: 0.6,
  listTarget: 0.6,
  source: inTurn(node),
};
