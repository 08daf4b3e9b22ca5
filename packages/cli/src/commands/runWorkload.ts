import { createClient } from 'rx-informer';
import { startWorkload, type TestApiServer } from '@rx-informer/api-server';

/** The user agent of the workload's client, so that its rights are not counted as the program's. */
export const workloadAgent = 'rx-informer-workload';

/** How a workload behaves: `calm` when nothing crashes, and nothing runs that the user did not make. */
export const moods = ['calm', 'lively'] as const;

/** The share of starts after which a container of a lively workload crashes. */
const crashRate = 0.15;

/** Starts a workload on a server; the returned function ends it. */
export async function runWorkload(
  { url, credentials }: TestApiServer,
  mood: (typeof moods)[number] = 'calm',
): Promise<() => Promise<void>> {
  const client = createClient({ server: url, ...credentials, userAgent: workloadAgent });
  const workload = await startWorkload(client, mood === 'lively' ? { kubelet: { crashRate } } : {});
  return async () => {
    await workload.stop();
    client.close();
  };
}
