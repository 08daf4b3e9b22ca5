import type { InformerHealth } from '../../api/events/informerHealth.js';
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
