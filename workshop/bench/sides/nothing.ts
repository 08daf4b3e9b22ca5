import { Meter } from '../meter.js';

/** A process that does nothing: the base of all others. */
export function run(): Promise<object> {
  return Promise.resolve(new Meter().memory());
}
