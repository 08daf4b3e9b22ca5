import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Style } from './span.js';

/** How each state of an informer's health is shown. */
export const healthStyle: Readonly<Record<InformerHealth['state'], Style>> = {
  idle: 'dim',
  restored: 'yellow',
  listing: 'yellow',
  watching: 'green',
  retrying: 'red',
  stopped: 'red',
};

/** The style of each type of event. */
export const typeStyle: Readonly<Record<ResourceEvent<unknown>['type'], Style>> = {
  added: 'green',
  updated: 'yellow',
  deleted: 'red',
  synced: 'cyan',
};
