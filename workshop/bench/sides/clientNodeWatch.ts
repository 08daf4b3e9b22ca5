import { clientNodeInformer } from '../clientNodeInformer.js';
import { Meter } from '../meter.js';
import { sendEvents, type WatchSideOptions } from '../sendEvents.js';

/**
 * client-node's informer in a busy watch.
 */
export async function run(options: WatchSideOptions): Promise<object> {
  const meter = new Meter();
  const informer = clientNodeInformer(options.url);
  await informer.start();
  let seen = 0;
  return new Promise((resolve, reject) => {
    informer.on('error', reject);
    informer.on('update', () => {
      seen += 1;
      if (seen === options.warmUp) meter.restart();
      if (seen === options.events.count) resolve(meter.times());
    });
    sendEvents(options);
  });
}
