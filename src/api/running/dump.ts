import { checkOptions, describeValue, rules } from '../options.js';
import { type Describable, runningKey } from './describable.js';
import type { Facts } from './facts.js';
import { maskingOf } from './masking.js';
import { registry, type Running } from './registry.js';

/** Options of {@link dump}. */
export interface DumpOptions {
  /** Whether the objects of caches are in it, by their keys. Values of Secrets are left out all the same. Default: false, keys alone. */
  readonly objects?: boolean | undefined;
}

/** What something that runs is like at one moment: plain data, as JSON has it. */
export type Dump = Facts & {
  /** What a cache holds: its keys, or its objects by their keys. */
  readonly content?: readonly string[] | Readonly<Record<string, unknown>>;
  /** Of a view: what each of its inputs is like. */
  readonly graph?: readonly Dump[];
};

function contentOf(running: Running, objects: boolean): Dump['content'] {
  const { cache } = running;
  if (cache === undefined || !objects) return cache?.keys();
  const { shown } = maskingOf(running);
  return Object.fromEntries(cache.keys().map((key) => [key, shown(cache.get(key))]));
}

function describeOne(running: Running, objects: boolean): Dump {
  const content = contentOf(running, objects);
  return { ...running.facts(), ...(content !== undefined && { content }) };
}

function dumpOf(running: Running, objects: boolean, seen: ReadonlySet<Running>): Dump {
  const inputs = (running.inputs?.() ?? []).filter((input) => !seen.has(input));
  const graph = inputs.map((input) => dumpOf(input, objects, new Set([...seen, input])));
  return { ...describeOne(running, objects), ...(graph.length > 0 && { graph }) };
}

/**
 * What an informer, a view with all that it is made of, a queue, an elector or a manager is like at this moment, as plain data for `JSON.stringify`; without one, all that runs in this
 * process.
 *
 * It starts nothing. Values of Secrets are never in it, nor are those of views over Secrets.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, dump, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * await pods.whenSynced();
 * console.log(JSON.stringify(dump(pods), null, 2));
 * console.log(dump().length, 'things run');
 * ```
 *
 * @throws TypeError when it is none of these.
 */
export function dump(thing: object, options?: DumpOptions): Dump;
export function dump(thing?: undefined, options?: DumpOptions): readonly Dump[];
export function dump(thing?: object, options: DumpOptions = {}): Dump | readonly Dump[] {
  checkOptions('dump', options, { objects: rules.boolean });
  const { objects = false } = options;
  if (thing === undefined)
    return registry()
      .all()
      .map((running) => describeOne(running, objects));
  const running = (thing as Partial<Describable>)[runningKey];
  if (running === undefined)
    throw new TypeError(`Expected \`thing\` of \`dump\` to be an informer, a view, a queue or a manager, got ${describeValue(thing)}`);
  return dumpOf(running, objects, new Set([running]));
}
