const decimal = /^(?:0|[1-9]\d*)$/;

/**
 * Compares two resourceVersions of one resource as the decimal numbers that they are, of any length: negative when `a` is older,
 * positive when it is newer, `0` when they are equal, and undefined when one of them is not a decimal number, so that nothing can be said.
 *
 * Versions of different resources, or of different clusters, must not be compared.
 *
 * @see https://github.com/kubernetes/enhancements/issues/5504 for when versions may be compared
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
