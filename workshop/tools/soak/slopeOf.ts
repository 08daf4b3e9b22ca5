/** The Theil-Sen slope: the median of the slopes between all pairs of points, which is robust against outliers. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const slopes = points
    .flatMap((one, at) => points.slice(at + 1).map((other) => (other.y - one.y) / (other.x - one.x)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return slopes[slopes.length >> 1] ?? 0;
}
