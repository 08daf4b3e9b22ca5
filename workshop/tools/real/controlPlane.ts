import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { go, makeModule } from './kubernetesModule.js';

const etcdVersion = 'v3.6.16';

/**
 * Builds the missing ones of etcd, kube-apiserver, kube-controller-manager and kube-scheduler of a version from Go modules; returns their
 * folder.
 */
export function controlPlane(root: string, version: string): string {
  const cache = join(root, 'node_modules/.cache/real');
  const programs = join(cache, version);
  const missing = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].filter((name) => !existsSync(join(programs, name)));
  mkdirSync(programs, { recursive: true });
  if (missing.length > 0) {
    const kubernetes = join(cache, `kubernetes-${version}`);
    makeModule(kubernetes, version, join(root, 'workshop/tools/real/tools.go'), 'tools.go');
    // The version that the server reports is set by the linker.
    const flags = ['gitVersion', 'gitMajor', 'gitMinor'].map((name, at) => {
      const value = at === 0 ? `v${version}` : (version.split('.')[at - 1] ?? '');
      return `-X k8s.io/component-base/version.${name}=${value}`;
    });
    for (const name of missing) {
      process.stderr.write(`building ${name} v${version}\n`);
      go(kubernetes, 'build', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', join(programs, name), `k8s.io/kubernetes/cmd/${name}`);
    }
  }
  if (existsSync(join(programs, 'etcd'))) return programs;
  process.stderr.write(`building etcd ${etcdVersion}\n`);
  const etcd = join(cache, 'etcd');
  mkdirSync(etcd, { recursive: true });
  writeFileSync(join(etcd, 'go.mod'), `module example.com/etcd\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 ${etcdVersion}\n`);
  copyFileSync(join(root, 'workshop/tools/real/etcd/main.go'), join(etcd, 'main.go'));
  go(etcd, 'mod', 'tidy');
  go(etcd, 'build', '-ldflags', '-s -w', '-o', join(programs, 'etcd'), '.');
  return programs;
}
