import { type V1Deployment, type V1Service } from 'rx-informer';
import { setCondition } from '@rx-informer/controller';
import type { WebSite } from './webSite.js';

function metadataOf({ metadata: { name = '', namespace = '' } = {} }: WebSite) {
  return { name, namespace, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'website-operator' } };
}

/** The deployment that a site needs. */
export function desiredDeployment(site: WebSite): V1Deployment {
  const metadata = metadataOf(site);
  const { labels } = metadata;
  const { image, replicas = 1 } = site.spec;
  const containers = [{ name: 'site', image, ports: [{ containerPort: 80, protocol: 'TCP' }] }];
  return { metadata, spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } };
}

/** The service that a site needs. */
export function desiredService(site: WebSite): V1Service {
  const metadata = metadataOf(site);
  return { metadata, spec: { selector: metadata.labels, ports: [{ port: 80, protocol: 'TCP' }] } };
}

/** The status of a site with this deployment; the same object if nothing has changed. */
export function statusOf(site: WebSite, deployment: V1Deployment | undefined, now: Date): NonNullable<WebSite['status']> {
  const wanted = site.spec.replicas ?? 1;
  const readyReplicas = deployment?.status?.readyReplicas ?? 0;
  const ready = readyReplicas >= wanted;
  const generation = site.metadata?.generation;
  const conditions = setCondition(
    site.status?.conditions,
    {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'Serving' : 'Starting',
      message: `${readyReplicas} of ${wanted} replicas are ready`,
      ...(generation !== undefined && { observedGeneration: generation }),
    },
    now,
  );
  if (site.status !== undefined && conditions === site.status.conditions && readyReplicas === site.status.readyReplicas) return site.status;
  return { readyReplicas, conditions };
}
