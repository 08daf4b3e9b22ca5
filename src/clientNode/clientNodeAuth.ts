import type { KubeConfigLike, LoginProvider } from '../client/clientOptions.js';
import { kubeconfigError } from '../client/requests/requestError.js';
import { loadClientNode } from './loadClientNode.js';

/** Loads client-node at the first login: it takes about 0.6 s and 60 to 90 MB. */
async function load(): Promise<Awaited<ReturnType<typeof loadClientNode>>> {
  try {
    return await loadClientNode();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw kubeconfigError(
      'An `auth-provider` of a kubeconfig needs the package @kubernetes/client-node (^1.4 || ^2), which is not installed: npm install @kubernetes/client-node',
    );
  }
}

/**
 * Lets `createClient` use the logins of `@kubernetes/client-node`: users of kubeconfig files with an `auth-provider`, such as `oidc`.
 *
 * client-node is loaded at the first login. Without this, such users are refused. Credential plugins (`exec`), tokens and certificates do not need it.
 *
 * @example
 * ```ts
 * import { createClient } from 'rx-informer';
 * import { clientNodeAuth } from 'rx-informer/client-node';
 *
 * const client = createClient({ credentials: clientNodeAuth() });
 * client.close();
 * ```
 *
 * @throws RequestError `ERR_KUBECONFIG`, at the first request of such a user, when client-node is not installed.
 * @see client-go's `plugin/pkg/client/auth`
 */
export function clientNodeAuth(): LoginProvider {
  return {
    async login({ server, skipTLSVerify }, { name, authProvider }): Promise<KubeConfigLike> {
      const { KubeConfig } = await load();
      const kubeConfig = new KubeConfig();
      kubeConfig.loadFromClusterAndUser({ name: 'cluster', server, skipTLSVerify }, { name, authProvider });
      return kubeConfig;
    },
  };
}
