const transformed = new WeakSet<object>();

/**
 * Takes note that a value is what a transform made of an object, and returns it. Whether it differs from the object does not matter, since a transform may
 * have changed that in place.
 */
export function noteTransformed<T>(value: T): T {
  if (typeof value === 'object' && value !== null) transformed.add(value);
  return value;
}

/** Takes note that a changed copy is as incomplete as its original, and returns it. */
export function noteCopy<T extends object>(original: object, copy: T): T {
  return transformed.has(original) ? noteTransformed(copy) : copy;
}

/** Whether an object has gone through a transform, so that parts of it may be missing. Copies are known only where `noteCopy` was called. */
export function isTransformed(object: object): boolean {
  return transformed.has(object);
}
