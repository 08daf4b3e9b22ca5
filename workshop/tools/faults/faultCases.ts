import { connectionFaults } from './cases/connectionFaults.js';
import { listFaults } from './cases/listFaults.js';
import { lostStates } from './cases/lostStates.js';
import { processFaults } from './cases/processFaults.js';
import { refusals } from './cases/refusals.js';
import type { FaultCase } from './faultCase.js';

/** All faults of `npm run faults`, in the order of the table. */
export const faultCases: readonly FaultCase[] = [...connectionFaults, ...listFaults, ...refusals, ...lostStates, ...processFaults];
