import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { builtInResources } from '../../src/api/builtInResources.js';
import { resourceName } from '../../src/api/resource.js';
import { resources } from '../../src/api/resources.js';

const every = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const create = ['create'];
const podSubresources = ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize', 'status'];

type Row = readonly [
  resource: (typeof builtInResources)[number],
  name: string,
  kind: string,
  namespaced: boolean,
  shortNames: readonly string[],
  categories: readonly string[],
  verbs: readonly string[],
  subresources: readonly string[],
];

const { core, apps, batch, autoscaling, networking, rbac, storage, policy } = resources;

/** Checked by hand against the discovery documents of Kubernetes. */
const rows: readonly Row[] = [
  [core.v1.pods, 'v1 pods', 'Pod', true, ['po'], ['all'], every, podSubresources],
  [core.v1.services, 'v1 services', 'Service', true, ['svc'], ['all'], every, ['proxy', 'status']],
  [
    core.v1.namespaces,
    'v1 namespaces',
    'Namespace',
    false,
    ['ns'],
    [],
    every.filter((verb) => verb !== 'deletecollection'),
    ['finalize', 'status'],
  ],
  [core.v1.nodes, 'v1 nodes', 'Node', false, ['no'], [], every, ['proxy', 'status']],
  [core.v1.events, 'v1 events', 'Event', true, ['ev'], [], every, []],
  [core.v1.secrets, 'v1 secrets', 'Secret', true, [], [], every, []],
  [core.v1.configmaps, 'v1 configmaps', 'ConfigMap', true, ['cm'], [], every, []],
  [core.v1.endpoints, 'v1 endpoints', 'Endpoints', true, ['ep'], [], every, []],
  [core.v1.serviceaccounts, 'v1 serviceaccounts', 'ServiceAccount', true, ['sa'], [], every, ['token']],
  [core.v1.persistentvolumes, 'v1 persistentvolumes', 'PersistentVolume', false, ['pv'], [], every, ['status']],
  [core.v1.persistentvolumeclaims, 'v1 persistentvolumeclaims', 'PersistentVolumeClaim', true, ['pvc'], [], every, ['status']],
  [core.v1.replicationcontrollers, 'v1 replicationcontrollers', 'ReplicationController', true, ['rc'], ['all'], every, ['scale', 'status']],
  [core.v1.componentstatuses, 'v1 componentstatuses', 'ComponentStatus', false, ['cs'], [], ['get', 'list'], []],
  [core.v1.bindings, 'v1 bindings', 'Binding', true, [], [], create, []],
  [apps.v1.deployments, 'apps/v1 deployments', 'Deployment', true, ['deploy'], ['all'], every, ['scale', 'status']],
  [apps.v1.replicasets, 'apps/v1 replicasets', 'ReplicaSet', true, ['rs'], ['all'], every, ['scale', 'status']],
  [apps.v1.statefulsets, 'apps/v1 statefulsets', 'StatefulSet', true, ['sts'], ['all'], every, ['scale', 'status']],
  [apps.v1.daemonsets, 'apps/v1 daemonsets', 'DaemonSet', true, ['ds'], ['all'], every, ['status']],
  [apps.v1.controllerrevisions, 'apps/v1 controllerrevisions', 'ControllerRevision', true, [], [], every, []],
  [batch.v1.jobs, 'batch/v1 jobs', 'Job', true, [], ['all'], every, ['status']],
  [batch.v1.cronjobs, 'batch/v1 cronjobs', 'CronJob', true, ['cj'], ['all'], every, ['status']],
  [
    autoscaling.v2.horizontalpodautoscalers,
    'autoscaling/v2 horizontalpodautoscalers',
    'HorizontalPodAutoscaler',
    true,
    ['hpa'],
    ['all'],
    every,
    ['status'],
  ],
  [resources.coordination.v1.leases, 'coordination.k8s.io/v1 leases', 'Lease', true, [], [], every, []],
  [networking.v1.ingresses, 'networking.k8s.io/v1 ingresses', 'Ingress', true, ['ing'], [], every, ['status']],
  [networking.v1.networkpolicies, 'networking.k8s.io/v1 networkpolicies', 'NetworkPolicy', true, ['netpol'], [], every, []],
  [networking.v1.ipaddresses, 'networking.k8s.io/v1 ipaddresses', 'IPAddress', false, ['ip'], [], every, []],
  [rbac.v1.clusterroles, 'rbac.authorization.k8s.io/v1 clusterroles', 'ClusterRole', false, [], [], every, []],
  [rbac.v1.rolebindings, 'rbac.authorization.k8s.io/v1 rolebindings', 'RoleBinding', true, [], [], every, []],
  [storage.v1.storageclasses, 'storage.k8s.io/v1 storageclasses', 'StorageClass', false, ['sc'], [], every, []],
  [storage.v1.csistoragecapacities, 'storage.k8s.io/v1 csistoragecapacities', 'CSIStorageCapacity', true, [], [], every, []],
  [policy.v1.poddisruptionbudgets, 'policy/v1 poddisruptionbudgets', 'PodDisruptionBudget', true, ['pdb'], [], every, ['status']],
  [resources.events.v1.events, 'events.k8s.io/v1 events', 'Event', true, ['ev'], [], every, []],
  [
    resources.apiextensions.v1.customresourcedefinitions,
    'apiextensions.k8s.io/v1 customresourcedefinitions',
    'CustomResourceDefinition',
    false,
    ['crd', 'crds'],
    ['api-extensions'],
    every,
    ['status'],
  ],
  [
    resources.certificates.v1.certificatesigningrequests,
    'certificates.k8s.io/v1 certificatesigningrequests',
    'CertificateSigningRequest',
    false,
    ['csr'],
    [],
    every,
    ['approval', 'status'],
  ],
  [resources.resource.v1.resourceclaims, 'resource.k8s.io/v1 resourceclaims', 'ResourceClaim', true, [], [], every, ['status']],
  [
    resources.authorization.v1.subjectaccessreviews,
    'authorization.k8s.io/v1 subjectaccessreviews',
    'SubjectAccessReview',
    false,
    [],
    [],
    create,
    [],
  ],
  [
    resources.authorization.v1.localsubjectaccessreviews,
    'authorization.k8s.io/v1 localsubjectaccessreviews',
    'LocalSubjectAccessReview',
    true,
    [],
    [],
    create,
    [],
  ],
  [resources.authentication.v1.tokenreviews, 'authentication.k8s.io/v1 tokenreviews', 'TokenReview', false, [], [], create, []],
  [resources.flowcontrol.v1.flowschemas, 'flowcontrol.apiserver.k8s.io/v1 flowschemas', 'FlowSchema', false, [], [], every, ['status']],
  [
    resources.internal.v1alpha1.storageversions,
    'internal.apiserver.k8s.io/v1alpha1 storageversions',
    'StorageVersion',
    false,
    [],
    [],
    every,
    ['status'],
  ],
];

describe('resources', () => {
  it.each(rows.map((row) => [row[1], row] as const))('has %s as API servers have it', (_, row) => {
    const [resource, name, kind, namespaced, shortNames, categories, verbs, subresources] = row;
    const { group, version, plural } = resource;
    expect({
      name: `${group === '' ? '' : `${group}/`}${version} ${plural}`,
      kind: resource.kind,
      namespaced: resource.namespaced,
      singular: resource.singular,
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      verbs: Object.keys(resource.verbs).sort(),
      subresources: resource.subresources ?? [],
    }).toEqual({ name, kind, namespaced, singular: kind.toLowerCase(), shortNames, categories, verbs, subresources });
  });

  it('has a key for the group by the first label of its name, then its version, then its plural', () => {
    const tree: Readonly<Record<string, Readonly<Record<string, object>>>> = { ...resources };
    const keys = Object.entries(tree).flatMap(([group, versions]) =>
      Object.entries(versions).flatMap(([version, plurals]) => Object.keys(plurals).map((plural) => `${group} ${version} ${plural}`)),
    );
    const named = builtInResources.map(
      ({ group, version, plural }) => `${group === '' ? 'core' : (group.split('.')[0] ?? '')} ${version} ${plural}`,
    );
    expect(keys).toEqual(named);
  });

  it("has a group's versions in the order that API servers prefer", () => {
    expect(Object.keys(autoscaling)).toEqual(['v2', 'v1']);
    expect(Object.keys(resources.resource)).toEqual(['v1', 'v1beta2', 'v1beta1', 'v1alpha3']);
    expect(Object.keys(resources.coordination)).toEqual(['v1', 'v1beta1', 'v1alpha2']);
  });
});

describe('builtInResources', () => {
  it('has each resource of each group and version once, core first', () => {
    const names = builtInResources.map((resource) => `${resourceName(resource)} ${resource.version}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(90);
    expect(builtInResources[0]).toBe(core.v1.bindings);
    expect(builtInResources).toContain(rbac.v1.roles);
  });

  it('can watch everything but what cannot be listed, and the status of components', () => {
    const watchable = builtInResources.filter(({ verbs }) => 'watch' in verbs);
    expect(watchable.filter(({ verbs }) => !('list' in verbs) || !('get' in verbs))).toEqual([]);
    const others = builtInResources.filter(({ verbs }) => !('watch' in verbs));
    expect(others.map(resourceName)).toEqual([
      'bindings',
      'componentstatuses',
      'selfsubjectreviews.authentication.k8s.io',
      'tokenreviews.authentication.k8s.io',
      'localsubjectaccessreviews.authorization.k8s.io',
      'selfsubjectaccessreviews.authorization.k8s.io',
      'selfsubjectrulesreviews.authorization.k8s.io',
      'subjectaccessreviews.authorization.k8s.io',
    ]);
  });

  it('has no short name that means two things, but for events', () => {
    const meanings = new Map<string, Set<string>>();
    for (const resource of builtInResources) {
      for (const name of resource.shortNames ?? []) meanings.set(name, (meanings.get(name) ?? new Set()).add(resourceName(resource)));
    }
    expect([...meanings].filter(([, names]) => names.size > 1).map(([name]) => name)).toEqual(['ev']);
  });

  it('has the members of the category all', () => {
    const members = new Set(builtInResources.filter(({ categories = [] }) => categories.includes('all')).map(resourceName));
    expect([...members].sort()).toEqual([
      'cronjobs.batch',
      'daemonsets.apps',
      'deployments.apps',
      'horizontalpodautoscalers.autoscaling',
      'jobs.batch',
      'pods',
      'replicasets.apps',
      'replicationcontrollers',
      'services',
      'statefulsets.apps',
    ]);
  });
});

describe('the generated files', () => {
  it('import nothing but files of this package', () => {
    const api = new URL('../../src/api/', import.meta.url);
    const files = ['resources.ts', ...readdirSync(new URL('kubernetes/', api)).map((name) => `kubernetes/${name}`)];
    const sources = files.flatMap((file) =>
      [...readFileSync(new URL(file, api), 'utf8').matchAll(/^(?:import|export|\}).* from '([^']*)';$/gm)].map(([, source]) => source),
    );
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((source) => !/^\.\.?\/[\w/]+\.js$/.test(source ?? ''))).toEqual([]);
  });
});
