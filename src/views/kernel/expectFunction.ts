import { describeValue } from '../../api/options/describeValue.js';

/**
 * @throws TypeError when a value is no function, or an asynchronous one: a view cannot wait.
 */
export function expectFunction(owner: string, what: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected \`${owner}\` to be given ${what}, got ${describeValue(value)}`);
  if (value.constructor.name === 'AsyncFunction') throw asyncError(owner);
}

/** What asynchronous functions of views are refused with. */
export function asyncError(owner: string): TypeError {
  return new TypeError(
    `The function of ${owner} is asynchronous; a view is computed at once. Do slow work behind it, with \`reconcile\` or \`process\`, and derive from what that writes`,
  );
}
