import { checkOptions, describeValue, type OptionRules, rules } from '../../api/options.js';
import { collectionPort } from '../../informer/collection.js';
import type { ViewOptions } from '../view.js';

const viewRules: OptionRules<ViewOptions<never>> = {
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

/** Checks the options of a view; `more` are the rules of those that only this kind of view has. */
export function checkViewOptions<O extends object>(owner: string, options: O, more?: OptionRules<Omit<O, keyof ViewOptions<never>>>): void {
  checkOptions(owner, options, { ...viewRules, ...more } as unknown as OptionRules<O>);
  for (const [name, value] of Object.entries(options)) if (isAsyncFunction(value)) throw asyncError(`\`${owner}\`, its \`${name}\``);
}

/** @throws TypeError when a value is no informer and no view. */
export function expectCollection(owner: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && collectionPort in value) return;
  throw new TypeError(`Expected \`${owner}\` to be given an informer or a view, got ${describeValue(value)}`);
}

/** @throws TypeError when a value is no list of informers and views. */
export function expectCollections(owner: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new TypeError(`Expected \`${owner}\` to be given a list of informers and views, got ${describeValue(value)}`);
  for (const collection of value) expectCollection(owner, collection);
}

/** @throws TypeError when a value is no key, and not left out. */
export function expectKey(owner: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return;
  throw new TypeError(`Expected \`key\` of \`${owner}\` to be a text that is not empty, got ${describeValue(value)}; leave it out for all`);
}

/** @throws TypeError when a value is no function, or an asynchronous one: a view cannot wait. */
export function expectFunction(owner: string, what: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`Expected \`${owner}\` to be given ${what}, got ${describeValue(value)}`);
  if (isAsyncFunction(value)) throw asyncError(owner);
}

/** What asynchronous functions of views are refused with. */
export class AsyncFunctionError extends TypeError {}

export function asyncError(owner: string): TypeError {
  return new AsyncFunctionError(
    `The function of ${owner} is asynchronous; a view is computed at once. Do slow work behind it, with \`reconcile\` or \`process\`, and derive from what that writes`,
  );
}

/** Whether a value has to be waited for. Its failure is nobody's: it must not end the process. */
export function isPromise(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('then' in value) || typeof value.then !== 'function') return false;
  (value as PromiseLike<unknown>).then(undefined, () => undefined);
  return true;
}

function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}
