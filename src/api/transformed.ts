const transformed = new WeakSet<object>();

/**
 * Marks a value as the result of a transform, and returns it. Even a result that equals the object is marked, since a transform may
 * have changed the object in place.
 */
export function noteTransformed<T>(value: T): T {
  if (typeof value === 'object' && value !== null) transformed.add(value);
  return value;
}

/** Marks a changed copy as incomplete if its original is, and returns it. */
export function noteCopy<T extends object>(original: object, copy: T): T {
  return transformed.has(original) ? noteTransformed(copy) : copy;
}

/** Whether an object is the result of a transform, so that parts of it may be missing. Copies are recognized only if `noteCopy` was called. */
export function isTransformed(object: object): boolean {
  return transformed.has(object);
}
