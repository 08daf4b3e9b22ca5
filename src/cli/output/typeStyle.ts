import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Style } from './span.js';

/** The style of each type of event. */
export const typeStyle: Readonly<Record<ResourceEvent<unknown>['type'], Style>> = {
  added: 'green',
  updated: 'yellow',
  deleted: 'red',
  synced: 'cyan',
};
