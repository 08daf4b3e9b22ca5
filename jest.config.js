import { mkdirSync } from 'node:fs';

// Jest writes its JSON results there and does not make the folder itself.
mkdirSync(new URL('reports/', import.meta.url), { recursive: true });

// Specs run as ES modules: @kubernetes/client-node has no other form.
const shared = {
  testEnvironment: './specEnvironment.config.js',
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
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

const stagesOfTheirOwn = ['simulation', 'built', 'e2e', 'real', 'peers', 'runtimes'];

/** @type {import('jest').Config} */
const config = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/spec/**/*.spec.ts'],
      testPathIgnorePatterns: stagesOfTheirOwn.map((stage) => `<rootDir>/spec/${stage}/`),
    },
    ...stagesOfTheirOwn.map((stage) => ({
      ...shared,
      displayName: stage,
      testMatch: [`<rootDir>/spec/${stage}/**/*.spec.ts`],
    })),
  ],
  // Only what hangs is ended by it: how fast anything is, is for bench/ to say. Jest reads it here, not in a project.
  testTimeout: 120_000,
  maxWorkers: 2,
  testSequencer: './specOrder.config.js',
  // A worker keeps every module registry it ever made; one that has grown is replaced.
  workerIdleMemoryLimit: '512MB',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage',
  coverageReporters: ['text-summary', 'json-summary', 'html'],
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.d.ts', '!src/api/kubernetes/**', '!src/cli/main.ts'],
  coverageThreshold: { global: { lines: 85, statements: 85, functions: 85, branches: 80 } },
};

export default config;
