import { NoGo } from '../../real/kubernetesModule.js';
import type { SuiteCount } from '../suiteCount.js';
import { buildOperator } from './buildOperator.js';
import { certManager } from './certManager.js';
import { gitopsEngine } from './gitopsEngine.js';
import { jobSet } from './jobSet.js';
import { kubeStateMetrics } from './kubeStateMetrics.js';
import type { Operator } from './operator.js';
import { OperatorRun } from './operatorRun.js';
import { prometheusOperator } from './prometheusOperator.js';

export const operators: readonly Operator[] = [certManager, gitopsEngine, jobSet, kubeStateMetrics, prometheusOperator];

async function runOne(root: string, operator: Operator): Promise<SuiteCount> {
  const { name, module, programs, ports } = operator;
  const count = { suite: `${name}, to its end state`, version: module.slice(module.lastIndexOf('@') + 1) };
  const built = buildOperator(root, module, programs);
  const run = await OperatorRun.start(built.sources, ports);
  try {
    await operator.reach(run, built.programs);
    return { ...count, passed: 1, failed: [] };
  } catch (error) {
    return { ...count, passed: 0, failed: [String(error)] };
  } finally {
    await run.stop();
  }
}

/** Builds operators of others, and brings each to its usual end state on an embedded server. `focus` is a part of a name. */
export async function runOperators(root: string, focus = ''): Promise<readonly SuiteCount[]> {
  const counts: SuiteCount[] = [];
  for (const operator of operators.filter(({ name }) => name.toLowerCase().includes(focus.toLowerCase()))) {
    try {
      counts.push(await runOne(root, operator));
    } catch (error) {
      if (!(error instanceof NoGo)) throw error;
      console.log(`${operator.name}: not run: ${error.message}`);
    }
  }
  return counts;
}
