// What is explored, in one module, so that it can be loaded with one place of the sources changed.
export { cursorAt, cursorStep, emptyCursor, includes, isCurrent, nextOf, sentTo } from '../../../src/relay/log/cursor.js';
