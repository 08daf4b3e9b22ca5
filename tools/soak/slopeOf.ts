/** Theil and Sen's slope: the median of the slopes between all pairs of points, which a few outliers do not move. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): number {
  const slopes = points
    .flatMap((one, at) => points.slice(at + 1).map((other) => (other.y - one.y) / (other.x - one.x)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return slopes[slopes.length >> 1] ?? 0;
}
