import { identity, Subscription } from 'rxjs';
import { notInPages } from '../../api/notInPages.js';
import type * as whole from './resyncClock.js';

/** Pages do not resync. */
export const createResyncClock: typeof whole.createResyncClock = ({ periodMs }) => {
  if (periodMs > 0) notInPages('`resyncPeriodMs`');
  return {
    join: (wanted = 0) => (wanted > 0 ? notInPages('`resyncPeriodMs`') : new Subscription()),
    tick: () => identity,
  };
};
