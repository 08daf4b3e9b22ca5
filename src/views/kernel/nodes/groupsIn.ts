import { describeValue } from '../../../api/options/describeValue.js';

/**
 * The groups that a function has returned, each once.
 *
 * @throws TypeError when they are no strings.
 */
export function groupsIn(returned: string | readonly string[] | undefined): readonly string[] {
  if (returned === undefined) return [];
  const groups: readonly unknown[] = Array.isArray(returned) ? (returned as readonly unknown[]) : [returned];
  for (const group of groups) {
    if (typeof group !== 'string' || group === '')
      throw new TypeError(`Expected a group to be a non-empty string, got ${describeValue(group)}`);
  }
  return [...new Set(groups as readonly string[])];
}
