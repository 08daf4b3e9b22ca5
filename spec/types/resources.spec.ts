// The compiler proves these statements: `npm run check:types` fails when one is wrong.
import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import { builtInResources } from '../../src/api/builtInResources.js';
import { customResource, type Resource, type Verb } from '../../src/api/resource.js';
import type { V1Deployment } from '../../src/api/kubernetes/appsV1.js';
import type { CoreV1Event, V1Namespace, V1Pod } from '../../src/api/kubernetes/coreV1.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import { resources, type Resources } from '../../src/api/resources.js';

/** Takes a resource as createInformer does. */
const informer = <T>(resource: Resource<T, 'list' | 'watch'>): readonly T[] =>
  resource.objectType === undefined ? [] : [resource.objectType];

/** Takes a resource as `create` of a client does. */
const create = <T extends KubernetesObject>(resource: Resource<T, 'create'>, object: T): T => (resource.plural === '' ? object : object);

type ValuesOf<T> = T[keyof T];
type EveryResource = {
  [Group in keyof Resources]: { [Version in keyof Resources[Group]]: ValuesOf<Resources[Group][Version]> }[keyof Resources[Group]];
}[keyof Resources];
type PluralsThatOffer<V extends Verb, Group> = ValuesOf<{
  [Version in keyof Group]: ValuesOf<{
    [Plural in keyof Group[Version]]: Group[Version][Plural] extends Resource<unknown, V> ? Plural : never;
  }>;
}>;

describe('the types of resources', () => {
  it('carry the type of the objects', () => {
    expectTypeOf(informer(resources.core.v1.pods)).toEqualTypeOf<readonly V1Pod[]>();
    expectTypeOf(informer(resources.core.v1.namespaces)).toEqualTypeOf<readonly V1Namespace[]>();
    expectTypeOf(informer(resources.core.v1.events)).toEqualTypeOf<readonly CoreV1Event[]>();
    expectTypeOf(informer(resources.apps.v1.deployments)).toEqualTypeOf<readonly V1Deployment[]>();
    expect(informer(resources.core.v1.pods)).toEqual([]);
  });

  it('refuse as the resource of an informer what cannot be listed and watched', () => {
    const { bindings, componentstatuses } = resources.core.v1;
    const { localsubjectaccessreviews, selfsubjectaccessreviews, selfsubjectrulesreviews, subjectaccessreviews } =
      resources.authorization.v1;
    const { selfsubjectreviews, tokenreviews } = resources.authentication.v1;
    // @ts-expect-error create only
    informer(bindings);
    // @ts-expect-error create only
    informer(localsubjectaccessreviews);
    // @ts-expect-error create only
    informer(selfsubjectaccessreviews);
    // @ts-expect-error create only
    informer(selfsubjectrulesreviews);
    // @ts-expect-error create only
    informer(subjectaccessreviews);
    // @ts-expect-error create only
    informer(selfsubjectreviews);
    // @ts-expect-error create only
    informer(tokenreviews);
    // @ts-expect-error get and list only
    informer(componentstatuses);
    expect([bindings, tokenreviews, subjectaccessreviews].map(({ verbs }) => Object.keys(verbs))).toEqual([
      ['create'],
      ['create'],
      ['create'],
    ]);
  });

  it('let create-only kinds be created', () => {
    const review = { spec: { nonResourceAttributes: { path: '/healthz', verb: 'get' } } };
    expect(create(resources.authorization.v1.selfsubjectaccessreviews, review)).toBe(review);
    // @ts-expect-error the spec is missing
    create(resources.authorization.v1.selfsubjectaccessreviews, {});
    // @ts-expect-error a status cannot be created
    create(resources.core.v1.componentstatuses, {});
  });

  it('say which verbs are offered', () => {
    expectTypeOf<PluralsThatOffer<'watch', Resources['authentication']>>().toEqualTypeOf<never>();
    expectTypeOf<PluralsThatOffer<'create', Resources['authentication']>>().toEqualTypeOf<'selfsubjectreviews' | 'tokenreviews'>();
    expectTypeOf<PluralsThatOffer<'deletecollection', Resources['apps']>>().toEqualTypeOf<keyof Resources['apps']['v1']>();
    expectTypeOf<Resources['core']['v1']['namespaces']>().not.toExtend<Resource<V1Namespace, 'deletecollection'>>();
  });

  it('are all about Kubernetes objects', () => {
    expectTypeOf<EveryResource>().toExtend<Resource<KubernetesObject, never>>();
    expectTypeOf(builtInResources).items.toEqualTypeOf<Resource<KubernetesObject, never>>();
    expect(builtInResources.length).toBeGreaterThan(0);
  });
});

describe('the type of a custom resource', () => {
  interface WebSite extends KubernetesObject {
    readonly spec: { readonly host: string };
  }

  it('fits wherever a built-in one does', () => {
    const websites = customResource<WebSite>({
      group: 'example.com',
      version: 'v1',
      plural: 'websites',
      kind: 'WebSite',
      namespaced: true,
    });
    expectTypeOf(informer(websites)).toEqualTypeOf<readonly WebSite[]>();
    expect(create(websites, { spec: { host: 'example.com' } })).toEqual({ spec: { host: 'example.com' } });
    // @ts-expect-error a host is missing
    create(websites, { spec: {} });
  });
});
