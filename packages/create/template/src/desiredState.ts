import type { V1Deployment, V1Service } from 'rx-informer';
import { setCondition } from '@rx-informer/controller';
import type { WebSite, WebSiteStatus } from './webSite.js';

/** The deployment and the service that a site needs. */
export function desiredChildren(site: WebSite): readonly [V1Deployment, V1Service] {
  const { metadata: { name = '', namespace = '' } = {}, spec } = site;
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'my-operator' };
  const metadata = { name, namespace, labels };
  const containers = [{ name: 'site', image: spec.image, ports: [{ containerPort: 80, protocol: 'TCP' }] }];
  const template = { metadata: { labels }, spec: { containers } };
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: spec.replicas ?? 1, selector: { matchLabels: labels }, template },
    },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 80, protocol: 'TCP' }] } },
  ];
}

/** The status of a site with this deployment; the same object if nothing has changed. */
export function statusOf(site: WebSite, deployment: V1Deployment | undefined, now: Date): WebSiteStatus {
  const wanted = site.spec.replicas ?? 1;
  const readyReplicas = deployment?.status?.readyReplicas ?? 0;
  const isReady = readyReplicas >= wanted;
  const observedGeneration = site.metadata?.generation;
  const conditions = setCondition(
    site.status?.conditions,
    {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'Serving' : 'Starting',
      message: `${readyReplicas} of ${wanted} replicas are ready`,
      ...(observedGeneration !== undefined && { observedGeneration }),
    },
    now,
  );
  const { status } = site;
  return conditions === status?.conditions && readyReplicas === status.readyReplicas ? status : { readyReplicas, conditions };
}
