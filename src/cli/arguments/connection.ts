import { createClient } from '../../client/createClient.js';
import type { KubeClient } from '../../client/kubeClient.js';

/**
 * The options that say which server to talk to, and as whom.
 */
export interface ConnectionFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly server?: string;
}

/**
 * A client for what the flags name; kubectl's rules where they name nothing.
 */
export function connect({ kubeconfig, context, server }: ConnectionFlags): KubeClient {
  if (server !== undefined) return createClient({ server });
  return createClient({
    ...(kubeconfig === undefined ? {} : { kubeConfigFile: kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
}
