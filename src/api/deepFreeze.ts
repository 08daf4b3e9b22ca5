/** Whether there is something to freeze: the elements of a view of memory cannot be frozen. */
function isOpen(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value);
}

/** Freezes an object and everything in it, and returns it. What is frozen already is taken to be frozen whole, and not walked through. */
export function deepFreeze<T>(value: T): T {
  // No recursion: a server may send objects deeper than the stack.
  const parts: object[] = isOpen(value) ? [value] : [];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    Object.freeze(part);
    for (const child of Array.isArray(part) ? (part as unknown[]) : (Object.values(part) as unknown[]))
      if (isOpen(child)) parts.push(child);
  }
  return value;
}
