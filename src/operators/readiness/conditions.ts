/** One observation about an object, as in `status.conditions` of most kinds. */
export interface Condition {
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** Why, in one CamelCase word. */
  readonly reason?: string;
  readonly message?: string;
  /** When `status` last changed, as a timestamp. */
  readonly lastTransitionTime?: string | null;
  /** The generation of the object that this was observed at. */
  readonly observedGeneration?: number;
}

/** An object whose status may have conditions. */
export interface WithConditions {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** The condition of that type, if the status has it. */
export function conditionOf(object: WithConditions, type: string): Condition | undefined {
  return object.status?.conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of that type is `True`. */
export function isConditionTrue(object: WithConditions, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}
