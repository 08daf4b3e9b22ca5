import { entryOf } from 'rx-informer/internal';
import { differenceOf } from '../wire/difference.js';
import { isLongerThan, type Shaped, shapeOf, tableText } from '../wire/shape.js';
import type { LogEntry } from './scopeLog.js';

/** Longer rows, in characters, are not kept, but serialized again for each reader that lags behind. */
const longestKeptText = 1_000;
/** The fewest objects of one shape that are sent as a table. */
const fewestOfShape = 3;
const maxShapes = 1_000;

/** The entries of one log as frames. */
export class RowTexts {
  private readonly channel: string;
  private readonly shapes = new Map<string, string>();

  constructor(channel: string) {
    this.channel = channel;
  }

  /** The approximate length of an entry in a frame, in characters. */
  lengthOf(entry: LogEntry): number {
    return entry.value === undefined ? entry.key.length : this.shapedOf(entry).length;
  }

  /** Entries as frames, one per group. With `patched`, they are sent as patches of the values at the last batch where that is shorter. */
  framesOf(entries: readonly LogEntry[], patched: boolean): string {
    const groups = new Map<string, LogEntry[]>();
    for (const entry of entries) entryOf(groups, entry.group, () => []).push(entry);
    return [...groups].map(([group, members]) => this.groupText(group, members, patched)).join('');
  }

  /** An object as a row of a table. */
  private shapedOf(entry: LogEntry): Shaped {
    if (entry.shaped !== undefined) return entry.shaped;
    const { shape, row, length } = shapeOf(entry.key, entry.value);
    // Entries of one shape share its string.
    const known = this.shapes.get(shape) ?? shape;
    if (this.shapes.size < maxShapes) this.shapes.set(known, known);
    const shaped = { shape: known, row, length };
    if (length <= longestKeptText) entry.shaped = shaped;
    return shaped;
  }

  private groupText(group: string, members: readonly LogEntry[], patched: boolean): string {
    const [set, like, patch, del]: [string[], string[], string[], string[]] = [[], [], [], []];
    const tables = new Map<string, LogEntry[]>();
    for (const entry of members) {
      const { key, value, base } = entry;
      if (value === undefined) {
        del.push(JSON.stringify(key));
        continue;
      }
      const edits = patched && base !== undefined ? JSON.stringify([key, base.hash, differenceOf(base.value, value)]) : undefined;
      if (edits !== undefined && (edits.length < 200 || isLongerThan(edits.length, value))) patch.push(edits);
      else entryOf(tables, this.shapedOf(entry).shape, () => []).push(entry);
    }
    for (const [shape, rows] of tables) {
      if (rows.length < fewestOfShape) set.push(...rows.map(({ key, value }) => JSON.stringify([key, value])));
      else
        like.push(
          tableText(
            shape,
            rows.map((entry) => this.shapedOf(entry).row),
          ),
        );
    }
    const parts = Object.entries({ set, like, patch, del }).filter(([, rows]) => rows.length > 0);
    return `data: {"c":"${this.channel}","g":${JSON.stringify(group)},${parts.map(([name, rows]) => `"${name}":[${rows.join(',')}]`).join(',')}}\n\n`;
  }
}
