// The rooms of the root's src/, the houses in packages/, and the arrows between them. Everything may import api; a room imports itself and what is listed here.
const arrows = {
  testing: ['informer', 'operators', 'delta', 'source', 'cache', 'client', 'rx', 'workqueue'],
  clientNode: ['informer', 'operators', 'delta', 'source', 'cache', 'client', 'rx'],
  informer: ['operators', 'delta', 'source', 'cache', 'client', 'rx'],
  operators: ['delta', 'cache', 'rx'],
  delta: ['cache', 'rx'],
  source: ['client', 'rx'],
  client: ['rx'],
  cache: [],
  workqueue: [],
  rx: [],
  api: [],
};

/** The rooms of packages/controller, which has several entries. */
const controllerArrows = {
  manager: ['children', 'definitions', 'leader', 'owners', 'reconcile', 'shards', 'status', 'metrics', 'webhooks'],
  webhooks: ['children', 'definitions', 'leader', 'owners', 'reconcile', 'shards', 'status'],
  metrics: ['leader', 'owners', 'reconcile', 'shards', 'status', 'webhooks'],
  opentelemetry: ['metrics', 'leader', 'owners', 'reconcile', 'shards', 'status', 'webhooks'],
};

/** Which packages a package may name, beside rx-informer. */
const houses = {
  views: [],
  inspector: [],
  controller: ['inspector'],
  relay: ['views'],
  'api-server': ['controller'],
  cli: ['api-server', 'controller', 'inspector', 'create'],
};

/** A path pattern for the files of some rooms. */
const filesOf = (...rooms) => `^src/(${rooms.join('|')})/`;
const typesOnly = ['type-only', 'type-import'];
const allSources = '^(src|packages/[^/]+/src)/';

const layers = Object.entries(arrows).map(([room, allowed]) => ({
  name: `${room}-arrow`,
  comment: `src/${room} may import ${['itself', 'api', ...allowed].join(', ')}, and no other room.`,
  severity: 'error',
  from: { path: filesOf(room) },
  to: { path: '^src/', pathNot: filesOf(room, 'api', ...allowed) },
}));

const controllerLayers = Object.entries(controllerArrows).map(([room, allowed]) => ({
  name: `controller-${room}-arrow`,
  severity: 'error',
  from: { path: `^packages/controller/src/${room}/` },
  to: { path: '^packages/controller/src/', pathNot: `^packages/controller/src/(${[room, ...allowed].join('|')})/` },
}));

const entry = '^(src/(index|pipeline|internal|browser)\\.ts|src/(workqueue|testing|clientNode)/index\\.ts)$';

const streets = Object.entries(houses).map(([house, allowed]) => ({
  name: `${house}-street`,
  comment: `packages/${house} imports entries of rx-informer${allowed.map((name) => `, ${name}`).join('')}, and no file of another package.`,
  severity: 'error',
  from: { path: `^packages/${house}/src/` },
  to: {
    path: '^(src|packages)/',
    pathNot: [
      entry,
      `^packages/${house}/src/`,
      ...allowed.flatMap((name) => [`^packages/${name}/src/[^.]*(index|internal)\\.ts$`, `^packages/${name}/starter\\.`]),
    ],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    ...layers,
    ...controllerLayers,
    ...streets,
    {
      name: 'root-stands-alone',
      comment: 'The sources of rx-informer know no other package.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(packages|workshop|examples)/' },
    },
    {
      name: 'core-entry-arrow',
      comment: 'The core entry pulls in no other entry.',
      severity: 'error',
      from: { path: '^src/(index|pipeline)\\.ts$' },
      to: { path: '^src/(testing|workqueue)/' },
    },
    {
      name: 'relay-client-arrow',
      comment: 'What runs in a page pulls in nothing of the relay itself.',
      severity: 'error',
      from: { path: '^packages/relay/src/(client|wire)/' },
      to: { path: '^packages/relay/src/', pathNot: '^packages/relay/src/(client|wire)/' },
    },
    {
      name: 'informer-composed-arrow',
      comment: 'Factories and informers of metadata or of one object are compositions: no informer knows them.',
      severity: 'error',
      from: { path: '^src/informer/', pathNot: '^src/informer/composed/' },
      to: { path: '^src/informer/composed/' },
    },
    {
      name: 'source-knows-client-by-types',
      severity: 'error',
      from: { path: filesOf('source') },
      to: { path: filesOf('client'), dependencyTypesNot: typesOnly },
    },
    {
      name: 'tools-beside-bench',
      comment: 'Neither imports the other: a benchmark that needs the packages builds them with `npm run build`.',
      severity: 'error',
      from: { path: '^workshop/(tools|bench)/' },
      to: { path: '^workshop/(tools|bench)/', pathNot: '^workshop/$1/' },
    },
    {
      name: 'no-own-index',
      comment: 'An index.ts is for users. Inside a package, import the file that has the thing.',
      severity: 'error',
      from: { path: allSources, pathNot: '/index\\.ts$' },
      to: { path: '/index\\.ts$', dependencyTypes: ['local'] },
    },
    {
      name: 'no-cycle',
      severity: 'error',
      from: { pathNot: 'node_modules' },
      to: { circular: true },
    },
    {
      name: 'client-node-is-lazy',
      comment: '@kubernetes/client-node is slow to load: clientNode/loadClientNode loads it when it is needed.',
      severity: 'error',
      from: { path: allSources, pathNot: '^src/clientNode/loadClientNode\\.' },
      to: { path: 'node_modules/@kubernetes/client-node', dependencyTypesNot: typesOnly },
    },
    {
      name: 'client-node-in-clientNode',
      severity: 'error',
      from: { path: allSources, pathNot: filesOf('clientNode') },
      to: { path: 'node_modules/@kubernetes/client-node' },
    },
    {
      name: 'immer-in-cache',
      severity: 'error',
      from: { path: allSources, pathNot: filesOf('cache') },
      to: { path: 'node_modules/immer/' },
    },
    {
      name: 'prom-client-in-metrics',
      severity: 'error',
      from: { path: allSources, pathNot: '^packages/controller/src/metrics/' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'api-knows-rxjs-by-types',
      severity: 'error',
      from: { path: filesOf('api') },
      to: { path: 'node_modules/rxjs/', dependencyTypesNot: typesOnly },
    },
    {
      name: 'no-rxjs-in-cache-and-workqueue',
      severity: 'error',
      from: { path: filesOf('cache', 'workqueue') },
      to: { path: 'node_modules/rxjs/' },
    },
    {
      name: 'node-builtins-stay-at-the-edge',
      comment: 'Everything else runs in a browser, Deno or Bun.',
      severity: 'error',
      from: {
        path: allSources,
        pathNot: [
          '^src/(testing|client/node)/',
          '^packages/(cli|inspector|api-server)/',
          '^packages/controller/src/(manager|webhooks)/',
          '^packages/relay/src/serve/',
        ],
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: { path: allSources },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer'],
        pathNot: '^(src|packages)/',
      },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: allSources },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|site/\\.pages)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'spec/tsconfig.json' },
    // Without .cjs: a hand-written CommonJS file beside its TypeScript one would be taken for it.
    enhancedResolveOptions: {
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['@rx-informer/source', 'import', 'node', 'default', 'types'],
    },
  },
};

export default config;
