import { describe, expect, it } from '@jest/globals';
import { groupsOf } from '../../src/discovery/groups.js';
import { KindRegistry } from '../../src/kinds/registry.js';
import { startApiServer } from '../../src/startApiServer.js';

function versionsOf(config?: Readonly<Record<string, string>>): readonly string[] {
  return groupsOf(new KindRegistry(config)).flatMap(({ name, versions }) => [...versions.keys()].map((version) => `${name}/${version}`));
}

describe('the runtime config', () => {
  it('serves the stable versions by default', () => {
    expect(versionsOf().filter((one) => /alpha|beta/.test(one))).toEqual([]);
    expect(versionsOf()).toEqual(expect.arrayContaining(['/v1', 'autoscaling/v1', 'autoscaling/v2', 'resource.k8s.io/v1']));
  });

  it.each([
    [{ 'api/all': 'true' }, ['resource.k8s.io/v1beta2', 'internal.apiserver.k8s.io/v1alpha1', 'apps/v1'], []],
    [{ 'api/beta': 'true' }, ['resource.k8s.io/v1beta2'], ['internal.apiserver.k8s.io/v1alpha1']],
    [{ 'api/all': 'true', 'api/alpha': 'false' }, ['resource.k8s.io/v1beta2'], ['internal.apiserver.k8s.io/v1alpha1']],
    [{ 'api/all': 'false', 'apps/v1': 'true' }, ['apps/v1'], ['/v1', 'batch/v1']],
    [{ 'resource.k8s.io/v1beta2': '' }, ['resource.k8s.io/v1beta2'], ['resource.k8s.io/v1beta1']],
    [{ 'autoscaling/v1': 'F', v1: '0' }, ['autoscaling/v2'], ['autoscaling/v1', '/v1']],
    [{ 'api/v1': 'false', 'api/legacy': 'true' }, ['apps/v1'], ['/v1']],
  ])('serves what %j says', (config: Readonly<Record<string, string>>, served, others) => {
    const versions = versionsOf(config);
    expect(versions).toEqual(expect.arrayContaining(served));
    for (const other of others) expect(versions).not.toContain(other);
  });

  it('switches single resources', () => {
    const kinds = new KindRegistry({ 'apps/v1/deployments': 'false', 'storage.k8s.io/v1beta1/volumeattributesclasses': 'true' });
    expect(kinds.find('apps/v1', 'deployments')).toBeUndefined();
    expect(kinds.find('apps/v1', 'replicasets')).toBeDefined();
    expect(kinds.find('storage.k8s.io/v1beta1', 'volumeattributesclasses')).toBeDefined();
  });

  it.each([
    [{ 'api/all': 'false' }, 'invalid runtime-config with only api/all=false'],
    [{ 'api/all': 'abc' }, 'invalid value api/all=abc'],
    [{ 'api/al': 'true' }, 'unknown api groups api/al'],
    [{ 'apps/v9': 'true' }, 'group version apps/v9 that has not been registered'],
    [{ 'apps/v9': 'true', 'nope/v1': '', 'no.io/v1': '' }, 'unknown api groups nope/v1,no.io/v1'],
    [{ apps: 'true' }, 'runtime-config invalid key apps'],
    [{ 'apps/v1/a/b': 'true' }, 'runtime-config invalid key apps/v1/a/b'],
    [{ 'apps/v1/deployments': 'maybe' }, 'invalid value of apps/v1/deployments: maybe'],
  ])('refuses %j', async (runtimeConfig: Readonly<Record<string, string>>, problem) => {
    await expect(startApiServer({ runtimeConfig })).rejects.toThrow(
      new TypeError(`Expected \`runtimeConfig\` to be as the option --runtime-config of kube-apiserver: ${problem}`),
    );
  });
});
