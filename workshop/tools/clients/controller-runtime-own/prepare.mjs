// Copies controller-runtime from Go's module cache and builds the tests of the named packages. Its go.mod requires an older patch release
// of Kubernetes' modules: it is built with the versions of workshop/tools/clients/go.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';

function go(args, cwd = '.') {
  const { status, stdout, stderr, error } = spawnSync('go', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(error?.message ?? stderr);
  return stdout.trim();
}

const packages = process.argv.slice(2);
go(['mod', 'download', 'sigs.k8s.io/controller-runtime']);
const from = go(['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/controller-runtime']);
const version = go(['list', '-m', '-f', '{{.Version}}', 'k8s.io/client-go']);
rmSync('controller-runtime', { recursive: true, force: true });
spawnSync('cp', ['-r', from, 'controller-runtime']);
spawnSync('chmod', ['-R', 'u+w', 'controller-runtime']);
const modules = ['api', 'apimachinery', 'client-go', 'apiextensions-apiserver', 'apiserver'];
go(['get', ...modules.map((name) => `k8s.io/${name}@${version}`)], 'controller-runtime');
for (const name of packages) {
  const program = `tests/${name.replaceAll('/', '-')}.test`;
  rmSync(program, { force: true });
  go(['test', '-c', '-vet=off', '-o', `../${program}`, `./pkg/${name}`], 'controller-runtime');
  if (!existsSync(program)) throw new Error(`Expected tests in pkg/${name}`);
}
