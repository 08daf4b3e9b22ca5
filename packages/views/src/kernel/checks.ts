import { checkOptions, deepFreeze, describeValue, type OptionRules, rules, collectionPort } from 'rx-informer/internal';
import type { ViewOptions } from '../view.js';

/** The rules of the options of every view. */
export const viewRules: OptionRules<ViewOptions<never>> = {
  name: rules.nonEmptyString,
  equals: rules.function,
  labels: rules.function,
  indexers: rules.object,
  sliceSize: rules.number({ min: 1, infinite: true }),
  idleGraceMs: rules.durationMs,
  freeze: rules.boolean,
  logger: rules.withMethods('warn'),
  scheduler: rules.scheduler,
};

/** Checks the options of a view; `more` are the rules of options that only this kind of view has. */
export function checkViewOptions<O extends object>(owner: string, options: O, more?: OptionRules<Omit<O, keyof ViewOptions<never>>>): void {
  checkOptions(owner, options, { ...viewRules, ...more } as unknown as OptionRules<O>);
  for (const [name, value] of Object.entries(options)) if (isAsyncFunction(value)) throw asyncError(`\`${owner}\`, its \`${name}\``);
}

/** @throws TypeError when a value is neither an informer nor a view. */
export function expectCollection(owner: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && collectionPort in value) return;
  throw new TypeError(`Expected \`${owner}\` to be given an informer or a view, got ${describeValue(value)}`);
}

/** @throws TypeError when a value is not a list of informers and views. */
export function expectCollections(owner: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new TypeError(`Expected \`${owner}\` to be given a list of informers and views, got ${describeValue(value)}`);
  for (const collection of value) expectCollection(owner, collection);
}

/** @throws TypeError when a value is not a synchronous function. */
export function expectFunction(owner: string, what: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected \`${owner}\` to be given ${what}, got ${describeValue(value)}`);
  if (isAsyncFunction(value)) throw asyncError(owner);
}

/** Thrown for asynchronous functions of views. */
export class AsyncFunctionError extends TypeError {}

export function asyncError(owner: string): TypeError {
  return new AsyncFunctionError(
    `The function of ${owner} is asynchronous; a view is computed synchronously. Do slow work with \`reconcile\` or \`process\`, and derive from its results`,
  );
}

/** Whether a value is a thenable. Its rejection is ignored, so that it does not end the process. */
export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function') return false;
  (value as PromiseLike<unknown>).then(undefined, () => undefined);
  return true;
}

function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}

/** @throws TypeError when a key is not a non-empty string, or two values have the same key. */
export function valuesByKey<T>(values: Iterable<T>, keyOf: (value: T) => string): ReadonlyMap<string, T> {
  const byKey = new Map<string, T>();
  for (const value of values) {
    const key: unknown = keyOf(value);
    if (typeof key !== 'string' || key === '')
      throw new TypeError(`Expected the key of a value to be a non-empty string, got ${describeValue(key)}`);
    if (byKey.has(key)) throw new TypeError(`Expected values with keys of their own, got two with the key ${key}`);
    byKey.set(key, value);
  }
  return byKey;
}

/** Freezes a value deeply. False if a part of it cannot be read: a getter threw. */
export function canFreeze(value: unknown, onError: (error: unknown) => void): boolean {
  try {
    deepFreeze(value);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}
