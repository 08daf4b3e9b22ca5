const number = /^(0|[1-9]\d*)$/;

/**
 * Whether a version is below another one. Versions that are no numbers do not tell.
 *
 * @internal
 */
export function hasGoneBack(current: string, last: string): boolean {
  // Most of the time, and always on the way of a watch event, two comparisons say no.
  if (current.length > last.length || (current.length === last.length && current >= last)) return false;
  return number.test(current) && number.test(last);
}
