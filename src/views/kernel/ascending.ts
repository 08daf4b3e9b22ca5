/**
 * Keys in ascending order: the array itself, sorted if it was not.
 */
export function ascending(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at += 1) if ((keys[at - 1] as string) > (keys[at] as string)) return keys.sort();
  return keys;
}
