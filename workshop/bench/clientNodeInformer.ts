import { CoreV1Api, type Informer, KubeConfig, makeInformer, type ObjectCache, type V1Pod } from '@kubernetes/client-node';

/**
 * client-node's informer of all pods.
 */
export function clientNodeInformer(url: string): Informer<V1Pod> & ObjectCache<V1Pod> {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'bench', server: url, skipTLSVerify: true }, { name: 'bench' });
  const core = config.makeApiClient(CoreV1Api);
  return makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces());
}
