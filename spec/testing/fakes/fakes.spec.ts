import { describe, expect, it } from '@jest/globals';
import { resources } from '../../../src/api/resources.js';
import { configMap, deployment, pod } from '../../../src/testing/fakes/fixtures.js';
import { objectOf } from '../../../src/testing/fakes/objectOf.js';
import { createManualClock } from '../../../src/testing/fakes/manualClock.js';

describe('objectOf', () => {
  it('makes the same object for the same arguments, with a uid of its own for each name', () => {
    const { services } = resources.core.v1;
    expect(objectOf(services, 'shop/web')).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: 'shop', name: 'web', uid: 'uid-of-service-shop-web', resourceVersion: '1' },
    });
    expect(objectOf(services, 'web').metadata).toMatchObject({ namespace: 'default', uid: 'uid-of-service-default-web' });
    expect(objectOf(resources.core.v1.nodes, 'n1').metadata).toEqual({ name: 'n1', uid: 'uid-of-node-n1', resourceVersion: '1' });
    expect(objectOf(resources.apps.v1.deployments, 'web').apiVersion).toBe('apps/v1');
  });

  it('lays overrides over it field by field, and takes away what is undefined', () => {
    const service = objectOf(resources.core.v1.services, 'web', {
      metadata: { uid: undefined, labels: { a: 'b' } },
      spec: { type: 'NodePort' },
    });
    expect(service.metadata).toStrictEqual({ namespace: 'default', name: 'web', resourceVersion: '1', labels: { a: 'b' } });
    expect(service.spec).toEqual({ type: 'NodePort' });
  });

  it.each(['', 'a/', '/a', 'a/b/c'])('refuses the name %j', (name) => {
    expect(() => objectOf(resources.core.v1.pods, name)).toThrow('Expected `name` of pods to be "namespace/name" or "name", got ');
  });

  it('refuses a namespace where there are none', () => {
    expect(() => objectOf(resources.core.v1.nodes, 'a/b')).toThrow('Expected `name` of nodes to be "name", got "a/b"');
  });
});

describe('pod, deployment, configMap', () => {
  it('are whole objects that overrides change in parts', () => {
    expect(pod('web', { spec: { nodeName: 'n1' } }).spec).toEqual({ containers: [{ name: 'main', image: 'nginx' }], nodeName: 'n1' });
    expect(deployment('shop/web', { spec: { replicas: 3 } }).spec).toMatchObject({
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
    });
    expect(configMap('c', { data: { a: '1' } })).toMatchObject({ kind: 'ConfigMap', data: { a: '1' } });
  });
});

describe('createManualClock', () => {
  it('calls timers back in order, each at its own moment, those set meanwhile included', () => {
    const clock = createManualClock(100);
    const calls: string[] = [];
    const note = (name: string) => () => calls.push(`${name} at ${clock.now()}`);
    clock.schedule(note('late'), 30);
    clock.schedule(() => {
      note('early')();
      clock.schedule(note('set meanwhile'), 5);
    }, 10);
    clock.schedule(note('also early'), 10);
    clock.schedule(note('cancelled'), 1).unsubscribe();
    clock.advanceBy(20);
    expect(calls).toEqual(['early at 110', 'also early at 110', 'set meanwhile at 115']);
    expect([clock.now(), clock.timers]).toEqual([120, 1]);
  });
});
