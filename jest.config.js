import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { apart, everyDay } from './workshop/jest/houses.js';

// Jest writes its JSON results there and does not make the folder itself.
const reports = new URL('reports/', import.meta.url);
mkdirSync(reports, { recursive: true });

// RxJS as one file in place of 170, which each spec would load anew; without the map of its sources, which names wrong ones.
const bundle = readFileSync(new URL('node_modules/rxjs/dist/bundles/rxjs.umd.js', import.meta.url), 'utf8').replace(/\n\/\/# source.*/, '');
const rxjs = new URL('rxjs.cjs', reports);
if (!existsSync(rxjs) || readFileSync(rxjs, 'utf8') !== bundle) writeFileSync(rxjs, bundle);

/** @type {import('jest').Config} */
const config = {
  // test.mjs names others: Jest looks nowhere else for files.
  roots: Object.values(everyDay),
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...Object.values(apart)],
  testEnvironment: '<rootDir>/workshop/jest/specEnvironment.js',
  // Packages of this repository are found by their sources, so that each module exists once in a process.
  testEnvironmentOptions: { customExportConditions: ['@rx-informer/source', 'node', 'node-addons'] },
  injectGlobals: false,
  // Specs run as ES modules: @kubernetes/client-node has no other form.
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
    '^rxjs$': '<rootDir>/reports/rxjs.cjs',
    '^rxjs/testing$': '<rootDir>/workshop/jest/rxjsTesting.cjs',
  },
  // What was built, and copies of the packages: mutation testing works on one in reports.
  modulePathIgnorePatterns: ['<rootDir>/(packages/[^/]+/)?dist/', '<rootDir>/reports/(?!rxjs)', '<rootDir>/workshop/tools/clients/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'es6' },
        sourceMaps: true,
      },
    ],
  },
  // Only what hangs is ended by it: how fast anything is, is for workshop/bench to say.
  testTimeout: 120_000,
  // One more than cores, since some specs wait for a server: 178 s in place of 197 on two cores.
  maxWorkers: availableParallelism() + 1,
  testSequencer: './workshop/jest/specOrder.js',
  // A worker lets go of the modules of a spec only some collections of garbage later. One that has grown is replaced, and compiles all anew.
  workerIdleMemoryLimit: '1GB',
  // On a busy machine, one with such a heap takes longer to end than the usual half second. One that a socket or a timer keeps is still told of.
  workerGracefulExitTimeout: 10_000,
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'json-summary', 'html'],
  collectCoverageFrom: ['{src,packages/*/src}/**/*.ts', '!**/*.d.ts', '!src/api/kubernetes/**', '!packages/cli/src/main.ts'],
  coverageThreshold: { global: { lines: 85, statements: 85, functions: 85, branches: 80 } },
};

export default config;
