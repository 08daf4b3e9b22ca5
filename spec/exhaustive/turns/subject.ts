// What is explored, in one module, so that it can be loaded with one place of the sources changed.
export { createSharedChanges } from '../../../src/delta/share/shareWithSnapshot.js';
export { Trampoline } from '../../../src/rx/trampoline.js';
