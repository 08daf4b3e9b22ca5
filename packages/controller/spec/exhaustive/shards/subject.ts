// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { nextRecord } from '../../../src/shards/nextRecord.js';
