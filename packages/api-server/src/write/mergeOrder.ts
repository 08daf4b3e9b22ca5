/** The identity of a list item: the JSON of its key, or of the whole scalar. */
export type Identify<T> = (item: T) => string;

function sortedBy<T>(items: readonly T[], places: ReadonlyMap<string, number>, identify: Identify<T>): readonly T[] {
  const placed = items.map((item, at) => ({ item, at, place: places.get(identify(item)) ?? Infinity }));
  // Infinity - Infinity is NaN, which counts as equal.
  return placed.sort((a, b) => a.place - b.place || a.at - b.at).map(({ item }) => item);
}

/** The first place of each id. */
function placesOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, at) => [id, at] as const).reverse());
}

/**
 * Orders the items of a merged list: items of the patch in the patch's order, other items in their former order. Both are interleaved so
 * that an item stays before the items that it preceded.
 */
export function orderMerged<T>(
  merged: readonly T[],
  patchOrder: readonly string[],
  serverOrder: readonly string[],
  identify: Identify<T>,
): readonly T[] {
  const patchPlaces = placesOf(patchOrder);
  const serverPlaces = placesOf(serverOrder);
  const patched = sortedBy(
    merged.filter((item) => patchPlaces.has(identify(item))),
    patchPlaces,
    identify,
  );
  const others = sortedBy(
    merged.filter((item) => !patchPlaces.has(identify(item))),
    serverPlaces,
    identify,
  );
  const result: T[] = [];
  let next = 0;
  for (const item of patched) {
    const place = serverPlaces.get(identify(item));
    while (place !== undefined && next < others.length) {
      const other = others[next] as T;
      if ((serverPlaces.get(identify(other)) ?? Infinity) >= place) break;
      result.push(other);
      next += 1;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}
