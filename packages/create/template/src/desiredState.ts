import type { V1Deployment, V1Service } from 'rx-informer';
import { setCondition, setControllerReference } from '@rx-informer/controller';
import type { WebSite, WebSiteStatus } from './webSite.js';

function metadataOf({ metadata: { name = '', namespace = '' } = {} }: WebSite) {
  return { name, namespace, labels: { 'app.kubernetes.io/name': name, 'app.kubernetes.io/managed-by': 'my-operator' } };
}

/** The deployment that a site needs. */
export function desiredDeployment(site: WebSite): V1Deployment {
  const metadata = metadataOf(site);
  const { labels } = metadata;
  const { image, replicas = 1 } = site.spec;
  const containers = [{ name: 'site', image, ports: [{ containerPort: 80, protocol: 'TCP' }] }];
  return setControllerReference(
    { metadata, spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } } },
    site,
  );
}

/** The service that a site needs. */
export function desiredService(site: WebSite): V1Service {
  const metadata = metadataOf(site);
  return setControllerReference({ metadata, spec: { selector: metadata.labels, ports: [{ port: 80, protocol: 'TCP' }] } }, site);
}

/** The status of a site with this deployment; the same object if nothing has changed. */
export function statusOf(site: WebSite, deployment: V1Deployment | undefined, now: Date): WebSiteStatus {
  const wanted = site.spec.replicas ?? 1;
  const readyReplicas = deployment?.status?.readyReplicas ?? 0;
  const isReady = readyReplicas >= wanted;
  const generation = site.metadata?.generation;
  const conditions = setCondition(
    site.status?.conditions,
    {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      reason: isReady ? 'Serving' : 'Starting',
      message: `${readyReplicas} of ${wanted} replicas are ready`,
      ...(generation !== undefined && { observedGeneration: generation }),
    },
    now,
  );
  const { status } = site;
  return status !== undefined && conditions === status.conditions && readyReplicas === status.readyReplicas
    ? status
    : { readyReplicas, conditions };
}
