import { createClient, createInformer, resources } from 'rx-informer';
import { BlockMeter, Meter } from '../meter.js';

/** The options of an informer. */
export interface InformerSyncOptions {
  readonly url: string;
  /** Whether to measure the longest turn of the event loop, which costs time of its own. */
  readonly blocks?: boolean;
  /** The slice length in milliseconds of a subscriber of `events`; without it, there is no subscriber. */
  readonly sliceMs?: number;
}

/** rx-informer's informer, until it is synced and its subscriber, if any, has been notified. */
export async function run({ url, sliceMs, blocks = false }: InformerSyncOptions): Promise<object> {
  const meter = new Meter();
  const informer = createInformer(createClient({ server: url }), resources.core.v1.pods, { onError: () => 'retry' });
  const block = blocks ? new BlockMeter() : undefined;
  meter.restart();
  let told = 0;
  const all =
    sliceMs === undefined
      ? undefined
      : new Promise<void>((resolve, reject) => {
          informer.events({ sliceMs }).subscribe({
            next: (event) => {
              if (event.type === 'synced') resolve();
              else told += 1;
            },
            error: reject,
          });
        });
  await informer.whenSynced();
  const times = meter.times();
  await all;
  // The longest turn may be the one that has just ended, so one more turn is waited for.
  await new Promise((resolve) => setImmediate(resolve));
  const longest = block?.stop();
  return { ...times, ...longest, ...meter.memory(), count: informer.indexer.listKeys().length, told };
}
