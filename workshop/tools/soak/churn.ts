import { type KubeClient, resources, type V1ConfigMap } from 'rx-informer';

const configMaps = resources.core.v1.configmaps;
const namespace = 'default';
const fixed = 10;

function configMap(kind: string, name: string, data: Record<string, string>): V1ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels: { kind } }, data };
}

async function comeAndGo(client: KubeClient, object: V1ConfigMap): Promise<void> {
  await client.create(configMaps, object);
  await client.delete(configMaps, object.metadata?.name ?? '', { namespace });
}

/** Creates the objects with fixed names. */
export async function prepare(client: KubeClient): Promise<void> {
  for (let number = 0; number < fixed; number += 1) await client.create(configMaps, configMap('fixed', `fixed-${String(number)}`, {}));
}

/** One round of writes: to fixed names, to a new name, and with a new shape. Returns their number. */
export async function churn(client: KubeClient, round: number): Promise<number> {
  const value = String(round);
  await Promise.all([
    client.replace(configMaps, configMap('fixed', `fixed-${String(round % fixed)}`, { value })),
    comeAndGo(client, configMap('name', `name-${value}`, { value })),
    comeAndGo(client, configMap('shape', 'shape', { [`key-${value}`]: value, [`other-${value}`]: value })),
  ]);
  return 5;
}
