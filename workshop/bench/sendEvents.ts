import { post } from './post.js';
import type { EventSequence } from './startPodServer.js';

/** The options of a side in a busy watch. */
export interface WatchSideOptions {
  /** The URL of the pods, in one of the server's modes. */
  readonly url: string;
  readonly events: EventSequence;
  /** The number of events before the measurement. */
  readonly warmUp: number;
}

/** Makes the server of pods send events to the open watch, or to the next one. */
export function sendEvents({ url, events: { count, pattern } }: WatchSideOptions): void {
  const { origin, pathname } = new URL(url);
  const pods = pathname.split('/')[2] ?? '';
  post(`${origin}/send/${pods}/${count}/${pattern}`).catch((error: unknown) => {
    throw error;
  });
}
