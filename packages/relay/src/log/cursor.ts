/** Groups of a log; `'all'` includes future ones. */
export type Groups = 'all' | ReadonlySet<string>;

/** The position of one reader of a log. It determines what the reader has been sent; nothing else is stored per reader. */
export interface Cursor {
  /** The position up to which the groups in `shown` have been sent. */
  readonly at: number;
  /** The groups that have been sent completely. */
  readonly shown: Groups;
  /** The groups that it may see. Those not in `shown` are being sent. */
  readonly visible: Groups;
  /** The position up to which the other groups have been sent, from the beginning of the log; undefined when there are none. */
  readonly fillAt: number | undefined;
  /**
   * The floor of the log when the sending of the other groups began: deletions dropped since then may concern objects that have been sent
   * already.
   */
  readonly fillFloor?: number | undefined;
}

/** The state of a log that cursors depend on. */
export interface LogView {
  readonly head: number;
  readonly floor: number;
  readonly groups: ReadonlyMap<string, unknown>;
}

/** What a reader must be sent before anything else. */
export interface CursorStep {
  readonly cursor: Cursor;
  /** Whether it starts from scratch. */
  readonly reset: boolean;
  /** Groups that it may no longer see. */
  readonly drop: readonly string[];
}

const none: Groups = new Set<string>();

const isEmpty = (groups: Groups): boolean => groups !== 'all' && groups.size === 0;

export function includes(groups: Groups, group: string): boolean {
  return groups === 'all' || groups.has(group);
}

/** The cursor of a reader that has been sent nothing. */
export function emptyCursor(visible: Groups): Cursor {
  return { at: 0, shown: none, visible, fillAt: 0 };
}

/** The cursor of a reader that has been sent everything it may see, up to a position. */
export function cursorAt(at: number, visible: Groups): Cursor {
  return { at, shown: visible, visible, fillAt: undefined };
}

/** Whether it has been sent everything that it may see. */
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

/** Adapts a cursor to changed permissions, or to a log that has dropped entries. Revoked groups are dropped at once; added groups are sent from the beginning. */
export function cursorStep(cursor: Cursor, visible: Groups, log: LogView): CursorStep {
  // A group that the log has no more is none that was revoked.
  const drop =
    visible === cursor.visible || visible === 'all'
      ? []
      : [...log.groups.keys()].filter((group) => includes(cursor.visible, group) && !visible.has(group));
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

/** The next entries to send: first those of added groups, then the changes in the groups that it has. Without `wants`, those of all groups. */
export function nextOf(
  cursor: Cursor,
  { head }: LogView,
): { readonly from: number; readonly wants: ((group: string) => boolean) | undefined } {
  const { at, shown, visible, fillAt } = cursor;
  if (fillAt === undefined || fillAt >= head) return { from: at, wants: shown === 'all' ? undefined : (group) => includes(shown, group) };
  const isEverything = visible === 'all' && isEmpty(shown);
  return { from: fillAt, wants: isEverything ? undefined : (group) => includes(visible, group) && !includes(shown, group) };
}

/** The cursor after sending what `nextOf` returned, up to a position. It is current when both parts have reached the head. */
export function sentTo(cursor: Cursor, position: number, { head, floor }: LogView): Cursor {
  const { at, shown, visible, fillAt, fillFloor = floor } = cursor;
  if (fillAt === undefined) return { ...cursor, at: position };
  const filled = fillAt < head ? position : fillAt;
  const kept = isEmpty(shown) ? filled : fillAt < head ? at : position;
  return filled === head && kept === head ? cursorAt(head, visible) : { ...cursor, at: kept, fillAt: filled, fillFloor };
}
