import { checkOptions, type Describable, describeValue, registry, rules, type Running, runningKey } from 'rx-informer/internal';
import { type Facts, factsOf } from './facts.js';
import { maskingOf } from './masking.js';

/** Options of {@link dump}. */
export interface DumpOptions {
  /** Whether to include cached objects, not only their keys. Values of Secrets and environment variables are never included. @defaultValue false */
  readonly objects?: boolean | undefined;
}

/** The state of something running, at one moment, as plain data for JSON. */
export type Dump = Facts & {
  /** The content of a cache: its keys, or its objects by key. */
  readonly content?: readonly string[] | Readonly<Record<string, unknown>>;
  /** For a view: the state of each of its inputs. */
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
  return { ...factsOf(running), ...(content !== undefined && { content }) };
}

function dumpOf(running: Running, objects: boolean, seen: ReadonlySet<Running>): Dump {
  const inputs = (running.inputs?.() ?? []).filter((input) => !seen.has(input));
  const graph = inputs.map((input) => dumpOf(input, objects, new Set([...seen, input])));
  return { ...describeOne(running, objects), ...(graph.length > 0 && { graph }) };
}

/**
 * The current state of an informer, a view with all its inputs, a queue, an elector or a manager, as plain data for `JSON.stringify`; without an argument, of everything running in
 * this process.
 *
 * It starts nothing. Values of Secrets, of views over Secrets, and of environment variables are never included.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { dump } from '@rx-informer/inspector';
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
