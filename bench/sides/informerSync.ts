import { createClient, createInformer, resources } from '../../src/index.js';
import type { ResourceInformerOptions } from '../../src/informer/informerOptions.js';
import type { V1Pod } from '../../src/api/kubernetes/index.js';
import { BlockMeter, Meter } from '../meter.js';

/**
 * What an informer is to do.
 */
export interface InformerSyncOptions {
  readonly url: string;
  readonly count: number;
  /** A subscriber that takes slices of so many milliseconds. */
  readonly sliceMs?: number;
  /** Seconds of rest after the sync, in which blocks count, too. */
  readonly informer?: ResourceInformerOptions<V1Pod>;
}

/**
 * Our informer, until it is synced and its subscriber, if it has one, has been told.
 */
export async function run({ url, count, sliceMs, informer: options }: InformerSyncOptions): Promise<object> {
  const meter = new Meter();
  const client = createClient({ server: url });
  const informer = createInformer(client, resources.core.v1.pods, options);
  const block = new BlockMeter();
  meter.restart();
  let told = 0;
  const all =
    sliceMs === undefined
      ? undefined
      : new Promise<void>((resolve) => {
          informer.events({ sliceMs }).subscribe((event) => {
            if (event.type === 'synced') resolve();
            else told += 1;
          });
        });
  await informer.whenSynced();
  const times = meter.times();
  await all;
  // The turn that was the longest may be the one that has just ended.
  await new Promise((resolve) => setImmediate(resolve));
  const blocks = block.stop();
  return { ...times, ...blocks, ...meter.memory(), count: informer.indexer.listKeys().length, told };
}
