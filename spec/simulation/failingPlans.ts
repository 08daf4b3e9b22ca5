import type { PipelinePlan } from './pipelinePlan.js';

/**
 * Plans that have failed once: they run first, every time. fast-check prints a shrunk one with its failure.
 */
export const failingPlans: readonly PipelinePlan[] = [];
