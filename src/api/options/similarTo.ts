/** How many characters must be inserted, removed, replaced, or exchanged with the next one to get from one word to the other. */
function editDistance(from: string, to: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const isExchanged = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const exchanged = isExchanged ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, exchanged, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The end of an error message about an unknown word: `; did you mean ...?` with at most three similar words, or nothing. */
export function similarTo(word: string, known: Iterable<string>): string {
  const wanted = word.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const seen = new Set<string>();
  const similar = [...known]
    // Of words that differ in case only, the first one.
    .filter((candidate) => !seen.has(candidate.toLowerCase()) && seen.add(candidate.toLowerCase()))
    .map((candidate) => ({ candidate, distance: editDistance(wanted, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => `\`${candidate}\``);
  return similar.length === 0 ? '' : `; did you mean ${similar.join(' or ')}?`;
}
