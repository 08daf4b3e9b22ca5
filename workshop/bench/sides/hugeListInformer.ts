import { createClient, createInformer, resources } from 'rx-informer';
import { Meter } from '../meter.js';
import { RssProfile } from '../rssProfile.js';

/** An informer that keeps few fields of each object. */
export async function run({ url, count }: { readonly url: string; readonly count: number }): Promise<object> {
  const client = createClient({ server: url });
  const meter = new Meter();
  const profile = new RssProfile(count);
  const informer = createInformer(client, resources.core.v1.pods, {
    onError: () => 'retry',
    transform: ({ metadata, status }) => {
      profile.take(1);
      return { metadata: { name: metadata?.name, namespace: metadata?.namespace }, phase: status?.phase };
    },
  });
  await informer.whenSynced();
  const figures = { ...meter.times(), ...profile.figures(), ...meter.memory() };
  const cached = informer.indexer.listKeys().length;
  if (cached !== count) throw new Error(`Expected ${count} pods in the cache, got ${cached}`);
  return figures;
}
