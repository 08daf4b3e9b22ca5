// What is explored, in one module, so that it can be loaded with one place of the sources changed.
export { nextRecord } from '../../../src/controller/shards/nextRecord.js';
