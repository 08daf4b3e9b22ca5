// `npm run real-api-server`: builds a real control plane from Go modules, for `npm run test:real` and `startRealApiServer`.
//
//   npm run real-api-server                 Kubernetes 1.36.3
//   npm run real-api-server -- 1.37.2       another version
//
// It needs Go and the Go module proxy, some minutes for the first version, and prints the folder with etcd, kube-apiserver and kube-controller-manager:
//
//   KUBEBUILDER_ASSETS=$(npm run --silent real-api-server) npm run test:real
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { go, makeModule, NoGo } from './real/kubernetesModule.js';

const etcdVersion = 'v3.6.16';
const root = fileURLToPath(new URL('..', import.meta.url));
const [version = '1.36.3'] = process.argv.slice(2);
if (!/^1\.\d+\.\d+$/.test(version)) throw new TypeError(`Expected a version of Kubernetes such as 1.36.3, got ${version}`);

const cache = join(root, 'node_modules/.cache/real');
const programs = join(cache, version);

function build(): void {
  mkdirSync(programs, { recursive: true });
  const kubernetes = join(cache, `kubernetes-${version}`);
  makeModule(kubernetes, version, join(root, 'tools/real/tools.go'), 'tools.go');
  // The version that the server reports is put in when it is linked.
  const flags = ['gitVersion', 'gitMajor', 'gitMinor'].map((name, at) => {
    const value = at === 0 ? `v${version}` : (version.split('.')[at - 1] ?? '');
    return `-X k8s.io/component-base/version.${name}=${value}`;
  });
  for (const name of ['kube-apiserver', 'kube-controller-manager']) {
    if (existsSync(join(programs, name))) continue;
    process.stderr.write(`building ${name} v${version}\n`);
    go(kubernetes, 'build', '-ldflags', `-s -w ${flags.join(' ')}`, '-o', join(programs, name), `k8s.io/kubernetes/cmd/${name}`);
  }
  if (existsSync(join(programs, 'etcd'))) return;
  process.stderr.write(`building etcd ${etcdVersion}\n`);
  const etcd = join(cache, 'etcd');
  mkdirSync(etcd, { recursive: true });
  writeFileSync(join(etcd, 'go.mod'), `module example.com/etcd\n\ngo 1.24\n\nrequire go.etcd.io/etcd/server/v3 ${etcdVersion}\n`);
  copyFileSync(join(root, 'tools/real/etcd/main.go'), join(etcd, 'main.go'));
  go(etcd, 'mod', 'tidy');
  go(etcd, 'build', '-ldflags', '-s -w', '-o', join(programs, 'etcd'), '.');
}

try {
  build();
  process.stdout.write(`${programs}\n`);
} catch (error) {
  if (!(error instanceof NoGo)) throw error;
  process.stderr.write(`not built: ${error.message}\n`);
  process.exitCode = 1;
}
