import { describe, it } from '@jest/globals';
import { map, NEVER, type Observable } from 'rxjs';

import { webSiteSources } from '../../../examples/website-operator/webSiteSources.js';
import type { WebSite } from '../../../examples/website-operator/webSite.js';
import type { KubernetesObject, ObjectMeta, ResourceEvent, V1Deployment, V1Service } from 'rx-informer';
import type { SourceValue } from '@rx-informer/controller';
import { createTestScheduler } from '../../../packages/controller/spec/reconcile/outcomeLog.js';

const key = 'ns/shop';
const inNamespace = { name: 'shop', namespace: 'ns' };
const ownerReferences = [{ apiVersion: 'example.com/v1', kind: 'WebSite', name: 'shop', uid: 'u', controller: true }];

const added = <T>(object: T): ResourceEvent<T> => ({ type: 'added', key, object, initial: false, inferred: false });
const updated = <T>(oldObject: T, object: T): ResourceEvent<T> => ({
  type: 'updated',
  key,
  object,
  oldObject,
  resync: false,
  inferred: false,
});
const deleted = <T>(object: T): ResourceEvent<T> => ({ type: 'deleted', key, object, finalStateUnknown: false, inferred: false });

const site = (generation: number, metadata: ObjectMeta = {}): WebSite => ({
  metadata: { ...inNamespace, generation, ...metadata },
  spec: { host: 'shop.example.com', image: 'nginx' },
});
const deployment = (replicas: number, readyReplicas: number, updatedReplicas = 0): V1Deployment => ({
  metadata: { ...inNamespace, ownerReferences },
  spec: { replicas, selector: {}, template: {} },
  status: { readyReplicas, updatedReplicas },
});
const service = (port: number, owned: KubernetesObject = { metadata: { ownerReferences } }): V1Service => ({
  metadata: { ...inNamespace, ...owned.metadata },
  spec: { ports: [{ port }] },
});

/** The cause of what is triggered: every value concerns the one site. */
const causes = (source: Observable<SourceValue> | undefined): Observable<string> =>
  (source ?? NEVER).pipe(
    map((value) => {
      if (typeof value === 'string' || !('key' in value) || value.key !== key) return 'unexpected';
      return value.type === 'trigger' ? value.cause : value.type;
    }),
  );

describe('webSiteSources', () => {
  it('lets a site trigger itself when what is wanted of it changes, and not when its status does', () => {
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot(' -a-s-g-f-d', {
        a: added(site(1)),
        s: updated(site(1, { resourceVersion: '1' }), site(1, { resourceVersion: '2' })),
        g: updated(site(1), site(2)),
        f: updated(site(2), site(3, { deletionTimestamp: '2024-01-01T00:00:00Z' })),
        d: deleted(site(3)),
      });
      const { sites } = webSiteSources(events, NEVER, NEVER);
      expectObservable(causes(sites)).toBe('-a---u-u-d', { a: 'added', u: 'updated', d: 'deleted' });
    });
  });

  it('lets a deployment trigger its site when it comes or goes, is meddled with, or changes how many replicas are ready', () => {
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot(' -a-r-o-m-d', {
        a: added(deployment(2, 0)),
        r: updated(deployment(2, 0), deployment(2, 1)),
        o: updated(deployment(2, 1), deployment(2, 1, 2)),
        m: updated(deployment(2, 1), deployment(5, 1)),
        d: deleted(deployment(5, 1)),
      });
      const { deployments } = webSiteSources(NEVER, events, NEVER);
      expectObservable(causes(deployments)).toBe('-a-u---u-d', { a: 'added', u: 'updated', d: 'deleted' });
    });
  });

  it('lets a service trigger its site when its spec changes, and a service of somebody else trigger nothing', () => {
    createTestScheduler().run(({ hot, expectObservable }) => {
      const events = hot(' -a-m-l-x', {
        a: added(service(80)),
        m: updated(service(80), service(81)),
        l: updated(service(81), service(81, { metadata: { ownerReferences, labels: { a: 'b' } } })),
        x: added(service(80, {})),
      });
      const { services } = webSiteSources(NEVER, NEVER, events);
      expectObservable(causes(services)).toBe('-a-u----', { a: 'added', u: 'updated' });
    });
  });
});
