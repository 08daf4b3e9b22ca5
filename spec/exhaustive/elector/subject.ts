// The explored functions in one module, so that it can be loaded with a mutant of one source file.
export { electionStep, leads, outsider } from '../../../src/controller/leader/electionStep.js';
export { leaseOfNobody, recordOf } from '../../../src/controller/leader/leaseRecord.js';
export { lasts, tenureStep } from '../../../src/controller/leader/tenure.js';
