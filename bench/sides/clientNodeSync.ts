import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { BlockMeter, Meter } from '../meter.js';

/**
 * client-node's informer, until it has told of every pod.
 */
export async function run({ url, count }: { readonly url: string; readonly count: number }): Promise<object> {
  const meter = new Meter();
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'bench', server: url, skipTLSVerify: true }, { name: 'bench' });
  const core = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces());
  const block = new BlockMeter();
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
  const blocks = block.stop();
  const figures = { ...times, ...blocks, ...meter.memory(), count: informer.list().length };
  return figures;
}
