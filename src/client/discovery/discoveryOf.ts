import type { Requester } from '../requests/requester.js';
import { WholeRequester } from '../requests/wholeRequester.js';
import { createDiscovery } from './createDiscovery.js';
import type { Discovery } from './discovery.js';

/** The discovery of a client. */
export function discoveryOf(requester: Requester): Discovery {
  const whole = new WholeRequester(requester);
  return createDiscovery((path, accept) => whole.object({ method: 'GET', path, headers: { accept } }));
}
