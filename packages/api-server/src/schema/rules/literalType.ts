const types = new WeakMap<object, string>();

/** Keeps which literal of an expression made a value: `map`, or the type of an object. */
export function ofLiteral<T>(value: T, type: string): T {
  if (typeof value === 'object' && value !== null) types.set(value, type);
  return value;
}

/** The literal that made a value; undefined for other values. */
export function literalType(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null ? types.get(value) : undefined;
}
