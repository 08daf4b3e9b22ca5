import { describe, expect, it } from '@jest/globals';
import { from, map, of, toArray, type Observable } from 'rxjs';

import type { KubernetesObject, V1OwnerReference, ResourceEvent } from 'rx-informer';
import { ownerKeys } from '../../src/owners/ownerKeys.js';
import type { Trigger, TriggerError } from '../../src/reconcile/trigger.js';
import { createTestScheduler, fail } from '../reconcile/outcomeLog.js';

const websites = { group: 'example.com', version: 'v2', kind: 'WebSite', namespaced: true };

const site = (name: string, overrides: Partial<V1OwnerReference> = {}): V1OwnerReference => ({
  apiVersion: 'example.com/v1',
  kind: 'WebSite',
  name,
  uid: name,
  controller: true,
  ...overrides,
});

const dependent = (...ownerReferences: V1OwnerReference[]): KubernetesObject => ({
  metadata: { name: 'd', namespace: 'ns', ownerReferences },
});

const added = (object: KubernetesObject): ResourceEvent<KubernetesObject> => ({
  type: 'added',
  key: 'ns/d',
  object,
  initial: false,
  inferred: false,
});

function keysOf(triggers: Observable<Trigger | TriggerError>): string[] {
  let keys: string[] = [];
  triggers
    .pipe(
      map((trigger) => (trigger.type === 'trigger' ? trigger.key : 'error')),
      toArray(),
    )
    .subscribe({ next: (all) => (keys = all), error: fail });
  return keys;
}

describe('owned', () => {
  it.each<[string, V1OwnerReference, string[]]>([
    ['its controller, whatever the version', site('a'), ['ns/a']],
    ['no owner that does not control it', site('a', { controller: false }), []],
    ['no owner of another kind', site('a', { kind: 'Website' }), []],
    ['no owner of another group', site('a', { apiVersion: 'example.org/v1' }), []],
    ['no owner of the core group', site('a', { apiVersion: 'v1' }), []],
  ])('triggers %s', (_, reference, keys) => {
    expect(keysOf(of(added(dependent(reference))).pipe(ownerKeys(websites)))).toEqual(keys);
  });

  it('triggers every owner of the kind if it is told so', () => {
    const { controller: _, ...plain } = site('b');
    const events = of(added(dependent(site('a'), plain, site('c', { kind: 'Other' }))));
    expect(keysOf(events.pipe(ownerKeys(websites, { owner: 'any' })))).toEqual(['ns/a', 'ns/b']);
  });

  it('finds owners of the core group, and those without a namespace', () => {
    const node: V1OwnerReference = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'u', controller: true };
    expect(keysOf(of(added(dependent(node))).pipe(ownerKeys({ group: '', version: 'v1', kind: 'Node', namespaced: false })))).toEqual([
      'n1',
    ]);
  });

  it('triggers both owners when the owner changes, and the last one on deletion', () => {
    createTestScheduler().run(({ hot, expectObservable, expectSubscriptions }) => {
      const key = 'ns/d';
      const events = hot<ResourceEvent<KubernetesObject>>('-a-u-s-d-|', {
        a: { type: 'added', key, object: dependent(site('x')), initial: true, inferred: false },
        u: { type: 'updated', key, object: dependent(site('y')), oldObject: dependent(site('x')), resync: false, inferred: false },
        s: { type: 'synced', resourceVersion: '1', previousResourceVersion: '' },
        d: { type: 'deleted', key, object: dependent(site('y')), finalStateUnknown: false, inferred: false },
      });
      const trigger = (site: string, cause: string) => ({ type: 'trigger', key: `ns/${site}`, cause, objectKey: key });
      // The group takes four frames of the diagram.
      expectObservable(events.pipe(ownerKeys(websites))).toBe('-a-(yx)d-|', {
        a: trigger('x', 'initial'),
        y: trigger('y', 'updated'),
        x: trigger('x', 'updated'),
        d: trigger('y', 'deleted'),
      });
      expectSubscriptions(events.subscriptions).toBe('^--------!');
    });
  });

  it('triggers nothing for objects without owners', () => {
    expect(keysOf(from([added({}), added({ metadata: { name: 'd' } })]).pipe(ownerKeys(websites)))).toEqual([]);
  });
});
