import { Meter } from '../meter.js';

/**
 * A process that does nothing: what all others stand on.
 */
export function run(): Promise<object> {
  return Promise.resolve(new Meter().memory());
}
