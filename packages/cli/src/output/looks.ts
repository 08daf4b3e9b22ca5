import type { InformerHealth, ResourceEvent } from 'rx-informer';
import type { Style } from './line.js';
import { errorLine } from './errorLine.js';
import { printable } from './printable.js';

/** The display of each health state: its style, its mark, and its mark in a lane. */
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

/** The state of the link to the server in one line. */
export function linkLine(health: InformerHealth, now: number): string {
  switch (health.state) {
    case 'watching':
      return `live at resource version ${printable(health.resourceVersion)}`;
    case 'retrying': {
      const wait = health.nextAttemptAt === undefined ? '' : ` in ${(Math.max(0, health.nextAttemptAt - now) / 1000).toFixed(1)} s`;
      const attempt = health.attempt === undefined ? '' : ` (attempt ${String(health.attempt + 1)})`;
      const reason = health.error === undefined ? '' : `: ${errorLine(health.error)}`;
      return `reconnecting${wait}${attempt}${reason}`;
    }
    case 'listing':
      return health.received === undefined ? 'listing' : `listing: ${health.received.toLocaleString('en')} objects so far`;
    case 'restored':
      return 'restored from an earlier run, connecting';
    case 'stopped':
      return 'stopped';
    default:
      return 'connecting';
  }
}
