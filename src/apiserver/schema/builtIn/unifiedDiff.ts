/** A run of lines that both texts have, from these lines on. */
interface Block {
  readonly before: number;
  readonly after: number;
  readonly size: number;
}

/** Ranges of lines: those from `before[0]` up to `before[1]` became those from `after[0]` up to `after[1]`. */
interface Change {
  readonly isEqual: boolean;
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
}

const context = 3;

/** The positions of each line. From 200 lines on, lines that make up more than about 1 % of the text are left out: they begin no block. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const found = places.get(line);
    if (found === undefined) places.set(line, [at]);
    else found.push(at);
  }
  if (lines.length < 200) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, found]) => found.length <= most));
}

/** Finds the equal blocks by the algorithm of Ratcliff and Obershelp: the longest first, then those before and after it. */
class Blocks {
  readonly found: Block[] = [];
  private readonly places: ReadonlyMap<string, readonly number[]>;
  private readonly before: readonly string[];
  private readonly after: readonly string[];

  constructor(before: readonly string[], after: readonly string[]) {
    this.before = before;
    this.after = after;
    this.places = placesOf(after);
    this.find([0, before.length], [0, after.length]);
  }

  private find([from, to]: readonly [number, number], [start, end]: readonly [number, number]): void {
    const longest = this.longest([from, to], [start, end]);
    const { before, after, size } = longest;
    if (size === 0) return;
    if (from < before && start < after) this.find([from, before], [start, after]);
    this.found.push(longest);
    if (before + size < to && after + size < end) this.find([before + size, to], [after + size, end]);
  }

  private longest([from, to]: readonly [number, number], [start, end]: readonly [number, number]): Block {
    let best: Block = { before: from, after: start, size: 0 };
    let sizes: ReadonlyMap<number, number> = new Map();
    for (let at = from; at < to; at += 1) {
      const next = new Map<number, number>();
      for (const place of this.places.get(this.before[at] ?? '') ?? []) {
        if (place < start || place >= end) continue;
        const size = (sizes.get(place - 1) ?? 0) + 1;
        next.set(place, size);
        if (size > best.size) best = { before: at - size + 1, after: place - size + 1, size };
      }
      sizes = next;
    }
    let { before, after, size } = best;
    while (before > from && after > start && this.before[before - 1] === this.after[after - 1])
      [before, after, size] = [before - 1, after - 1, size + 1];
    while (before + size < to && after + size < end && this.before[before + size] === this.after[after + size]) size += 1;
    return { before, after, size };
  }
}

function changesOf(before: readonly string[], after: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [from, start] = [0, 0];
  const end: Block = { before: before.length, after: after.length, size: 0 };
  for (const block of [...new Blocks(before, after).found, end]) {
    if (from < block.before || start < block.after)
      changes.push({ isEqual: false, before: [from, block.before], after: [start, block.after] });
    [from, start] = [block.before + block.size, block.after + block.size];
    const last = changes.at(-1);
    if (block.size === 0) continue;
    if (last?.isEqual === true)
      changes[changes.length - 1] = { isEqual: true, before: [last.before[0], from], after: [last.after[0], start] };
    else changes.push({ isEqual: true, before: [block.before, from], after: [block.after, start] });
  }
  return changes;
}

/** The changes that are shown together: those between which only a few lines are equal. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [[]];
  for (const [at, change] of changes.entries()) {
    const { isEqual, before, after } = change;
    const [isFirst, isLast] = [at === 0, at === changes.length - 1];
    const tail: Change = {
      isEqual,
      before: [Math.max(before[0], before[1] - context), before[1]],
      after: [Math.max(after[0], after[1] - context), after[1]],
    };
    const head: Change = {
      isEqual,
      before: [before[0], Math.min(before[1], before[0] + context)],
      after: [after[0], Math.min(after[1], after[0] + context)],
    };
    if (!isEqual) hunks.at(-1)?.push(change);
    else if (isFirst) hunks.at(-1)?.push(tail);
    else if (isLast) hunks.at(-1)?.push(head);
    else if (before[1] - before[0] > 2 * context) {
      hunks.at(-1)?.push(head);
      hunks.push([tail]);
    } else hunks.at(-1)?.push(change);
  }
  return hunks.filter((hunk) => hunk.some(({ isEqual }) => !isEqual));
}

function rangeOf(from: number, to: number): string {
  if (to - from === 1) return String(from + 1);
  return `${String(to === from ? from : from + 1)},${String(to - from)}`;
}

/** What is different between two texts, in the form of `diff -u` without names of files. */
export function unifiedDiff(before: readonly string[], after: readonly string[]): string {
  const lines = hunksOf(changesOf(before, after)).flatMap((hunk) => {
    const [first, last] = [hunk[0], hunk.at(-1)];
    if (first === undefined || last === undefined) return [];
    const ranges = `-${rangeOf(first.before[0], last.before[1])} +${rangeOf(first.after[0], last.after[1])}`;
    return [
      `@@ ${ranges} @@`,
      ...hunk.flatMap((change) =>
        change.isEqual
          ? before.slice(...change.before).map((line) => ` ${line}`)
          : [...before.slice(...change.before).map((line) => `-${line}`), ...after.slice(...change.after).map((line) => `+${line}`)],
      ),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}
