import { createClient } from '../../client/createClient.js';
import type { KubeClient } from '../../client/kubeClient.js';

/** The options that say which server to talk to, and as whom. */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

/** Works with a client for what the flags name, by kubectl's rules where they name nothing, and closes it in the end. */
export async function withClient<R>(
  { kubeconfig, context, server }: ConnectionFlags,
  work: (client: KubeClient) => Promise<R>,
): Promise<R> {
  const client = createClient(
    server === undefined
      ? { ...(kubeconfig !== undefined && { kubeConfigFile: kubeconfig }), ...(context !== undefined && { context }) }
      : { server },
  );
  try {
    return await work(client);
  } finally {
    client.close();
  }
}
