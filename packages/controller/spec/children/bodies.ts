import { type KubernetesObject, type Resource, resources } from 'rx-informer';

const { core, apps, batch, networking, rbac, policy, autoscaling } = resources;

type Body = readonly [what: string, resource: Resource<KubernetesObject>, body: object];

const container = { name: 'c', image: 'web:1' };
const selector = { matchLabels: { app: 'web' } };
const pods = (spec: object): object => ({ metadata: { labels: { app: 'web' } }, spec });
const deployment = (spec: object, more: object = {}): object => ({ spec: { selector, template: pods(spec), ...more } });

/** Bodies of children that a server fills in, normalizes or cuts; kind, apiVersion and name are added. */
export const bodies: readonly Body[] = [
  ['an empty config map', core.v1.configmaps, {}],
  ['texts', core.v1.configmaps, { data: { a: '1', b: '' } }],
  ['texts that look like quantities', core.v1.configmaps, { data: { limits: '1000m', memory: '2048Mi' } }],
  ['an empty map', core.v1.configmaps, { data: {} }],
  ['labels and annotations', core.v1.configmaps, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } }],
  ['finalizers', core.v1.configmaps, { metadata: { finalizers: ['example.com/a'] } }],
  ['immutable', core.v1.configmaps, { immutable: true, data: { a: 'b' } }],
  ['binary data', core.v1.configmaps, { binaryData: { a: 'AAEC' } }],
  ['a secret', core.v1.secrets, { data: { a: 'YQ==' } }],
  ['stringData', core.v1.secrets, { stringData: { a: 'b' } }],
  ['a type', core.v1.secrets, { type: 'example.com/own', data: { a: 'YQ==' } }],
  ['an account', core.v1.serviceaccounts, {}],
  ['imagePullSecrets', core.v1.serviceaccounts, { imagePullSecrets: [{ name: 'b' }, { name: 'a' }] }],
  ['a service', core.v1.services, { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  [
    'ports with names',
    core.v1.services,
    {
      spec: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 81, targetPort: 'web', protocol: 'TCP' },
        ],
      },
    },
  ],
  [
    'ports of two protocols',
    core.v1.services,
    {
      spec: {
        ports: [
          { name: 'a', port: 53, protocol: 'UDP' },
          { name: 'b', port: 53, protocol: 'TCP' },
        ],
      },
    },
  ],
  ['a headless service', core.v1.services, { spec: { clusterIP: 'None', ports: [{ port: 80 }] } }],
  ['a claim', core.v1.persistentvolumeclaims, { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } } }],
  ['a quota', core.v1.resourcequotas, { spec: { hard: { cpu: '1000m', 'requests.memory': '2048Mi', pods: '10' } } }],
  ['limits', core.v1.limitranges, { spec: { limits: [{ type: 'Container', default: { cpu: '0.5', memory: '1024Ki' } }] } }],
  ['a pod', core.v1.pods, { spec: { containers: [container] } }],
  [
    'quantities',
    core.v1.pods,
    { spec: { containers: [{ ...container, resources: { limits: { cpu: '1000m', memory: '2048Mi' }, requests: { cpu: 0.1 } } }] } },
  ],
  ['empty resources', core.v1.pods, { spec: { containers: [{ ...container, resources: {} }] } }],
  [
    'an empty env value',
    core.v1.pods,
    {
      spec: {
        containers: [
          {
            ...container,
            env: [
              { name: 'A', value: '' },
              { name: 'B', value: 'b' },
            ],
          },
        ],
      },
    },
  ],
  [
    'env from fields',
    core.v1.pods,
    { spec: { containers: [{ ...container, env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }] } },
  ],
  [
    'ports',
    core.v1.pods,
    { spec: { containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }] } },
  ],
  [
    'probes',
    core.v1.pods,
    { spec: { containers: [{ ...container, livenessProbe: { httpGet: { path: '/healthz', port: 'web' }, periodSeconds: 5 } }] } },
  ],
  [
    'volumes',
    core.v1.pods,
    { spec: { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }], volumes: [{ name: 'v', emptyDir: {} }] } },
  ],
  ['a size limit', core.v1.pods, { spec: { containers: [container], volumes: [{ name: 'v', emptyDir: { sizeLimit: '1024Ki' } }] } }],
  ['a command', core.v1.pods, { spec: { containers: [{ ...container, command: ['run'], args: ['1000m'] }] } }],
  ['tolerations', core.v1.pods, { spec: { containers: [container], tolerations: [{ key: 'a', operator: 'Exists' }] } }],
  ['a deployment', apps.v1.deployments, deployment({ containers: [container] })],
  ['replicas and strategy', apps.v1.deployments, deployment({ containers: [container] }, { replicas: 3, strategy: { type: 'Recreate' } })],
  [
    'two containers',
    apps.v1.deployments,
    deployment({ containers: [container, { name: 'd', image: 'side:1' }], initContainers: [{ name: 'i', image: 'init:1' }] }),
  ],
  [
    'a stateful set with claims',
    apps.v1.statefulsets,
    {
      spec: {
        selector,
        serviceName: 's',
        template: pods({ containers: [container] }),
        volumeClaimTemplates: [
          { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
        ],
      },
    },
  ],
  ['a daemon set', apps.v1.daemonsets, { spec: { selector, template: pods({ containers: [container] }) } }],
  ['a job', batch.v1.jobs, { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } }],
  [
    'a cron job',
    batch.v1.cronjobs,
    { spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } } } },
  ],
  [
    'an ingress',
    networking.v1.ingresses,
    {
      spec: {
        rules: [
          {
            host: 'a.example',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
          },
        ],
      },
    },
  ],
  ['a network policy', networking.v1.networkpolicies, { spec: { podSelector: {}, policyTypes: ['Ingress'] } }],
  ['a role', rbac.v1.roles, { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] }],
  [
    'a binding',
    rbac.v1.rolebindings,
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'default' }],
    },
  ],
  ['a disruption budget', policy.v1.poddisruptionbudgets, { spec: { minAvailable: '50%', selector } }],
  [
    'an autoscaler',
    autoscaling.v2.horizontalpodautoscalers,
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '1000m' } } }],
      },
    },
  ],
];
