import type { Facts } from './facts.js';
import type { Running } from './registry.js';

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Facts in one line. */
function lineOf(facts: Facts): string {
  const head = `${facts.kind} ${facts.name}`;
  switch (facts.kind) {
    case 'informer': {
      const { state, objects, subscribers, resourceVersion, selection, error } = facts;
      const where = selection === '' ? '' : ` (${selection})`;
      const at = resourceVersion === '' ? '' : ` at ${resourceVersion}`;
      return `${head}${where}: ${state}${at}, ${plural(objects, 'object')}, ${plural(subscribers, 'subscriber')}${error === undefined ? '' : `; ${error.message}`}`;
    }
    case 'view':
      return `${head}: ${facts.state}, ${plural(facts.objects, 'object')} of ${facts.inputs.join(', ')}, ${facts.computed} computed, ${plural(facts.subscribers, 'subscriber')}`;
    case 'queue':
      return `${head}: ${facts.waiting} waiting, ${facts.processing.length} taken`;
    case 'controller':
      return `${head}: ${facts.phase}, ${facts.waiting} waiting, ${facts.running.length} at work, ${facts.failing.length} failing, ${facts.succeeded} succeeded`;
    case 'elector':
      return `${head}: ${facts.leads ? 'leads' : `follows ${facts.holder === '' ? 'nobody' : facts.holder}`}`;
    case 'shards':
      return `${head}: ${facts.active ? `${facts.slots} slots` : 'not active'}, ${plural(facts.members.length, 'member')}`;
    case 'rights':
      return `${head}: ${facts.permitted} permitted, ${facts.refused.length} refused`;
    case 'manager':
      return `${head}: ${facts.state}${facts.problems.length === 0 ? '' : `; ${facts.problems.join('; ')}`}`;
  }
}

/** The member of an object with its entry for the registry. */
export const runningKey: unique symbol = Symbol.for('rx-informer.running') as never;

/** An object that can be dumped, whether it is running or not. */
export interface Describable {
  readonly [runningKey]: Running;
}

const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** Makes an object describable: for `dump`, and on one line for `util.inspect`. */
export function describable<O extends object>(thing: O, running: Running): O {
  Object.defineProperty(thing, runningKey, { value: running });
  Object.defineProperty(thing, inspectKey, { value: () => `<${lineOf(running.facts())}>` });
  return thing;
}

/** Makes a wrapper describable like the object that it wraps. */
export function describedAs<O extends object>(thing: O, inner: object): O {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
}
