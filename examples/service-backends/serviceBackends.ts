import { isReady, type createInformerFactory, resources } from 'rx-informer';
import { derive, deriveMany, none, reduceObjects, type View } from '@rx-informer/views';

type Factory = ReturnType<typeof createInformerFactory>;

/** One row of the table: the backends of a service in one zone. */
export interface ZoneRow {
  readonly key: string;
  readonly service: string;
  readonly zone: string;
  readonly pods: number;
  readonly ready: number;
  readonly nodes: readonly string[];
}

/** The views of `serviceBackends`. */
export interface ServiceBackends {
  readonly rows: View<ZoneRow>;
  /** The number of ready pods in each zone, of all services. */
  readonly readyPerZone: View<number>;
}

/** Services, endpoint slices, pods and nodes as one table: the pods of each service in each zone, and how many of them are ready. */
export function serviceBackends(factory: Factory): ServiceBackends {
  const services = factory.forResource(resources.core.v1.services);
  const pods = factory.forResource(resources.core.v1.pods);
  const nodes = factory.forResource(resources.core.v1.nodes);
  const slices = factory.forResource(resources.discovery.v1.endpointslices);

  const zones = derive(nodes, ({ metadata }) => metadata?.labels?.['topology.kubernetes.io/zone'] ?? 'no zone', { name: 'zones' });
  const rows = deriveMany(
    services,
    (service, read): ZoneRow[] => {
      const { namespace = '', name = '' } = service.metadata ?? {};
      const excluded = new Set(
        read(slices, { namespace, labelSelector: { 'kubernetes.io/service-name': name } })
          .flatMap(({ endpoints }) => endpoints ?? [])
          .filter(({ conditions }) => conditions?.ready === false)
          .map(({ targetRef }) => targetRef?.name),
      );
      const byZone = new Map<string, { pods: number; ready: number; nodes: Set<string> }>();
      for (const pod of read(pods, { namespace, labelSelector: service.spec?.selector ?? none })) {
        const node = pod.spec?.nodeName ?? '';
        const zone = read.get(zones, node) ?? 'not scheduled';
        const row = byZone.get(zone) ?? { pods: 0, ready: 0, nodes: new Set<string>() };
        row.pods += 1;
        if (isReady(pod) && !excluded.has(pod.metadata?.name)) row.ready += 1;
        if (node !== '') row.nodes.add(node);
        byZone.set(zone, row);
      }
      return [...byZone].map(([zone, row]) => ({
        key: `${namespace}/${name}:${zone}`,
        service: `${namespace}/${name}`,
        zone,
        pods: row.pods,
        ready: row.ready,
        nodes: [...row.nodes].sort(),
      }));
    },
    { name: 'rows', key: ({ key }) => key },
  );
  const readyPerZone = reduceObjects(rows, {
    name: 'readyPerZone',
    initial: 0,
    add: (total, { ready }) => total + ready,
    remove: (total, { ready }) => total - ready,
    groupBy: ({ zone }) => zone,
  });
  return { rows, readyPerZone };
}
