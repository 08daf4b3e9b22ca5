import { post } from './post.js';
import type { EventSequence } from './startPodServer.js';

/**
 * What a side in a busy watch is told.
 */
export interface WatchSideOptions {
  /** The pods, in one of the server's modes. */
  readonly url: string;
  readonly events: EventSequence;
  /** How many events come before the measurement. */
  readonly warmUp: number;
}

/**
 * Has the server of pods send events to the watch that is open, or to the next one.
 */
export function sendEvents({ url, events: { count, pattern } }: WatchSideOptions): void {
  const { origin, pathname } = new URL(url);
  const pods = pathname.split('/')[2] ?? '';
  post(`${origin}/send/${pods}/${count}/${pattern}`).catch((error: unknown) => {
    throw error;
  });
}
