/**
 * One observation about an object, as in `status.conditions`.
 */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** Why, in one CamelCase word. */
  readonly reason: string;
  readonly message: string;
  /** When `status` last changed, as a timestamp. */
  readonly lastTransitionTime: string;
  /** The generation of the object that this was observed at. */
  readonly observedGeneration?: number;
}

/**
 * The condition of a type, if there is one.
 */
export function findCondition<C extends { readonly type: string }>(conditions: readonly C[] | undefined, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/**
 * The conditions with this one set. `lastTransitionTime` moves only when the status does; conditions that say the same already are returned
 * as they are, so that comparing by identity tells whether there is something to write.
 *
 * @param now - The time of a change: `new Date()`, or that of a scheduler.
 *
 * @example
 * ```ts
 * import { type Condition, setCondition } from 'rx-informer';
 *
 * const before: readonly Condition[] = [];
 * const after = setCondition(before, { type: 'Ready', status: 'True', reason: 'AllUp', message: '3 of 3' }, new Date());
 * ```
 *
 * @see apimachinery's `meta.SetStatusCondition`
 */
export function setCondition(
  conditions: readonly Condition[] | undefined,
  condition: Omit<Condition, 'lastTransitionTime'>,
  now: Date,
): readonly Condition[] {
  const before = findCondition(conditions, condition.type);
  const moved = before?.status !== condition.status;
  // The server's timestamps have whole seconds.
  const lastTransitionTime = moved ? `${now.toISOString().slice(0, 19)}Z` : before.lastTransitionTime;
  const after = { ...condition, lastTransitionTime };
  if (conditions === undefined || before === undefined) return [...(conditions ?? []), after];
  const same =
    !moved && before.reason === after.reason && before.message === after.message && before.observedGeneration === after.observedGeneration;
  return same ? conditions : conditions.map((other) => (other === before ? after : other));
}
