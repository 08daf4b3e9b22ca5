/** Parts nested deeper than this are queued instead of frozen recursively: a server may send objects deeper than the call stack allows. */
const deepest = 200;

/** Whether a value is to be frozen: typed arrays cannot be. */
function isOpen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value);
}

/** Plain loops and for-in take half the time of `Object.values` and a stack. Inherited properties are not frozen. */
function freeze(part: object, depth: number, waiting: object[]): void {
  Object.freeze(part);
  if (Array.isArray(part)) {
    for (let at = 0; at < part.length; at += 1) freezeChild(part[at], depth, waiting);
    return;
  }
  for (const key in part) {
    const child = (part as Readonly<Record<string, unknown>>)[key];
    if (typeof child === 'object' && Object.hasOwn(part, key)) freezeChild(child, depth, waiting);
  }
}

function freezeChild(child: unknown, depth: number, waiting: object[]): void {
  if (!isOpen(child)) return;
  if (depth === deepest) waiting.push(child);
  else freeze(child, depth + 1, waiting);
}

/** Freezes an object deeply, and returns it. A part that is frozen already is assumed to be frozen deeply, and skipped. */
export function deepFreeze<T>(value: T): T {
  if (!isOpen(value)) return value;
  const waiting: object[] = [value];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) freeze(part, 0, waiting);
  return value;
}

/**
 * Freezes what a user's function or source made, parts of which may be frozen while their own parts are not. Returns it.
 *
 * @param known - an object that is frozen deeply: parts that the value shares with it are skipped.
 */
export function freezeWhole<T>(value: T, known: unknown): T {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value, known];
  while (waiting.length > 0) {
    const like = waiting.pop();
    const part = waiting.pop();
    if (typeof part !== 'object' || part === null || part === like || ArrayBuffer.isView(part)) continue;
    if (!Object.isFrozen(part)) Object.freeze(part);
    else if (seen.has(part)) continue;
    else seen.add(part);
    for (const key in part) {
      const child = (part as Readonly<Record<string, unknown>>)[key];
      if (typeof child === 'object' && Object.hasOwn(part, key))
        waiting.push(child, (like as typeof part | null | undefined)?.[key as never]);
    }
  }
  return value;
}
