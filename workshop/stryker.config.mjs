// Mutation testing, by night: `MUTATION_TARGET=reflector npm run -s --prefix workshop mutation`. A target is a room; its specs are named beside it.

/** The files that are changed, and the specs that have to notice. */
const targets = {
  reflector: { mutate: ['src/source/reflector/**/*.ts'], specs: ['spec/source', 'spec/conformance'] },
  delta: { mutate: ['src/delta/**/*.ts'], specs: ['spec/delta', 'spec/conformance', 'spec/informer', 'spec/leaks'] },
  cache: { mutate: ['src/cache/**/*.ts'], specs: ['spec/cache', 'spec/delta'] },
  leader: { mutate: ['packages/controller/src/leader/**/*.ts'], specs: ['packages/controller/spec/leader'] },
  shards: { mutate: ['packages/controller/src/shards/**/*.ts'], specs: ['packages/controller/spec/shards'] },
};
const name = process.env.MUTATION_TARGET ?? 'reflector';
const target = targets[name];
if (target === undefined) throw new TypeError(`Expected MUTATION_TARGET to be one of ${Object.keys(targets).join(', ')}, got ${name}`);

process.env.MUTATION_SPECS = target.specs.join(' ');

export default {
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'workshop/jest/mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: target.mutate,
  concurrency: 2,
  timeoutMS: 20_000,
  disableTypeChecks: false,
  tempDirName: 'reports/mutation-work',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `reports/mutation-${name}.json` },
  clearTextReporter: { reportTests: false, allowEmojis: false },
  thresholds: { high: 95, low: 90, break: null },
  allowConsoleColors: false,
};
