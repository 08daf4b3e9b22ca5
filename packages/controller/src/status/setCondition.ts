import type { Condition } from 'rx-informer';
import { expectArgument, rules } from 'rx-informer/internal';

/** A condition to set. */
export type ConditionToSet = Readonly<{
  type: string;
  status: 'True' | 'False' | 'Unknown';
  /** The reason, in one CamelCase word. */
  reason: string;
  message: string;
  /** The generation of the object that this was observed at. */
  observedGeneration?: number | undefined;
}>;

/**
 * The conditions with this one set. `lastTransitionTime` changes only with the status. If nothing changes, the given array is returned, so that
 * identity shows whether there is something to write.
 *
 * @param now - The time of a change: `new Date()`, or that of a scheduler.
 *
 * @example
 * ```ts
 * import type { Condition } from 'rx-informer';
 * import { setCondition } from '@rx-informer/controller';
 *
 * const before: readonly Condition[] = [];
 * const after = setCondition(before, { type: 'Ready', status: 'True', reason: 'AllUp', message: '3 of 3' }, new Date());
 * ```
 *
 * @see apimachinery's `meta.SetStatusCondition`
 */
export function setCondition<C extends Condition = Condition>(
  conditions: readonly C[] | undefined,
  condition: ConditionToSet,
  now: Date,
): readonly (C | (ConditionToSet & { readonly lastTransitionTime: string }))[] {
  expectArgument('setCondition', 'condition', condition, rules.object);
  expectArgument('setCondition', 'now', now, { ...rules.withMethods('toISOString'), expected: 'a Date' });
  const before = conditions?.find(({ type }) => type === condition.type);
  const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
  // The server's timestamps have whole seconds.
  const after = { ...condition, lastTransitionTime: since ?? `${now.toISOString().slice(0, 19)}Z` };
  if (conditions === undefined || before === undefined) return [...(conditions ?? []), after];
  const fields = ['status', 'lastTransitionTime', 'reason', 'message', 'observedGeneration'] as const;
  const same = fields.every((field) => before[field] === after[field]);
  return same ? conditions : conditions.map((other) => (other === before ? after : other));
}
