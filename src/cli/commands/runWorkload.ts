import { createClient } from '../../client/createClient.js';
import type { TestApiServer } from '../../testing/startApiServer.js';
import { startWorkload } from '../../testing/workload/startWorkload.js';

/** The user agent of the workload's client, so that its rights are not counted as the program's. */
export const workloadAgent = 'rx-informer-workload';

/** Starts a workload on a server; the returned function ends it. */
export async function runWorkload({ url, credentials }: TestApiServer): Promise<() => Promise<void>> {
  const client = createClient({ server: url, ...credentials, userAgent: workloadAgent });
  const workload = await startWorkload(client);
  return async () => {
    await workload.stop();
    client.close();
  };
}
