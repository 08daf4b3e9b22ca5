/**
 * Freezes a JSON value whole. What is frozen already is taken to be frozen whole.
 */
export function freezeJson(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  // The stack of such values is short: they come from objects that were walked through before.
  if (Array.isArray(value)) value.forEach(freezeJson);
  else for (const key in value) freezeJson((value as Record<string, unknown>)[key]);
}
