import type { Observable } from 'rxjs';
import { resources } from 'rx-informer';
import type { Outcome } from '@rx-informer/controller';
import { recordEvent } from './recordEvent.js';
import { loopOver, tolerate, type WorkloadContext } from './workloadContext.js';

/** The addresses of load balancers are of a range for documentation. */
function addressOf({ chance }: WorkloadContext, uid: string): string {
  return `203.0.113.${String(1 + Math.floor(chance(`load balancer ${uid}`) * 254))}`;
}

/** Simulates the load balancers of a cloud: a service of the type gets an address, and loses it when it has another type. */
export function loadBalancerLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, services, scheduler } = context;
  return loopOver(services, { sources: { services: services.resource$ }, scheduler }, async (service, name, namespace) => {
    const isWanted = service.spec?.type === 'LoadBalancer' && service.spec.loadBalancerClass === undefined;
    const isThere = (service.status?.loadBalancer?.ingress ?? []).length > 0;
    if (isWanted === isThere || service.spec?.loadBalancerClass !== undefined) return;
    const ingress = isWanted ? [{ ip: addressOf(context, service.metadata?.uid ?? ''), ipMode: 'VIP' }] : null;
    const patch = { status: { loadBalancer: { ingress } } };
    if (!(await tolerate(client.status.patch(resources.core.v1.services, name, 'merge', patch, { namespace })))) return;
    const event = { component: 'service-controller', reason: 'EnsuredLoadBalancer', message: 'Ensured load balancer' };
    if (isWanted) await recordEvent(context, resources.core.v1.services, service, event);
  });
}
