/**
 * Freezes an object and everything in it, and returns it. What is frozen already is taken to be frozen whole, and not looked into.
 */
export function deepFreeze<T>(value: T): T {
  if (Object.isFrozen(value)) return value;
  // No recursion: a server may send objects deeper than the stack.
  const parts: unknown[] = [value];
  for (let part = parts.pop(); parts.length > 0 || part !== undefined; part = parts.pop()) {
    if (typeof part !== 'object' || part === null || Object.isFrozen(part) || ArrayBuffer.isView(part)) continue;
    Object.freeze(part);
    for (const child of Array.isArray(part) ? (part as unknown[]) : Object.values(part)) {
      if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) parts.push(child);
    }
  }
  return value;
}
