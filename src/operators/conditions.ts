/**
 * A condition, as the status of most kinds lists them.
 */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
  readonly observedGeneration?: number;
}

/**
 * An object whose status may have conditions.
 */
export interface WithConditions {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/**
 * The condition of that type, if the status has it.
 */
export function conditionOf(object: WithConditions, type: string): Condition | undefined {
  return object.status?.conditions?.find((condition) => condition.type === type);
}

/**
 * Whether the condition of that type is `True`.
 */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}
