const number = /^\d+$/;

/**
 * Whether a server is at an earlier version than it was. Versions that are no numbers do not tell.
 *
 * @internal
 */
export function hasGoneBack(current: string, last: string): boolean {
  return number.test(current) && number.test(last) && BigInt(current) < BigInt(last);
}
