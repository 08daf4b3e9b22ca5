// The specs that stand beside what `npm run mutate` changes: those that ask one thing at a time, and no random runs.
import config from '../../jest.config.js';

const [unit] = config.projects;
const mutated = {
  ...unit,
  rootDir: '../..',
  testMatch: ['source/reflector', 'delta/index', 'operators', 'controller/leader'].map((room) => `<rootDir>/spec/${room}/**/*.spec.ts`),
  testPathIgnorePatterns: ['property', 'simulation'],
};

// eslint-disable-next-line import-x/no-default-export -- Jest reads it
export default mutated;
