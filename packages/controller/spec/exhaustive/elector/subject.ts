// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { electionStep, leads, outsider } from '../../../src/leader/electionStep.js';
export { leaseOfNobody, recordOf } from '../../../src/leader/leaseRecord.js';
export { lasts, tenureStep } from '../../../src/leader/tenure.js';
