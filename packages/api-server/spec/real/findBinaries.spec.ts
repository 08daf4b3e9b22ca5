import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findBinaries } from '../../src/real/findBinaries.js';

describe('findBinaries', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rx-informer-binaries-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const program = (name: string, mode = 0o755): void => writeFileSync(join(folder, name), '', { mode });

  it('takes the folder given, else KUBEBUILDER_ASSETS, else the PATH', () => {
    program('etcd');
    program('kube-apiserver');
    const found = { etcd: join(folder, 'etcd'), 'kube-apiserver': join(folder, 'kube-apiserver'), 'kube-controller-manager': undefined };
    expect(findBinaries(folder, { KUBEBUILDER_ASSETS: '/nowhere', PATH: '/nowhere' })).toEqual(found);
    expect(findBinaries(undefined, { KUBEBUILDER_ASSETS: folder, PATH: '/nowhere' })).toEqual(found);
    expect(findBinaries(undefined, { KUBEBUILDER_ASSETS: '', PATH: `/nowhere:${folder}` })).toEqual(found);
  });

  it('finds the controller manager where there is one', () => {
    for (const name of ['etcd', 'kube-apiserver', 'kube-controller-manager']) program(name);
    expect(findBinaries(folder)['kube-controller-manager']).toBe(join(folder, 'kube-controller-manager'));
  });

  it('says which program is missing, where it looked, and where to get it', () => {
    program('etcd');
    program('kube-apiserver', 0o644);
    const words =
      /Expected the program kube-apiserver in the folder ".*"\. Set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver: `setup-envtest use/;
    expect(() => findBinaries(folder)).toThrow(words);
    expect(() => findBinaries(undefined, { PATH: folder })).toThrow(/Expected the program kube-apiserver in the PATH/);
    expect(() => findBinaries(undefined, {})).toThrow(/Expected the program etcd in the PATH/);
  });
});
