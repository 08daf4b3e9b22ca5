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
  testEnvironment: fileURLToPath(new URL('./specEnvironment.js', import.meta.url)),
  testMatch: specs.map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
  testPathIgnorePatterns: ['/node_modules/'],
};
