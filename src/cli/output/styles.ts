import type { InformerHealth } from '../../api/events/informerHealth.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Style } from './span.js';

/** How each state of an informer's health is shown: its style, its mark, and its mark in a lane of time. */
export const healthLooks: Readonly<
  Record<InformerHealth['state'], { readonly style: Style; readonly mark: string; readonly lane: string }>
> = {
  idle: { style: 'dim', mark: '○', lane: '·' },
  restored: { style: 'yellow', mark: '◍', lane: '◍' },
  listing: { style: 'yellow', mark: '◌', lane: '◌' },
  watching: { style: 'green', mark: '●', lane: '━' },
  retrying: { style: 'red', mark: '↻', lane: '✗' },
  stopped: { style: 'red', mark: '■', lane: '·' },
};

/** The style of each type of event. */
export const typeStyle: Readonly<Record<ResourceEvent<unknown>['type'], Style>> = {
  added: 'green',
  updated: 'yellow',
  deleted: 'red',
  synced: 'cyan',
};
