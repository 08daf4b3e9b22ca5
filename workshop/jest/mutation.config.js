import { fileURLToPath } from 'node:url';
import config from '../../jest.config.js';

const specs = (process.env.MUTATION_SPECS ?? '').split(' ');
/** The specs of a target of mutation testing. */
export default {
  ...config,
  rootDir: '../..',
  // What a run looks for files in, for every mutant anew.
  roots: ['<rootDir>/src', '<rootDir>/spec', '<rootDir>/packages'],
  // The tester wants a path, and adds to it what chooses a mutant.
  testEnvironment: fileURLToPath(new URL('./mutationEnvironment.js', import.meta.url)),
  testMatch: specs.map((path) => `<rootDir>/${path}{/**/*,}.spec.ts`),
  testSequencer: fileURLToPath(new URL('./mutationOrder.js', import.meta.url)),
  testTimeout: Number(process.env.MUTATION_TEST_MS),
  testPathIgnorePatterns: ['/node_modules/'],
};
