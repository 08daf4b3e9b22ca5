import { compareResourceVersions } from '../../cache/keys/compareResourceVersions.js';

/**
 * Whether a list of version `next` may be older than what was seen before it.
 */
export function mayBeOlder(next: string, seen: string): boolean {
  if (seen === '' || next === '' || seen === next) return false;
  const order = compareResourceVersions(next, seen);
  return order === undefined || order < 0;
}
