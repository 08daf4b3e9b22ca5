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
  // The rules, and what carries them out.
  leader: {
    mutate: ['electionStep', 'leaseRecord'].map((file) => `packages/controller/src/leader/${file}.ts`),
    specs: ['packages/controller/spec/leader', 'packages/controller/spec/exhaustive/elector'],
  },
  candidate: {
    mutate: ['packages/controller/src/leader/**/*.ts', '!**/{electionStep,leaseRecord}.ts'],
    specs: ['leader', 'shards', 'reconcile/reconcile', 'exhaustive/elector'].map((path) => `packages/controller/spec/${path}`),
  },
  shards: {
    mutate: [...['nextRecord', 'shardRecord'].map((file) => `packages/controller/src/shards/${file}.ts`), 'src/api/shardFilter.ts'],
    specs: ['packages/controller/spec/shards', 'packages/controller/spec/exhaustive/shards', 'spec/api/shards'],
  },
  member: {
    mutate: ['packages/controller/src/shards/**/*.ts', '!**/{nextRecord,shardRecord}.ts'],
    specs: ['packages/controller/spec/shards', 'packages/controller/spec/exhaustive/shards'],
  },
};
const name = process.env.MUTATION_TARGET ?? 'reflector';
const target = targets[name];
if (target === undefined) throw new TypeError(`Expected MUTATION_TARGET to be one of ${Object.keys(targets).join(', ')}, got ${name}`);

process.env.MUTATION_SPECS = target.specs.join(' ');

/** Places to try anew, with more patience. */
const only = process.env.MUTATION_ONLY?.split(' ');
const patience = only === undefined ? 1 : 3;
// What hangs in real time ends sooner by Jest than by Stryker, which needs another process then.
process.env.MUTATION_TEST_MS = String(10_000 * patience);

const share = Number(process.env.MUTATION_SHARE ?? 1);
let state = Number(process.env.MUTATION_SEED ?? 1);
function isDrawn() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 < share;
}
const isAmong = (file, { start, end }) =>
  only.some((place) => file.endsWith(place.split(':')[0]) && place.endsWith(`:${start.line}:${start.column}-${end.line}:${end.column}`));

const { MutantCollector } = await import(
  new URL('node_modules/@stryker-mutator/instrumenter/dist/src/transformers/mutant-collector.js', import.meta.url).href
);
const { collect } = MutantCollector.prototype;
// What is not chosen is not put into the sources either.
MutantCollector.prototype.collect = function (file, original, mutable, offset) {
  const isChosen = only === undefined ? isDrawn() : isAmong(file, original.loc);
  return collect.call(
    this,
    file,
    original,
    { ...mutable, ignoreReason: mutable.ignoreReason ?? (isChosen ? undefined : 'not drawn') },
    offset,
  );
};

export default {
  plugins: ['@stryker-mutator/jest-runner', '@stryker-mutator/typescript-checker'],
  checkers: ['typescript'],
  tsconfigFile: 'workshop/tsconfig.mutation.json',
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { projectType: 'custom', configFile: 'workshop/jest/mutation.config.js', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  mutate: only?.map((place) => place.split(':')[0]) ?? target.mutate,
  // What is looked at while modules are loaded needs every test.
  ignoreStatic: only === undefined,
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
