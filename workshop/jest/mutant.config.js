import config from '../../jest.config.js';

const [[files, [, options]]] = Object.entries(config.transform);
/** A spec, with one change of the sources. */
export default {
  ...config,
  rootDir: '../..',
  transform: { [files]: ['<rootDir>/workshop/jest/mutantTransform.js', options] },
  setupFilesAfterEnv: ['<rootDir>/workshop/jest/withoutShrinking.js'],
};
