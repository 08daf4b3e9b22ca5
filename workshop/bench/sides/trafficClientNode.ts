import {
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  DiscoveryV1Api,
  KubeConfig,
  makeInformer,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { trafficSide, type TrafficSideOptions } from '../traffic/trafficSide.js';

type Objects = Promise<KubernetesListObject<KubernetesObject>>;

function lister(config: KubeConfig, { kind, path }: TrafficSideOptions): () => Objects {
  const core = config.makeApiClient(CoreV1Api);
  const [, , group = '', version = '', plural = ''] = path.split('/');
  switch (kind) {
    case 'Pod':
      return () => core.listPodForAllNamespaces();
    case 'Node':
      return () => core.listNode();
    case 'Event':
      return () => core.listEventForAllNamespaces();
    case 'ConfigMap':
      return () => core.listConfigMapForAllNamespaces();
    case 'Secret':
      return () => core.listSecretForAllNamespaces();
    case 'Lease':
      return () => config.makeApiClient(CoordinationV1Api).listLeaseForAllNamespaces();
    case 'EndpointSlice':
      return () => config.makeApiClient(DiscoveryV1Api).listEndpointSliceForAllNamespaces();
    default:
      return () => config.makeApiClient(CustomObjectsApi).listClusterCustomObject({ group, version, plural }) as Objects;
  }
}

function configOf(server: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: 'bench', server, skipTLSVerify: true }, { name: 'bench' });
  return config;
}

/**
 * client-node's informer.
 */
export async function run(options: TrafficSideOptions): Promise<object> {
  const config = configOf(options.url);
  const informer = makeInformer(config, options.path, lister(config, options));
  let seen: (object: object) => void = () => undefined;
  const figures = await trafficSide(
    options,
    (hello) => configOf(hello).makeApiClient(CoreV1Api).listPodForAllNamespaces(),
    (listed) => {
      seen = listed;
      for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, (object) => seen(object));
      informer.on('error', (error: unknown) => {
        throw error;
      });
      return informer.start();
    },
    (watched) => (seen = watched),
  );
  return { ...figures, count: informer.list().length };
}
