import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const container = (more: object = {}): object => ({ name: 'c', image: 'i', ...more });
const with1 = (more: object): object => ({ containers: [container(more)] });
const pod = (spec: object): object => ({ containers: [container()], ...spec });
const context = { allowPrivilegeEscalation: false, privileged: true };

describe('specs of pods', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const refusal = async (spec: object): Promise<string> => {
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec };
    const { code, json } = await target.request('/api/v1/namespaces/default/pods?dryRun=All', { method: 'POST', body });
    return code === 201 ? 'created' : json.message.replace(/^.*? is invalid: /, '');
  };

  it.each<[string, object]>([
    [
      'a probe, a hook and ports by name',
      with1({
        ports: [{ name: 'http-1', containerPort: 80, hostPort: 80 }],
        livenessProbe: { httpGet: { port: 'http-1' } },
        lifecycle: { preStop: { sleep: { seconds: 0 } } },
      }),
    ],
    [
      'a sidecar with a probe',
      pod({ initContainers: [container({ name: 's', restartPolicy: 'Always', readinessProbe: { exec: { command: ['a'] } } })] }),
    ],
    [
      'every reference of an environment',
      with1({
        env: [
          { name: 'A.b-C d', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a/b']" } } },
          { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        ],
      }),
    ],
    [
      'resources of its own names',
      with1({ resources: { limits: { 'example.com/gpu': 1, 'hugepages-2Mi': '2Mi', cpu: 1, memory: '1Gi' } } }),
    ],
    [
      'all tolerations and affinities',
      pod({
        tolerations: [{ operator: 'Exists' }, { key: 'a', value: 'b', effect: 'NoExecute', tolerationSeconds: 5 }],
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] }],
            },
          },
        },
      }),
    ],
    [
      'a projected volume',
      pod({
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [
                { serviceAccountToken: { path: 't', expirationSeconds: 600 } },
                { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: 'metadata.labels' } }] } },
              ],
            },
          },
        ],
        containers: [container({ volumeMounts: [{ name: 'v', mountPath: '/v' }] })],
        serviceAccountName: 's',
      }),
    ],
  ])('may have %s', async (_, spec) => {
    expect(await refusal(spec)).toBe('created');
  });

  it.each<[string, object, string | RegExp]>([
    [
      'a value beside a reference',
      with1({ env: [{ name: 'A', value: '1', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
      'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
    ],
    [
      'two references in one',
      with1({ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'a', key: 'k' }, secretKeyRef: { name: 'a', key: 'k' } } }] }),
      'valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
    [
      'a reference to what is no field',
      with1({ env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.bogus' } } }] }),
      'fieldPath: Invalid value: "spec.bogus": must be a field of the pod that can be referred to',
    ],
    [
      'two handlers',
      with1({ livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
      'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
    ],
    ['no handler', with1({ readinessProbe: {} }), 'spec.containers[0].readinessProbe: Required value: must specify a handler type'],
    [
      'a threshold of two',
      with1({ livenessProbe: { successThreshold: 2, tcpSocket: { port: 1 } } }),
      'successThreshold: Invalid value: 2: must be 1',
    ],
    [
      'a port out of range in a probe',
      with1({ livenessProbe: { tcpSocket: { port: 70_000 } } }),
      'port: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      'a long name of a port',
      with1({ ports: [{ name: 'averyveryverylongname', containerPort: 1 }] }),
      'name: Invalid value: "averyveryverylongname": must be at most 15 letters',
    ],
    [
      'a host port twice',
      with1({
        ports: [
          { containerPort: 1, hostPort: 5 },
          { containerPort: 2, hostPort: 5 },
        ],
      }),
      'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//5"',
    ],
    [
      'another host port in the network of the host',
      { hostNetwork: true, containers: [container({ ports: [{ containerPort: 1, hostPort: 2 }] })] },
      'hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true',
    ],
    [
      'a path twice',
      pod({
        volumes: [{ name: 'v', emptyDir: {} }],
        containers: [
          container({
            volumeMounts: [
              { name: 'v', mountPath: '/a' },
              { name: 'v', mountPath: '/a' },
            ],
          }),
        ],
      }),
      'mountPath: Invalid value: "/a": must be unique',
    ],
    [
      'two sources of a volume',
      pod({ volumes: [{ name: 'v', emptyDir: {}, configMap: { name: 'x' } }] }),
      'spec.volumes[0].configMap: Forbidden: may not specify more than 1 volume type',
    ],
    [
      'a key at an absolute path',
      pod({ volumes: [{ name: 'v', configMap: { name: 'x', items: [{ key: 'k', path: '/abs' }] } }] }),
      'spec.volumes[0].configMap.items[0].path: Invalid value: "/abs": must be a relative path',
    ],
    [
      'a strange effect',
      pod({ tolerations: [{ key: 'a', effect: 'No' }] }),
      'effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    [
      'a toleration of a value that exists',
      pod({ tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] }),
      `spec.tolerations[0].operator: Invalid value: "x": value must be empty when \`operator\` is 'Exists'`,
    ],
    [
      'a term without values',
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] },
          },
        },
      }),
      "values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ],
    [
      'privileges without escalation',
      with1({ securityContext: context }),
      /^spec\.containers\[0\]\.securityContext: Invalid value: \{.*\}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true$/,
    ],
    [
      'a DNS policy without its config',
      pod({ dnsPolicy: 'None' }),
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
    ],
    [
      'shared processes of host and pod',
      pod({ shareProcessNamespace: true, hostPID: true }),
      'spec.securityContext.shareProcessNamespace: Invalid value: true: ShareProcessNamespace and HostPID cannot both be enabled',
    ],
    [
      'a resource of no name',
      with1({ resources: { requests: { bogus: 1 } } }),
      'spec.containers[0].resources.requests[bogus]: Invalid value: "bogus": must be a resource for containers',
    ],
    [
      'a claim that is not there',
      with1({ resources: { claims: [{ name: 'nope' }] } }),
      'spec.containers[0].resources.claims[0]: Not found: "nope": must be in the resourceClaims of the pod',
    ],
    [
      'a probe of an init container',
      pod({ initContainers: [container({ name: 's', readinessProbe: { tcpSocket: { port: 1 } } })] }),
      'readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ],
    ['the name of a container twice', pod({ initContainers: [container()] }), 'spec.initContainers[0].name: Duplicate value: "c"'],
    [
      'users on Windows',
      pod({ os: { name: 'windows' }, securityContext: { runAsUser: 1 } }),
      'spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod',
    ],
    ['a host name that is none', pod({ hostname: 'A_B' }), 'spec.hostname: Invalid value: "A_B": a lowercase RFC 1123 label'],
    [
      'a gate that is no name',
      pod({ readinessGates: [{ conditionType: 'a b' }] }),
      'spec.readinessGates[0].conditionType: Invalid value: "a b": name part must consist of',
    ],
    [
      'ephemeral containers from the start',
      pod({ ephemeralContainers: [container({ name: 'e' })] }),
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ],
  ])('must not have %s', async (_, spec, message) => {
    expect(await refusal(spec)).toMatch(message);
  });
});
