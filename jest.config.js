import { mkdirSync } from 'node:fs';

// Jest writes its JSON results there and does not make the folder itself.
mkdirSync(new URL('reports/', import.meta.url), { recursive: true });

// Specs run as ES modules: @kubernetes/client-node has no other form.
const shared = {
  testEnvironment: '<rootDir>/workshop/jest/specEnvironment.js',
  // Packages of this repository are found by their sources, so that each module exists once in a process.
  testEnvironmentOptions: { customExportConditions: ['@rx-informer/source', 'node', 'node-addons'] },
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  // What was built, and copies of the packages: mutation testing works on one in reports.
  modulePathIgnorePatterns: ['<rootDir>/(packages/[^/]+/)?dist/', '<rootDir>/reports/', '<rootDir>/workshop/tools/clients/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
};

const project = (displayName, folders, without = []) => ({
  ...shared,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  testPathIgnorePatterns: ['/node_modules/', ...without.map((folder) => `<rootDir>/${folder}/`)],
});

const packages = ['views', 'controller', 'relay', 'inspector', 'api-server', 'cli'];
/** Of the packages as built, of other programs and runtimes, or of what only the workshop installs: each is run by its own command. */
const apart = {
  built: 'spec/built',
  e2e: 'spec/e2e',
  real: 'workshop/spec/real',
  peers: 'workshop/spec/peers',
  runtimes: 'workshop/spec/runtimes',
  installed: 'workshop/spec/installed',
};

/** @type {import('jest').Config} */
const config = {
  projects: [
    project('root', ['spec'], [apart.built, apart.e2e]),
    ...packages.map((name) => project(name, [`packages/${name}/spec`])),
    project('workshop', ['workshop/spec'], [apart.real, apart.peers, apart.runtimes, apart.installed]),
    ...Object.entries(apart).map(([name, folder]) => project(name, [folder])),
  ],
  // Only what hangs is ended by it: how fast anything is, is for workshop/bench to say. Jest reads it here, not in a project.
  testTimeout: 120_000,
  maxWorkers: '100%',
  testSequencer: './workshop/jest/specOrder.js',
  // A worker keeps every module registry it ever made; one that has grown is replaced.
  workerIdleMemoryLimit: '512MB',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'json-summary', 'html'],
  collectCoverageFrom: ['{src,packages/*/src}/**/*.ts', '!**/*.d.ts', '!src/api/kubernetes/**', '!packages/cli/src/main.ts'],
  coverageThreshold: { global: { lines: 85, statements: 85, functions: 85, branches: 80 } },
};

export default config;
