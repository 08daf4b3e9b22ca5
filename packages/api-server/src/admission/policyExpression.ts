import type { Cluster } from '../cluster.js';
import { asString, type Json, type JsonObject } from '../json.js';
import { Authorizer, Cost } from '../schema/rules/authorizer.js';
import { compiledRule } from '../schema/rules/ruleEngine.js';
import { evaluationProblem } from '../schema/rules/ruleFindings.js';
import type { AdmissionAttributes } from './admissionAttributes.js';

/** The values of the names in an expression. */
export type Variables = Readonly<Record<string, unknown>>;

/** An expression that failed. */
export class ExpressionError extends Error {}

/** The expressions of a policy have cost too much. */
export class BudgetError extends ExpressionError {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

const maxPerExpression = 1_000_000;
/** What the conditions of a policy or webhook may cost. */
const maxConditionCost = 2_500_000;
/** What the validations of a policy, or one mutation, may cost. */
const most = 10_000_000;

function costIn({ authorizer }: Variables): Cost | undefined {
  return authorizer instanceof Authorizer ? authorizer.cost : undefined;
}

/** Begins the validations of a policy, or a mutation. */
export function beginBudget(variables: Variables, budget: number = most): void {
  const cost = costIn(variables);
  if (cost !== undefined) cost.left = budget;
}

function checkCost({ own }: Cost): void {
  if (own > maxPerExpression) throw new ExpressionError('operation cancelled: actual cost limit exceeded');
}

function checkBudget(variables: Variables): void {
  if ((costIn(variables)?.left ?? 0) < 0) throw new BudgetError();
}

function valueOf(text: string, variables: Variables): unknown {
  const rule = compiledRule(text);
  if (rule === undefined) throw new ExpressionError('not compiled');
  const cost = costIn(variables);
  if (cost === undefined) return rule(variables);
  // What a variable costs does not count for the expression that reads it first.
  const outer = cost.own;
  cost.own = 0;
  try {
    const value = rule(variables);
    checkCost(cost);
    return value;
  } catch (error) {
    // Even the expression itself cannot catch this.
    checkCost(cost);
    throw error;
  } finally {
    cost.own = outer;
  }
}

function problemOf(error: unknown): string {
  return error instanceof ExpressionError ? error.message : evaluationProblem(error);
}

/**
 * The value of an expression.
 *
 * @throws ExpressionError
 */
export function evaluate(expression: Json | undefined, variables: Variables): unknown {
  const text = asString(expression);
  try {
    const value = valueOf(text, variables);
    checkBudget(variables);
    return value;
  } catch (error) {
    checkBudget(variables);
    throw new ExpressionError(`expression '${text}' resulted in error: ${problemOf(error)}`);
  }
}

/**
 * The value of a variable of a policy.
 *
 * @throws ExpressionError
 */
export function evaluateVariable(name: string, expression: string, variables: Variables): unknown {
  try {
    return valueOf(expression, variables);
  } catch (error) {
    throw new ExpressionError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${problemOf(error)}`);
  }
}

/**
 * Whether all conditions are true. A false one decides, whatever the others do.
 *
 * @throws ExpressionError when some fail and none is false.
 */
export function meetsAll(conditions: readonly JsonObject[], variables: Variables): boolean {
  const problems = new Set<string>();
  beginBudget(variables, maxConditionCost);
  for (const { expression } of conditions) {
    try {
      if (evaluate(expression, variables) !== true) return false;
    } catch (error) {
      if (!(error instanceof ExpressionError) || error instanceof BudgetError) throw error;
      problems.add(error.message);
    }
  }
  const [first, ...others] = problems;
  if (first === undefined) return true;
  throw new ExpressionError(others.length === 0 ? first : `[${[...problems].join(', ')}]`);
}

/** What the user of a request may do, for its expressions. */
export function authorizerOf({ access }: Cluster, { user, resource, subresource, namespace, name }: AdmissionAttributes): Authorizer {
  const request = { group: resource.group, resource: resource.plural, subresource, namespace, name };
  return new Authorizer(user, (of, attributes) => access.decide(of, attributes), new Cost(), request);
}
