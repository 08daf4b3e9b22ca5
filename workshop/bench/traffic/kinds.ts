import { checkpoints } from './checkpoints.js';
import { customResources } from './customResources.js';
import { definitions } from './definitions.js';
import { endpointSlices } from './endpointSlices.js';
import { events } from './events.js';
import { heartbeats } from './heartbeats.js';
import { largeSecrets } from './largeSecrets.js';
import { leases } from './leases.js';
import { rollouts } from './rollouts.js';
import type { Traffic } from './traffic.js';
import { sizes, typeLast, unmanaged } from './variants.js';
import { wholeConfigMaps } from './wholeConfigMaps.js';

/**
 * All kinds of traffic, by their names on the command line.
 */
export const kinds: Readonly<Record<string, Traffic>> = {
  rollouts,
  heartbeats,
  leases,
  events,
  configMaps: wholeConfigMaps,
  endpointSlices,
  customResources,
  secrets: largeSecrets,
  unmanagedLeases: unmanaged(leases),
  unmanagedPods: unmanaged(rollouts),
  configMapsTypeLast: typeLast(wholeConfigMaps),
  podsTypeLast: typeLast(rollouts),
  sizes,
  definitions,
  checkpoints,
};

/** The kind with this name. */
export function trafficOf(name: string): Traffic {
  const traffic = kinds[name];
  if (traffic === undefined) throw new TypeError(`Expected a kind of traffic of ${Object.keys(kinds).join(', ')}, got ${name}`);
  return traffic;
}
