import { createClient, createInformer, resources } from '../../src/index.js';
import { BlockMeter, Meter } from '../meter.js';

/**
 * What an informer is to do.
 */
export interface InformerSyncOptions {
  readonly url: string;
  /** Whether to look for the longest turn of the event loop, which costs time of its own. */
  readonly blocks?: boolean;
  /** A subscriber that takes slices of so many milliseconds. */
  readonly sliceMs?: number;
}

/**
 * Our informer, until it is synced and its subscriber, if it has one, has been told.
 */
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
  // The turn that was the longest may be the one that has just ended.
  await new Promise((resolve) => setImmediate(resolve));
  const longest = block?.stop();
  return { ...times, ...longest, ...meter.memory(), count: informer.indexer.listKeys().length, told };
}
