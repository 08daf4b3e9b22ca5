import { createClient, createInformer, resources } from 'rx-informer';
import { Meter } from '../meter.js';
import { sendEvents, type WatchSideOptions } from '../sendEvents.js';

/** rx-informer's informer, with one index and some subscribers, in a busy watch. */
export async function run(options: WatchSideOptions & { readonly subscribers?: number }): Promise<object> {
  const { url, events, warmUp, subscribers = 1 } = options;
  const syncMeter = new Meter();
  const informer = createInformer(createClient({ server: url }), resources.core.v1.pods, {
    indexers: { node: (pod) => [pod.spec?.nodeName ?? ''] },
    onError: () => 'retry',
  });
  await informer.whenSynced();
  const { wallMs: syncWallMs, cpuMs: syncCpuMs } = syncMeter.times();
  const { retainedHeap: syncHeap } = syncMeter.memory();
  const meter = new Meter();
  let told = 0;
  let seen = 0;
  return new Promise((resolve, reject) => {
    for (let more = 1; more < subscribers; more += 1) {
      informer.resource$.subscribe({ next: (event) => (told += Number(event.type === 'updated')), error: reject });
    }
    const next = (event: { readonly type: string }): void => {
      if (event.type !== 'updated') return;
      seen += 1;
      if (seen === warmUp) meter.restart();
      if (seen === events.count) {
        const nodes = informer.indexer.listIndexFuncValues('node').length;
        resolve({ ...meter.times(), syncWallMs, syncCpuMs, syncHeap, told, nodes });
      }
    };
    informer.resource$.subscribe({ next, error: reject });
    sendEvents(options);
  });
}
