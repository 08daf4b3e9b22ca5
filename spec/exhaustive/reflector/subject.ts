// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { ApiError, apiErrorOfStatus } from '../../../src/api/errors/apiError.js';
export { reflectSettings } from '../../../src/source/reflector/reflectOptions.js';
export { dueAt, nothingKnown, step } from '../../../src/source/reflector/step.js';
