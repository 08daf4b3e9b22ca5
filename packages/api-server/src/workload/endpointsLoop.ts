import type { Observable } from 'rxjs';
import { resources, type V1Endpoints, type V1EndpointSlice, type V1Pod, type V1Service, type V1ServicePort } from 'rx-informer';
import { mappedKeys, type Outcome, ownerReferenceOf, reconcile } from '@rx-informer/controller';
import { shortHash } from './chance.js';
import { isServing } from './podState.js';
import { byName, namespaceIndex, tolerate, type WorkloadContext } from './workloadContext.js';

const fieldManager = 'endpoints-stand-in';

function selects({ metadata, spec }: V1Service, pod: V1Pod): boolean {
  const wanted = Object.entries(spec?.selector ?? {});
  const labels = pod.metadata?.labels ?? {};
  return wanted.length > 0 && pod.metadata?.namespace === metadata?.namespace && wanted.every(([name, value]) => labels[name] === value);
}

/** The port of a service on a pod: a named port is looked up in the pod's containers. */
function portOn(pod: V1Pod, { port, targetPort = port }: V1ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find(({ name }) => name === targetPort)?.containerPort;
}

/** The pods of a service with the same port numbers. */
interface Backends {
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
  readonly pods: readonly V1Pod[];
}

function backendsOf(service: V1Service, pods: readonly V1Pod[]): readonly Backends[] {
  const groups = new Map<string, Backends>();
  for (const pod of pods) {
    const ports = (service.spec?.ports ?? []).flatMap((each) => {
      const port = portOn(pod, each);
      return port === undefined ? [] : [{ ...(each.name !== undefined && { name: each.name }), port, protocol: each.protocol ?? 'TCP' }];
    });
    const id = JSON.stringify(ports);
    groups.set(id, { ports, pods: [...(groups.get(id)?.pods ?? []), pod] });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function addressOf({ metadata, status, spec }: V1Pod): { readonly ip: string; readonly nodeName: string; readonly targetRef: object } {
  const { name = '', namespace = '', uid = '' } = metadata ?? {};
  return { ip: status?.podIP ?? '', nodeName: spec?.nodeName ?? '', targetRef: { kind: 'Pod', name, namespace, uid } };
}

function endpointsOf({ metadata }: V1Service, backends: readonly Backends[]): V1Endpoints {
  const subsets = backends.map(({ ports, pods }) => {
    const [ready, others] = [pods.filter(isServing), pods.filter((pod) => !isServing(pod))].map((some) => some.map(addressOf));
    return { ...(ready?.length && { addresses: ready }), ...(others?.length && { notReadyAddresses: others }), ports };
  });
  const { name = '', namespace = '', labels = {} } = metadata ?? {};
  return { metadata: { name, namespace, labels }, subsets };
}

function sliceName({ metadata: { name = '', uid = '' } = {} }: V1Service, at: number): string {
  return `${name}-${shortHash(`${uid}/${String(at)}`, 5)}`;
}

function slicesOf(service: V1Service, backends: readonly Backends[]): readonly V1EndpointSlice[] {
  const { name = '', namespace = '', labels = {} } = service.metadata ?? {};
  const own = { 'kubernetes.io/service-name': name, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' };
  const filled = backends.length === 0 ? [{ ports: [], pods: [] }] : backends;
  return filled.map(({ ports, pods }, at) => ({
    metadata: {
      name: sliceName(service, at),
      namespace,
      labels: { ...labels, ...own },
      ownerReferences: [ownerReferenceOf(service, { controller: true })],
    },
    addressType: 'IPv4',
    endpoints: pods.map((pod) => {
      const { ip, ...rest } = addressOf(pod);
      const terminating = pod.metadata?.deletionTimestamp !== undefined;
      return { addresses: [ip], conditions: { ready: isServing(pod), serving: isServing(pod), terminating }, ...rest };
    }),
    ports,
  }));
}

/**
 * Simulates the controllers of Endpoints and EndpointSlices: lists the pods of each service with a selector, and which of them are ready.
 */
export function endpointsLoop({ client, services, pods, scheduler }: WorkloadContext): Observable<Outcome> {
  const { core, discovery } = resources;
  const force = { force: true, fieldManager };
  /** The number of slices of each service, by its uid. */
  const written = new Map<string, number>();
  const servicesOf = (pod: V1Pod): readonly string[] =>
    services.lister
      .list()
      .flatMap((service) => (selects(service, pod) ? [`${pod.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`] : []));
  const write = async (service: V1Service): Promise<void> => {
    const { namespace = '' } = service.metadata ?? {};
    const behind = pods.indexer
      .byIndex(namespaceIndex, namespace)
      .filter((pod) => selects(service, pod) && (pod.status?.podIP ?? '') !== '');
    const phases = new Set(['Succeeded', 'Failed']);
    const backends = backendsOf(service, behind.filter(({ status }) => !phases.has(status?.phase ?? '')).sort(byName));
    const endpoints = endpointsOf(service, backends);
    await tolerate(client.patch(core.v1.endpoints, endpoints.metadata?.name ?? '', 'apply', endpoints, { namespace, ...force }));
    const slices = slicesOf(service, backends);
    for (const slice of slices)
      await tolerate(client.patch(discovery.v1.endpointslices, slice.metadata?.name ?? '', 'apply', slice, { namespace, ...force }));
    const { uid = '' } = service.metadata ?? {};
    for (let at = slices.length; at < (written.get(uid) ?? 0); at += 1)
      await tolerate(client.delete(discovery.v1.endpointslices, sliceName(service, at), { namespace }));
    written.set(uid, slices.length);
  };
  return reconcile({
    sources: { services: services.resource$, pods: pods.resource$.pipe(mappedKeys(servicesOf)) },
    caches: [services, pods],
    scheduler,
    reconcile: async ({ key }) => {
      const service = services.indexer.getByKey(key);
      const [namespace = '', name = ''] = key.split('/');
      if (service === undefined) await tolerate(client.delete(core.v1.endpoints, name, { namespace }));
      else if (service.metadata?.deletionTimestamp === undefined && service.spec?.selector !== undefined) await write(service);
    },
  });
}
