// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { cursorAt, cursorStep, emptyCursor, includes, isCurrent, nextOf, sentTo } from '../../../src/log/cursor.js';
