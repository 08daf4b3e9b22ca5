// The compiler proves these statements: what `rx-informer types` writes goes into every function under `exactOptionalPropertyTypes`. The functions in the lists
// are compiled, and not called.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  annotationsChanged,
  type Collection,
  conditionOf,
  createInformer,
  createMetadataInformer,
  createObjectInformer,
  edit,
  filterObjects,
  filterUpdates,
  generationChanged,
  inNamespaces,
  isConditionTrue,
  isReady,
  type KubeClient,
  type KubernetesObject,
  labelsChanged,
  metaNamespaceKey,
  ownedBy,
  partChanged,
  type Resource,
  resources,
  type SharedInformer,
  specChanged,
  statusChanged,
  type V1LabelSelector,
  withLabels,
} from 'rx-informer';
import { labelIndexFunc, ownerUidIndexFunc, listerWatcher, metaNamespaceIndexFunc, parseLabelSelector } from 'rx-informer/pipeline';
import { toClientNode } from 'rx-informer/client-node';
import { added, deleted, objectOf, snapshotOf, updated } from 'rx-informer/testing';
import {
  applyObject,
  applyStatus,
  children,
  controllerOf,
  createEventRecorder,
  ensureFinalizer,
  hasFinalizer,
  isBeingDeleted,
  isControlledBy,
  ownerKeys,
  ownerReferenceOf,
  owns,
  removeFinalizer,
  setCondition,
  setControllerReference,
} from '@rx-informer/controller';
import { mutate, validate } from '@rx-informer/controller/webhooks';
import { derive, groupObjects, mergeClusters, objectsByIndex, topObjects } from '@rx-informer/views';
import * as known from './known.js';

type ObjectIn<R> = R extends Resource<infer T> ? T : never;
/** The types of all ten definitions. */
type Known = ObjectIn<(typeof known)[keyof typeof known]>;
/** Those whose status has conditions of the whole object. */
type WithConditions = Exclude<Known, known.HTTPRoute | known.ServiceMonitor>;
type ConditionOf<T> = T extends { readonly status?: { readonly conditions?: readonly (infer C)[] | undefined } | undefined } ? C : never;

describe('generated types', () => {
  it('are of ten definitions', () => {
    const kinds = [...readFileSync('packages/cli/spec/types/known.yaml', 'utf8').matchAll(/kind: (\w+), singular/g)].map(
      ([, kind]) => kind,
    );
    expect(
      Object.values(known)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(kinds.sort());
    expect(kinds).toHaveLength(10);
  });

  it('are objects of every function that looks at one', () => {
    expect([
      (object: Known) => [isReady(object), metaNamespaceKey(object), edit(object, () => undefined)],
      (object: Known) => [ownerUidIndexFunc(object), metaNamespaceIndexFunc(object), labelIndexFunc('app')(object)],
      (object: Known) => [ownerReferenceOf(object), controllerOf(object), isBeingDeleted(object), hasFinalizer(object, 'a/b')],
      (object: Known) => [ensureFinalizer(object, 'a/b'), removeFinalizer(object, 'a/b'), toClientNode(object)],
      (object: Known, other: Known) => [isControlledBy(object, other), setControllerReference(object, other)],
      (object: Known, other: Known) => [added(object), deleted(object), updated(other, object), snapshotOf([object])],
      (client: KubeClient, object: Known) => [children(client, object, [object], { of: [known.certificates], fieldManager: 'a' })],
      (client: KubeClient, object: Known) => {
        createEventRecorder(client, { controller: 'a' }).record(object, { type: 'Normal', reason: 'A', note: 'a' });
      },
      ({ status }: known.Certificate) =>
        status?.conditions === undefined ||
        setCondition(status.conditions, { type: 'Ready', status: 'True', reason: 'Up', message: '' }, new Date(0)),
    ]).not.toContain(undefined);
  });

  it('have conditions that are found', () => {
    expect([
      (object: WithConditions) => [isConditionTrue(object, 'Ready'), conditionOf(object, 'Ready')?.reason],
      // @ts-expect-error the conditions of a route are those of its parents
      (route: known.HTTPRoute) => isConditionTrue(route, 'Accepted'),
      ({ status }: known.Gateway) => [isConditionTrue({ status }, 'Programmed'), conditionOf({ status }, 'Accepted')],
      ({ status }: known.HTTPRoute) => status?.parents.map((parent) => isConditionTrue({ status: parent }, 'Accepted')),
      (conditions: readonly ConditionOf<Known>[] | undefined) => isConditionTrue({ status: { conditions } }, 'Ready'),
    ]).not.toContain(undefined);
  });

  it('have selectors that select, and metadata that is taken', () => {
    type Selector =
      | known.ServiceMonitor['spec']['selector']
      | NonNullable<known.Prometheus['spec']['serviceMonitorSelector']>
      | NonNullable<known.Rollout['spec']['selector']>
      | NonNullable<NonNullable<known.ClusterQueue['spec']>['namespaceSelector']>
      | NonNullable<NonNullable<NonNullable<known.Gateway['spec']['listeners'][number]['allowedRoutes']>['namespaces']>['selector']>;
    expect([
      (selector: Selector): V1LabelSelector => selector,
      (selector: Selector) => [parseLabelSelector(selector), withLabels(selector)],
      (selector: Selector, { lister }: Collection<Known>) => [lister.list(selector), lister.namespace('a').list(selector)],
      (selector: Selector, collection: Collection<Known>) =>
        derive(collection, (_, read) => read(collection, { labelSelector: selector }).length),
      (labelSelector: Selector, client: KubeClient) => [
        client.list(known.certificates, { labelSelector }),
        client.deleteCollection(known.certificates, { labelSelector }),
        createInformer(client, known.certificates, { labelSelector }),
        createMetadataInformer(client, known.certificates, { labelSelector }),
        listerWatcher(client, known.certificates, { labelSelector }),
      ],
      ({ spec }: known.Rollout): KubernetesObject => ({ metadata: { ...spec.template?.metadata } }),
      ({ spec }: known.Certificate): KubernetesObject => ({ metadata: { name: 'a', ...spec?.secretTemplate } }),
      ({ spec }: known.Prometheus, client: KubeClient) =>
        client.create(resources.core.v1.secrets, { metadata: { ...spec.podMetadata, namespace: 'a' } }),
      ({ spec }: known.JobSet, client: KubeClient) =>
        spec?.replicatedJobs?.map(({ template: { metadata } }) => client.create(resources.batch.v1.jobs, { metadata: { ...metadata } })),
      ({ spec: { selector, template } }: known.Rollout, client: KubeClient) =>
        selector &&
        client.create(resources.apps.v1.deployments, {
          spec: { selector, template: { metadata: { ...template?.metadata } } },
        }),
    ]).not.toContain(undefined);
  });

  it('have selectors whose fields may be undefined', () => {
    const selector: known.ServiceMonitor['spec']['selector'] = {
      matchLabels: undefined,
      matchExpressions: [{ key: 'app', operator: 'Exists', values: undefined }],
    };
    expect(String(parseLabelSelector(selector))).toBe('app');
    expect(String(parseLabelSelector({ matchLabels: { app: 'web' }, matchExpressions: undefined }))).toBe('app=web');
  });

  it('are objects of every function that takes a resource or a collection of them', () => {
    const uses = <T extends Known>(resource: Resource<T>) => [
      (client: KubeClient, object: T) => [
        client.create(resource, object),
        client.replace(resource, object),
        client.status.replace(resource, object),
        applyObject(client, resource, object, { fieldManager: 'a', current: object, owner: object }),
        applyStatus(client, resource, object, { fieldManager: 'a' }),
        createObjectInformer(client, resource, 'a'),
      ],
      (object: T) => [validate(resource, () => undefined), mutate(resource, () => object), objectOf(resource, 'a')],
      (informer: SharedInformer<T>) => [
        informer.change$.pipe(ownedBy(known.rollouts.objectType ?? {}), inNamespaces('a'), withLabels('app'), filterObjects(isReady)),
        informer.change$.pipe(filterUpdates(generationChanged), filterUpdates(specChanged), filterUpdates(statusChanged)),
        informer.change$.pipe(filterUpdates(labelsChanged), filterUpdates(annotationsChanged)),
        informer.change$.pipe(filterUpdates(partChanged(({ metadata }: T) => metadata?.labels))),
        informer.change$.pipe(ownerKeys(resource)),
        owns(resource, informer),
        topObjects(informer, () => 0),
        groupObjects(informer, ({ metadata }) => metadata?.namespace),
        objectsByIndex(informer, 'a', 'b'),
        mergeClusters(new Map([['one', informer]])),
      ],
    ];
    expect(Object.values(known).flatMap((resource) => uses<Known>(resource as Resource<Known>))).toHaveLength(30);
  });
});
