import { describe, expect, it } from '@jest/globals';
import { EMPTY, of, Subject } from 'rxjs';
import { type KubernetesObject, type ResourceEvent, resources } from 'rx-informer';
import { mapsTo, owns } from '../../src/owners/owns.js';
import { reconcile } from '../../src/reconcile/reconcile.js';

const { replicasets } = resources.apps.v1;

function setUp() {
  const resource$ = new Subject<ResourceEvent<KubernetesObject>>();
  const synced = new Subject<void>();
  const add = (metadata: object): void =>
    resource$.next({
      type: 'added',
      key: 'ns/pod',
      object: { metadata: { namespace: 'ns', name: 'pod', ...metadata } },
      initial: false,
      inferred: false,
    });
  return { collection: { resource$, whenSynced: () => synced }, synced, add };
}
const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true };

describe('owns', () => {
  it('triggers the owner in the namespace, and with `across` the one that the annotation names', () => {
    const { collection, synced, add } = setUp();
    const called: string[] = [];
    const pods = owns(replicasets, collection, { across: 'example.com/web' });
    reconcile({
      sources: { pods },
      reconcile: ({ key, reasons }) => {
        called.push(`${key} ${reasons.map(({ source, objectKey }) => `${source} ${objectKey}`).join()}`);
        return EMPTY;
      },
    }).subscribe();
    add({ ownerReferences: [reference] });
    expect(called).toEqual([]);
    synced.next();
    add({ annotations: { 'example.com/web': 'ReplicaSet.apps far/away' } });
    add({ annotations: { 'example.com/web': 'ReplicaSet.example.com far/other' } });
    add({ ownerReferences: [{ ...reference, kind: 'Job' }] });
    expect(called).toEqual(['ns/web pods ns/pod', 'far/away pods ns/pod']);
  });

  it('refuses what is no collection', () => {
    expect(() => owns(replicasets, of('a') as never)).toThrow('Expected `dependents` of `owns`');
    // The option of `children` is an object.
    const across = { name: 'example.com/site', parent: replicasets };
    expect(() => owns(replicasets, { resource$: of(), whenSynced: () => Promise.resolve() }, { across } as never)).toThrow(
      'Expected `across` of `owns` to be a non-empty string, got an object',
    );
    expect(() => mapsTo(of('a') as never, () => [])).toThrow('Expected `collection` of `mapsTo`');
  });
});

describe('mapsTo', () => {
  it('triggers the keys that depend on an object, when its collection has synced', () => {
    const { collection, synced, add } = setUp();
    const called: string[] = [];
    reconcile({
      sources: { some: mapsTo(collection, ({ metadata }) => [`${metadata?.namespace ?? ''}/one`, 'two']) },
      reconcile: ({ key }) => {
        called.push(key);
        return EMPTY;
      },
    }).subscribe();
    synced.next();
    add({});
    expect(called).toEqual(['ns/one', 'two']);
  });
});
