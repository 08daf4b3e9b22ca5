/** Groups of a log, or all of them, those that are to come included. */
export type Groups = 'all' | ReadonlySet<string>;

/** Where one reader of a log stands. What it has been sent is told by this alone: nothing is kept per reader but it. */
export interface Cursor {
  /** The position up to which it has `shown`. */
  readonly at: number;
  /** The groups that it has, whole. */
  readonly shown: Groups;
  /** The groups that it may see: more than it has while others are being sent to it. */
  readonly visible: Groups;
  /** How far those are sent, from the beginning of the log; undefined when there are none. */
  readonly fillAt: number | undefined;
  /** The floor of the log when the first of those was sent: deletions that are forgotten later may be of what has been sent already. */
  readonly fillFloor?: number | undefined;
}

/** What of a log decides over its readers. */
export interface LogView {
  readonly head: number;
  readonly floor: number;
  readonly groups: ReadonlyMap<string, unknown>;
}

/** What a reader is to be told before anything else is sent to it. */
export interface CursorStep {
  readonly cursor: Cursor;
  /** It starts anew. */
  readonly reset: boolean;
  /** Groups that it may not see any more. */
  readonly drop: readonly string[];
}

const none: Groups = new Set<string>();

const isEmpty = (groups: Groups): boolean => groups !== 'all' && groups.size === 0;

export function includes(groups: Groups, group: string): boolean {
  return groups === 'all' || groups.has(group);
}

/** A reader that has nothing. */
export function emptyCursor(visible: Groups): Cursor {
  return { at: 0, shown: none, visible, fillAt: 0 };
}

/** A reader that has everything that it may see, up to a position. */
export function cursorAt(at: number, visible: Groups): Cursor {
  return { at, shown: visible, visible, fillAt: undefined };
}

/** Whether it has everything that it may see. */
export function isCurrent({ at, fillAt }: Cursor, { head }: LogView): boolean {
  return fillAt === undefined && at === head;
}

function both(a: Groups, b: Groups): Groups {
  if (a === 'all') return b;
  return b === 'all' ? a : new Set([...a].filter((group) => b.has(group)));
}

function gains(before: Groups, after: Groups): boolean {
  if (before === 'all') return false;
  return after === 'all' || [...after].some((group) => !before.has(group));
}

/** What changed rights, or a log that has moved on, make of a reader. Rights that are lost are told at once; what is gained is sent from the beginning. */
export function cursorStep(cursor: Cursor, visible: Groups, log: LogView): CursorStep {
  const known = cursor.visible === 'all' ? log.groups.keys() : cursor.visible;
  const drop = visible === cursor.visible || visible === 'all' ? [] : [...known].filter((group) => !visible.has(group));
  const isLost = !isEmpty(cursor.shown) && cursor.at < log.floor;
  const { fillAt: filled, fillFloor = log.floor } = cursor;
  const isFillLost = filled !== undefined && filled < log.floor && fillFloor < log.floor;
  if (isLost || isFillLost) return { cursor: emptyCursor(visible), reset: true, drop };
  if (visible === cursor.visible) return { cursor, reset: false, drop };
  const shown = both(cursor.shown, visible);
  const fillAt = gains(cursor.visible, visible) ? 0 : gains(shown, visible) ? cursor.fillAt : undefined;
  const keptFloor = fillAt === undefined ? undefined : cursor.fillFloor;
  return { cursor: { at: cursor.at, shown, visible, fillAt, fillFloor: keptFloor }, reset: false, drop };
}

/** The entries that it is to be sent next, from where it stands: what it lacks of new groups first, then what has changed in those that it has. */
export function nextOf(cursor: Cursor, { head }: LogView): { readonly from: number; readonly wants: (group: string) => boolean } {
  const { at, shown, visible, fillAt } = cursor;
  if (fillAt !== undefined && fillAt < head) return { from: fillAt, wants: (group) => includes(visible, group) && !includes(shown, group) };
  return { from: at, wants: (group) => includes(shown, group) };
}

/** The reader has been sent what `nextOf` named, up to a position. It is current once both of its parts have come to the head. */
export function sentTo(cursor: Cursor, position: number, { head, floor }: LogView): Cursor {
  const { at, shown, visible, fillAt, fillFloor = floor } = cursor;
  if (fillAt === undefined) return { ...cursor, at: position };
  const filled = fillAt < head ? position : fillAt;
  const kept = isEmpty(shown) ? filled : fillAt < head ? at : position;
  return filled === head && kept === head ? cursorAt(head, visible) : { ...cursor, at: kept, fillAt: filled, fillFloor };
}
