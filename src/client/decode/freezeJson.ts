/**
 * Freezes a JSON value whole. What is frozen already is taken to be frozen whole.
 */
export function freezeJson(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  // No recursion: a server may send objects deeper than the stack.
  const parts: object[] = [value];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    Object.freeze(part);
    for (const key in part) {
      const child = (part as Record<string, unknown>)[key];
      if (typeof child === 'object' && child !== null && !Object.isFrozen(child)) parts.push(child);
    }
  }
}
