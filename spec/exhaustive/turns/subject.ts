// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { createSharedChanges } from '../../../src/delta/share/shareWithSnapshot.js';
export { Trampoline } from '../../../src/rx/trampoline.js';
