import { clientNodeInformer } from '../clientNodeInformer.js';
import { BlockMeter, Meter } from '../meter.js';

/** client-node's informer, until it has emitted every pod. */
export async function run({
  url,
  count,
  blocks = false,
}: {
  readonly url: string;
  readonly count: number;
  readonly blocks?: boolean;
}): Promise<object> {
  const meter = new Meter();
  const informer = clientNodeInformer(url);
  const block = blocks ? new BlockMeter() : undefined;
  meter.restart();
  await new Promise<void>((resolve, reject) => {
    let seen = 0;
    informer.on('add', () => {
      seen += 1;
      if (seen === count) resolve();
    });
    informer.on('error', reject);
    informer.start().catch(reject);
  });
  const times = meter.times();
  // The longest turn may be the one that has just ended, so one more turn is waited for.
  await new Promise((resolve) => setImmediate(resolve));
  const longest = block?.stop();
  return { ...times, ...longest, ...meter.memory(), count: informer.list().length };
}
