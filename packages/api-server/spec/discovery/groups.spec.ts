import { describe, expect, it } from '@jest/globals';
import { groupsOf } from '../../src/discovery/groups.js';
import { KindRegistry } from '../../src/kinds/registry.js';
import type { ServedResource } from '../../src/kinds/servedResource.js';

describe('groups', () => {
  it('have their versions as Kubernetes prefers them, whichever definitions they come from', () => {
    const kinds = new KindRegistry();
    const pods = kinds.find('v1', 'pods') as ServedResource;
    const versions = ['v1alpha1', 'v1beta2', 'v2', 'v1beta1', 'v10', 'v1', 'foo', 'bar', 'v11beta2'];
    kinds.setCustom(versions.map((version) => ({ ...pods, group: 'a.example', version, groupVersion: `a.example/${version}` })));
    const group = groupsOf(kinds).find(({ name }) => name === 'a.example');
    expect([...(group?.versions.keys() ?? [])]).toEqual(['v10', 'v2', 'v1', 'v11beta2', 'v1beta2', 'v1beta1', 'v1alpha1', 'bar', 'foo']);
  });

  it('of Kubernetes prefer the version that a real server prefers', () => {
    const preferred = new Map(groupsOf(new KindRegistry()).map(({ name, versions }) => [name, [...versions.keys()][0]]));
    expect(['apps', 'autoscaling', 'resource.k8s.io', 'flowcontrol.apiserver.k8s.io'].map((name) => preferred.get(name))).toEqual([
      'v1',
      'v2',
      'v1',
      'v1',
    ]);
  });
});
