import { createClient, resources } from 'rx-informer';
import { Meter } from '../meter.js';
import { RssProfile } from '../rssProfile.js';

/**
 * Decodes a list and drops its objects.
 */
export async function run({
  url,
  count,
  siblings = false,
}: {
  readonly url: string;
  readonly count: number;
  /** Whether objects share equal parts, as those of an informer do. */
  readonly siblings?: boolean;
}): Promise<object> {
  const client = createClient({ server: url });
  const meter = new Meter();
  const profile = new RssProfile(count);
  await new Promise<void>((resolve, reject) => {
    const sharedBy = siblings ? {} : undefined;
    client.listChunks(resources.core.v1.pods, { resourceVersion: '0', limit: 500, sharedBy }).subscribe({
      next: ({ items }) => profile.take(items.length),
      error: reject,
      complete: resolve,
    });
  });
  return { ...meter.times(), ...profile.figures(), ...meter.memory() };
}
