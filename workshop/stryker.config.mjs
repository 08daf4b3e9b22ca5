// Mutation testing, by night: `npm run -s --prefix workshop mutation -- reflector`. A target is a room; its specs are named beside it.
// `MUTATION_SHARE=0.1` tries one mutant of ten, always the same ones, which `MUTATION_SEED` draws.
import { availableParallelism } from 'node:os';

/** The files that are changed, and the specs that have to notice. */
const targets = {
  reflector: {
    mutate: ['src/source/reflector/**/*.ts'],
    specs: ['spec/source', 'spec/conformance', 'spec/exhaustive/reflector', 'spec/simulation'],
  },
  delta: { mutate: ['src/delta/**/*.ts'], specs: ['spec/delta', 'spec/conformance', 'spec/informer', 'spec/simulation'] },
  cache: { mutate: ['src/cache/**/*.ts'], specs: ['spec/cache', 'spec/delta', 'spec/simulation'] },
  leader: {
    mutate: ['packages/controller/src/leader/**/*.ts'],
    specs: ['packages/controller/spec/leader', 'packages/controller/spec/exhaustive/elector'],
  },
  shards: {
    mutate: ['packages/controller/src/shards/**/*.ts'],
    specs: ['packages/controller/spec/shards', 'packages/controller/spec/exhaustive/shards'],
  },
};
const name = process.env.MUTATION_TARGET ?? 'reflector';
const target = targets[name];
if (target === undefined) throw new TypeError(`Expected MUTATION_TARGET to be one of ${Object.keys(targets).join(', ')}, got ${name}`);

process.env.MUTATION_SPECS = target.specs.join(' ');
// A mutant that survives meets every test that reaches it: properties try a tenth of their histories.
process.env.TEST_DEPTH ??= '0.1';

/** Places to try anew, with more patience. */
const only = process.env.MUTATION_ONLY;
const patience = only === undefined ? 1 : 3;
// What hangs in real time ends sooner by Jest than by Stryker, which needs another process then.
process.env.MUTATION_TEST_MS = String(10_000 * patience);

const share = Number(process.env.MUTATION_SHARE ?? 1);
if (share < 1) {
  const collector = await import(
    new URL('node_modules/@stryker-mutator/instrumenter/dist/src/transformers/mutant-collector.js', import.meta.url).href
  );
  const { collect } = collector.MutantCollector.prototype;
  let state = Number(process.env.MUTATION_SEED ?? 1);
  const drawn = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  // What is not drawn is not put into the sources either.
  collector.MutantCollector.prototype.collect = function (file, original, mutable, offset) {
    const ignoreReason = mutable.ignoreReason ?? (drawn() < share ? undefined : 'not drawn');
    return collect.call(this, file, original, { ...mutable, ignoreReason }, offset);
  };
}

export default {
  plugins: ['@stryker-mutator/jest-runner', '@stryker-mutator/typescript-checker'],
  checkers: ['typescript'],
  tsconfigFile: 'workshop/tsconfig.mutation.json',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'workshop/jest/mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: only?.split(' ') ?? target.mutate,
  // What is looked at only while modules are loaded would need every test anew.
  ignoreStatic: true,
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? availableParallelism()),
  ignorePatterns: ['docs', '**/dist', 'coverage', 'reports', 'workshop/reports', 'workshop/site', 'workshop/bench', 'examples'],
  // A busy machine may take three times as long as in the first run.
  timeoutFactor: 3 * patience,
  timeoutMS: 15_000 * patience,
  disableTypeChecks: false,
  tempDirName: 'reports/mutation-work',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `reports/mutation-${name}.json` },
  clearTextReporter: { reportTests: false, allowEmojis: false },
  thresholds: { high: 95, low: 90, break: null },
  allowConsoleColors: false,
};
