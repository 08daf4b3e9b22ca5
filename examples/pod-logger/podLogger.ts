import { createInformerFactory, type InformerFactoryOptions, type KubeClient, type V1Pod } from 'rx-informer';

const nameOf = ({ metadata }: V1Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
const phaseOf = ({ status }: V1Pod): string => status?.phase ?? 'Unknown';

/**
 * Logs added and deleted pods and changes of their phase. A resync every 60 s calls the handler again for all pods.
 *
 * @returns a function that ends it.
 */
export async function runPodLogger(
  client: KubeClient,
  log: (line: string) => void,
  options: InformerFactoryOptions = {},
): Promise<() => Promise<void>> {
  const factory = createInformerFactory(client, {
    resyncPeriodMs: 60_000,
    onError: (error) => {
      log(`trouble: ${error.message}`);
      return 'retry';
    },
    ...options,
  });
  const { pods } = factory.core.v1;
  pods.addEventHandler({
    onAdd: (pod, isInInitialList) => log(`${nameOf(pod)} ${isInInitialList ? 'was there' : 'was created'}: ${phaseOf(pod)}`),
    onUpdate: (before, pod) => {
      // In a resync both are the same object.
      if (phaseOf(before) !== phaseOf(pod)) log(`${nameOf(pod)} is ${phaseOf(pod)}, was ${phaseOf(before)}`);
    },
    onDelete: (pod, finalStateUnknown) => log(`${nameOf(pod)} is gone${finalStateUnknown ? ', and nobody saw it go' : ''}`),
  });

  factory.start();
  const { error } = await factory.waitForCacheSync({ timeoutMs: 30_000 });
  if (error !== undefined) {
    await factory.shutdown();
    throw error;
  }
  log(`${pods.lister.list().length} pods are in the cache`);
  return () => factory.shutdown();
}
