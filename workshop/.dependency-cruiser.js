// The rooms of src/ and the arrows between them. Everything may import api; a room imports itself and what is listed here.
const informer = ['operators', 'delta', 'source', 'cache', 'client', 'rx'];
const controller = ['views', 'informer', ...informer, 'workqueue'];
const views = ['informer', ...informer];
const metrics = ['controller', ...controller];
const manager = ['inspector', 'metrics', ...metrics];
const everythingButCli = ['testing', 'apiserver', 'react', 'browser', 'relay', 'opentelemetry', 'manager', ...manager];

const arrows = {
  cli: everythingButCli,
  testing: everythingButCli,
  apiserver: [],
  manager,
  inspector: [],
  opentelemetry: ['metrics', ...metrics],
  relay: ['metrics', ...metrics],
  metrics,
  controller,
  react: ['views', ...views],
  browser: ['informer', ...informer],
  clientNode: ['informer', ...informer],
  views,
  informer,
  operators: ['delta', 'cache', 'rx'],
  delta: ['cache', 'rx'],
  source: ['client', 'rx'],
  client: ['rx'],
  cache: [],
  workqueue: [],
  rx: [],
  api: [],
};

/** A path pattern for the files of some rooms. */
const filesOf = (...rooms) => `^src/(${rooms.join('|')})/`;

const typesOnly = ['type-only', 'type-import'];

const layers = Object.entries(arrows).map(([room, allowed]) => ({
  name: `${room.replace('/', '-')}-arrow`,
  comment: `src/${room} may import ${['itself', 'api', ...allowed].join(', ')}, and no other room.`,
  severity: 'error',
  from: { path: filesOf(room) },
  to: { path: '^src/', pathNot: filesOf(room, 'api', ...allowed) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
const config = {
  forbidden: [
    ...layers,
    {
      name: 'core-entry-arrow',
      comment: 'The core entry pulls in no other entry, and no command line.',
      severity: 'error',
      from: { path: '^src/(index|pipeline)\\.ts$' },
      to: { path: '^src/', pathNot: filesOf('controller', 'informer', ...informer, 'api') },
    },
    {
      name: 'relay-client-arrow',
      comment: 'What runs in a page pulls in nothing of the relay itself.',
      severity: 'error',
      from: { path: filesOf('relay/client', 'relay/wire') },
      to: { path: '^src/', pathNot: filesOf('relay/client', 'relay/wire', 'rx', 'api') },
    },
    {
      name: 'source-knows-client-by-types',
      severity: 'error',
      from: { path: filesOf('source') },
      to: { path: filesOf('client'), dependencyTypesNot: typesOnly },
    },
    {
      name: 'tools-beside-bench',
      comment: 'Neither imports the other: a benchmark that needs the package builds it with `npm run build`.',
      severity: 'error',
      from: { path: '^(tools|bench)/' },
      to: { path: '^(tools|bench)/', pathNot: '^$1/' },
    },
    {
      name: 'no-own-index',
      comment: 'An index.ts is for users. Inside the package, import the file that has the thing.',
      severity: 'error',
      from: { path: '^src/', pathNot: '/index\\.ts$' },
      to: { path: '/index\\.ts$' },
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
      from: { path: '^src/', pathNot: '^src/clientNode/loadClientNode\\.' },
      to: { path: 'node_modules/@kubernetes/client-node', dependencyTypesNot: typesOnly },
    },
    {
      name: 'client-node-types-in-client-node',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf('clientNode') },
      to: { path: 'node_modules/@kubernetes/client-node' },
    },
    {
      name: 'immer-in-cache',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf('cache') },
      to: { path: 'node_modules/immer/' },
    },
    {
      name: 'prom-client-in-metrics',
      severity: 'error',
      from: { path: '^src/', pathNot: filesOf('metrics') },
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
      from: { path: '^src/', pathNot: filesOf('cli', 'manager', 'inspector', 'testing', 'apiserver', 'client/node', 'relay/serve') },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm', 'npm-peer'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    // Without .cjs: a hand-written CommonJS file beside its TypeScript one would be taken for it.
    enhancedResolveOptions: {
      extensions: ['.ts', '.d.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};

export default config;
